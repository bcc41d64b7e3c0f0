import { readBody } from '@reelbook/ledger/codec';
import { isEventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { parseStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** The checks, as the report names them. */
export type Check =
  | 'positions'
  | 'chain'
  | 'columns'
  | 'versions'
  | 'money'
  | 'states'
  | 'rounds'
  | 'terms'
  | 'payments'
  | 'protection'
  | 'operators'
  | 'actors'
  | 'seeds'
  | 'seals'
  | 'anchors'
  | 'treasury'
  | 'receipts'
  | 'head'
  | 'idempotency-keys'
  | 'streams'
  | 'sessions'
  | 'projections'
  | 'followers'
  | 'catalogue';

/** Of a finding that is no sign of an altered ledger or row. */
export const NO_MONEY = 'no money';

/** A failed check. `position` is the event where it shows, null if there is none. */
export interface Finding {
  readonly check: Check;
  readonly position: number | null;
  readonly message: string;
  /** The stream that it is about, where the position does not show it; or `NO_MONEY`. */
  readonly about?: string;
  /** The row or object that is wrong, where it is not the event: what names the same one is one fault. */
  readonly row?: string;
  /** What else an event must touch to have caused it, as in `touched.ts`. */
  readonly touches?: readonly string[];
  /** The first and the last of the events that it is about. */
  readonly range?: readonly [number, number];
}

type Details = Omit<Finding, 'check' | 'position' | 'message'>;

/** Findings kept for the report, and so many of each check in any case; more are only counted. */
const FINDINGS_KEPT_MAX = 100;
const KEPT_OF_CHECK_MIN = 5;

export class Findings {
  readonly kept: Finding[] = [];
  /** By position: what the event of a kept finding touches. */
  touched: ReadonlyMap<number, ReadonlySet<string>> = new Map();
  count = 0;
  private lowest: Finding | null = null;

  add(check: Check, position: number | null, message: string, details: Details = {}): void {
    // Texts of rows may have any characters.
    const finding = { check, position, message: message.replace(/\p{C}/gu, '?'), ...details };
    this.count++;
    if (this.hasRoom(check)) this.kept.push(finding);
    if (!this.lowest || placeOf(finding) < placeOf(this.lowest)) this.lowest = finding;
  }

  /** Thousands of findings of one check hide no other check. */
  private hasRoom(check: Check): boolean {
    if (this.kept.length < FINDINGS_KEPT_MAX) return true;
    return this.kept.filter((one) => one.check === check).length < KEPT_OF_CHECK_MIN;
  }

  /** The finding with the lowest position; one without a position only if there is no other. */
  first(): Finding | null {
    return this.lowest;
  }
}

/** A check of the events in the order of the ledger. */
export abstract class Pass {
  protected readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }
}

function placeOf({ position }: Finding): number {
  return position ?? Number.POSITIVE_INFINITY;
}

/** SQL: whether Postgres can read the texts of an event. JSON also has a NUL and half a character, which a text has not. */
export const READABLE = String.raw`body::text !~ '(^|[^\\])(\\\\)*\\u'`;

export type Progress = (options: { step: string; done: number; total: number }) => void;

/** Touched by every event that is missing: its contents are unknown. */
export const MISSING = 'missing';
/** Touched by every event that moves BSM. */
export const TOKEN_MOVED = 'token';

const MISSING_NAMED_MAX = 100;

/** What the missing events of these positions touch. */
export function missing(first: number, last: number): readonly string[] {
  const count = Math.min(last - first + 1, MISSING_NAMED_MAX);
  const places = Array.from({ length: Math.max(count, 0) }, (_, i) => `#${first + i}`);
  return [MISSING, ...places];
}

interface Row {
  readonly position: number;
  readonly day: string;
  readonly body: string;
  /** By the column: the text of an altered event may name another one. */
  readonly stream: string | null;
}

/** By position: the accounts and rows that the events of findings touch; the event's own stream first, then ids, names and `#position`. */
export async function readTouched(
  client: pg.PoolClient,
  findings: readonly Finding[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const { rows } = await client.query<Row>(
    `select position, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD') as day, body::text as body, name as stream
      from events left join streams on streams.key = events.stream where position = any($1)`,
    [findings.flatMap(({ position }) => position ?? [])],
  );
  return new Map(rows.map((row) => [row.position, touchedBy(row)]));
}

function touchedBy({ position, day, body, stream }: Row): ReadonlySet<string> {
  const names = new Set([stream ?? '', `#${position}`]);
  try {
    const { stream: own, type, data } = readBody(body);
    names.add(own);
    for (const text of textsIn(data)) {
      names.add(text);
      names.add(`${day} ${text}`);
      if (WALLET_PATTERN.test(text)) names.add(`player-${text}`);
    }
    if (type === 'WithdrawalFinalized') names.add('fees-earned token');
    const event = { type, data } as AnyEvent;
    for (const { account, asset } of isEventType(type)
      ? postings(event, parseStream(own).id)
      : []) {
      names.add(`${account.startsWith('player:') ? 'players' : account} ${asset}`);
      if (asset === 'token') names.add(TOKEN_MOVED);
    }
  } catch {
    // What an unreadable event touches is known by its columns only.
  }
  return names;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Where an operator goes on: the event, the projections, the state tables, the treasury. */
export type NextStep = 'event' | 'projections' | 'state' | 'solvency';

/** Findings with one probable cause. `consequences` are the others, in the order they were found. */
interface FindingGroup {
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
