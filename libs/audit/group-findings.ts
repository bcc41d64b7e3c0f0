import type { Check, Finding, Findings } from './findings.ts';
import { MISSING } from './touched.ts';

/** Where an operator goes on: the event, the projections, the state tables, the treasury. */
export type NextStep = 'event' | 'projections' | 'state' | 'solvency';

/** Findings with one probable cause. `consequences` are the others, in the order they were found. */
export interface FindingGroup {
  readonly cause: Finding;
  readonly consequences: readonly Finding[];
  readonly next: NextStep;
}

/** Checks of the stored row. If one fails, the event was altered, and later checks fail because of it. */
const ALTERED: readonly Check[] = ['positions', 'chain', 'columns', 'versions'];
/** Checks of what the event states: each also fails for an altered event, and for one that was written as it is. */
const STATED: readonly Check[] = ['rounds', 'money', 'terms', 'states'];
/** The cause among several findings at one position comes first. */
const ORDER: readonly Check[] = [...ALTERED, 'seeds', ...STATED];

interface Group {
  readonly cause: Finding;
  readonly consequences: Finding[];
  /** What its events touch. */
  readonly names: Set<string>;
}

const rankOf = ({ check }: Finding) => {
  const rank = ORDER.indexOf(check);
  return rank < 0 ? ORDER.length : rank;
};
const isAltered = ({ check }: Finding) => ALTERED.includes(check);
const isStated = ({ check }: Finding) => STATED.includes(check);
const isMissing = ({ touches }: Finding) => touches?.includes(MISSING) === true;
/** Missing last events show in the head. */
const isEnd = (finding: Finding) => finding.check === 'head' && isMissing(finding);
const isOfEvent = ({ position, row, range }: Finding) => position !== null && !row && !range;

/**
 * Groups findings by cause, so that one altered digit is one group: findings at one event belong together, and so do a
 * break of the chain at the next event, the seal over an altered event, and the rows and accounts that the event touches.
 * What no event of a group touches is a group of its own: an independent fault is never a consequence.
 */
export function groupFindings({
  kept,
  touched,
}: Pick<Findings, 'kept' | 'touched'>): readonly FindingGroup[] {
  const groups = groupByEvent(kept.filter(isOfEvent), touched);
  const rows = new Map<string, Group>();
  const others = kept.filter((one) => !isOfEvent(one));
  for (const finding of [...others.filter(isEnd), ...others.filter((one) => !isEnd(one))]) {
    const key = finding.row ?? `${finding.check} ${finding.message}`;
    const group = groups.find((one) => mayCause(one, finding, touched)) ?? rows.get(key);
    if (group) {
      group.consequences.push(finding);
      continue;
    }
    const own = { cause: finding, consequences: [], names: new Set(finding.touches) };
    rows.set(key, own);
    if (finding.position !== null) own.names.add(`#${finding.position}`);
    if (finding.position !== null || isEnd(finding)) groups.push(own);
  }
  const place = ({ cause }: Group) => cause.position ?? Number.POSITIVE_INFINITY;
  return [...new Set([...groups, ...rows.values()])]
    .toSorted((a, b) => place(a) - place(b))
    .map(({ cause, consequences }) => ({ cause, consequences, next: nextOf(cause) }));
}

/** Whether the events of a group can have caused a finding about a row, a state or a range. */
function mayCause(
  { cause, names }: Group,
  { check, position, range, touches = [] }: Finding,
  touched: Findings['touched'],
): boolean {
  if (range) return isWithin(cause.position, range) && (isAltered(cause) || isStated(cause));
  const touching = (name: string) =>
    names.has(name) || (cause.range && isWithin(Number(name.replace('#', '')), cause.range));
  const isHere = touches.some(touching);
  if (isAltered(cause) || isMissing(cause)) {
    const isNext = position !== null && follows(cause, position, touched);
    return isHere || isNext || names.has(`#${position}`);
  }
  // A ledger that was rewritten with its states still differs from the projections.
  const isRewritten = check === 'projections' && (isStated(cause) || cause.row !== undefined);
  return isHere && (cause.range !== undefined || isRewritten);
}

function isWithin(position: number | null, [first, last]: readonly [number, number]): boolean {
  return position !== null && position >= first && position <= last;
}

/** The settlement, the next event of its command, does not fit an altered bet. */
function follows(cause: Finding, position: number, touched: Findings['touched']): boolean {
  const [[before], [stream]] = [touched.get(position - 1) ?? [], touched.get(position) ?? []];
  return cause.position === position - 1 && stream !== undefined && stream === before;
}

/** In order of position. */
function groupByEvent(findings: readonly Finding[], touched: Findings['touched']): Group[] {
  const at = new Map<number, Finding[]>();
  for (const finding of findings) {
    const position = finding.position ?? 0;
    at.set(position, [...(at.get(position) ?? []), finding]);
  }
  const groups: Group[] = [];
  let gap: Group | null = null;
  for (const [position, all] of [...at].sort(([a], [b]) => a - b)) {
    const [cause, ...consequences] = all.toSorted((a, b) => rankOf(a) - rankOf(b));
    if (!cause) continue;
    const [stream = ''] = touched.get(position) ?? [];
    const isGap = cause.check === 'positions' && isMissing(cause);
    const names = new Set(isGap ? cause.touches : touched.get(position));
    const own = { cause, consequences, names };
    if (isGap) gap = own;
    // The missing event was of the stream that jumps: the rest of that stream does not fit.
    if (all.some(({ check }) => check === 'versions')) gap?.names.add(stream);
    const isRest = cause.check === 'versions' || !isAltered(cause);
    const last = groups.at(-1);
    // The next hash does not fit an event that was altered together with its own hash.
    const isBreak = cause.check === 'chain' && consequences.length === 0;
    const isNext = isBreak
      ? last?.cause.position === position - 1
      : !isAltered(cause) &&
        last &&
        isAltered(last.cause) &&
        follows(last.cause, position, touched);
    const before = isRest && gap?.names.has(stream) ? gap : isNext ? last : null;
    if (before) before.consequences.push(cause, ...consequences);
    else groups.push(own);
  }
  return groups;
}

function nextOf({ check, position }: Finding): NextStep {
  if (check === 'projections' || check === 'followers') return 'projections';
  if (check === 'treasury') return 'solvency';
  return position === null ? 'state' : 'event';
}
