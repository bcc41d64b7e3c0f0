import type { Check, Finding } from './findings.ts';

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

/** The cause among several findings at one position comes first. */
const ORDER: readonly Check[] = [...ALTERED, 'seeds', 'rounds', 'money', 'terms', 'states'];

const rankOf = ({ check }: Finding) => {
  const rank = ORDER.indexOf(check);
  return rank < 0 ? ORDER.length : rank;
};

const isAltered = ({ cause }: { readonly cause: Finding }) => ALTERED.includes(cause.check);

/**
 * Groups findings by cause, so that one altered digit is one group: findings at one event belong together, and so do a
 * break of the chain at the next event, the seal over an altered event, and the tables that are derived from it.
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = groupByEvent(findings);
  for (const finding of findings) {
    if (finding.check !== 'seals' || finding.position === null) continue;
    const from = finding.position;
    const altered = groups.find((one) => isAltered(one) && (one.cause.position ?? 0) >= from);
    if (altered) altered.consequences.push(finding);
    else groups.push({ cause: finding, consequences: [] });
  }
  const altered = groups.filter(isAltered);
  // A fault that shows in no event is a consequence only if exactly one event can have caused it.
  const [only] = altered.length === 1 ? altered : groups.length === 1 ? groups : [];
  const byCheck = new Map<Check, { cause: Finding; consequences: Finding[] }>();
  for (const finding of findings.filter(({ position }) => position === null)) {
    const group = only ?? byCheck.get(finding.check);
    if (group) group.consequences.push(finding);
    else byCheck.set(finding.check, { cause: finding, consequences: [] });
  }
  const place = ({ cause }: { readonly cause: Finding }) =>
    cause.position ?? Number.POSITIVE_INFINITY;
  return [...groups, ...byCheck.values()]
    .toSorted((a, b) => place(a) - place(b))
    .map((group) => ({ ...group, next: nextOf(group.cause) }));
}

/** In order of position; without seals, which name a range. */
function groupByEvent(findings: readonly Finding[]) {
  const at = new Map<number, Finding[]>();
  for (const finding of findings) {
    const { check, position } = finding;
    if (position === null || check === 'seals') continue;
    at.set(position, [...(at.get(position) ?? []), finding]);
  }
  const groups: { cause: Finding; consequences: Finding[] }[] = [];
  for (const [position, all] of [...at].sort(([a], [b]) => a - b)) {
    const [cause, ...consequences] = all.toSorted((a, b) => rankOf(a) - rankOf(b));
    if (!cause) continue;
    const before = groups.at(-1);
    // The next hash does not fit an event that was altered together with its own hash, and the settlement, the next event
    // of its command, does not fit an altered bet.
    const follows = before?.cause.position === position - 1;
    const isBreak = cause.check === 'chain' && consequences.length === 0;
    const isOfCommand = before && isAltered(before) && !isAltered({ cause });
    if (before && follows && (isBreak || isOfCommand)) {
      before.consequences.push(cause, ...consequences);
    } else groups.push({ cause, consequences });
  }
  return groups;
}

function nextOf({ check, position }: Finding): NextStep {
  if (check === 'projections' || check === 'followers') return 'projections';
  if (check === 'treasury') return 'solvency';
  return position === null ? 'state' : 'event';
}
