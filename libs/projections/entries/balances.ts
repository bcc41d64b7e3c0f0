import { rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf, readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { type EventType, postings } from '@reelbook/ledger/event-types';
import { balancesAfter } from '@reelbook/ledger/invariants';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import { assertReached, type Db, readReached } from '../projection.ts';
import { BLOCK, blockOf, entries, LINES, type Line, lineOf, SUMS_BLOCK } from './projection.ts';
import { readPlayerNumber } from './seek.ts';
import { TYPE_NUMBERS } from './type-numbers.ts';

const STATEMENT_LINES_MAX = 500;

/** An account as in `postings` of the ledger: `player:<wallet>`, `house`, `fees`, `withdrawals` or `chain`. */
export interface AccountOf {
  readonly account: string;
  readonly asset: Asset;
}

/** A balance as of a position, and the position of the event that last changed it; 0: the account was never moved. */
export interface BalanceAt {
  readonly balanceMinor: bigint;
  readonly since: number;
}

export interface StatementLine {
  readonly position: number;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

const NEVER_MOVED: BalanceAt = { balanceMinor: 0n, since: 0 };
const PLAYER = 'player:';

/** The balance of an account after the event at `position`. Throws `PositionNotReached`. */
export async function readBalanceAt(
  db: Db,
  options: AccountOf & { readonly position: number },
): Promise<BalanceAt> {
  await assertReached(db, entries, options.position);
  const { account, asset, position } = options;
  if (!account.startsWith(PLAYER)) {
    const lines = await readLinesAt(db, position);
    const held = lines.find((one) => one.line === account && one.asset === asset);
    return held && account !== 'players' ? held : NEVER_MOVED;
  }
  const [last] = await readStatement(db, { account, asset, before: position + 1, limit: 1 });
  return last ? { balanceMinor: last.afterMinor, since: last.position } : NEVER_MOVED;
}

/** A player's movements, newest first; `before` is the position of the last line of the previous page. */
export async function readStatement(
  db: Db,
  options: AccountOf & { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly StatementLine[]> {
  assert(options.limit >= 1 && options.limit <= STATEMENT_LINES_MAX, 'a limit');
  assert(options.account.startsWith(PLAYER), 'an account of a player');
  const player = await readPlayerNumber(db, { wallet: options.account.slice(PLAYER.length) });
  const moved = tables
    .selectFrom('projections.entries_v1')
    .select(['position', sql<string>`${sql.ref(options.asset)}::text`.as('delta')])
    .where('player', '=', player)
    .where('position', '<', options.before ?? Number.MAX_SAFE_INTEGER)
    .where(options.asset, 'is not', null)
    .orderBy('position', 'desc')
    .limit(options.limit);
  const lines = tables
    .selectFrom(moved.as('moved'))
    .innerJoin('events', 'events.position', 'moved.position')
    .select(['moved.delta', 'events.body'])
    .orderBy('moved.position', 'desc');
  const rows = await rowsOf(db, lines, `read-statement-${options.asset}`);
  return rows.map(({ delta, body }) => ({
    ...afterOf(body, options.asset),
    deltaMinor: BigInt(delta),
  }));
}

function afterOf(text: string, asset: Asset): Pick<StatementLine, 'position' | 'afterMinor'> {
  const { position, event } = eventOf(text);
  const after = balancesAfter(event);
  assert(after, `the event at ${position} moved the player's money`);
  return { position, afterMinor: asset === 'points' ? after.pointsMinor : after.tokenMinor };
}

const ASSETS: readonly Asset[] = ['points', 'token'];

export interface TrialBalance {
  /** Everything up to this position is included. */
  readonly position: number;
  readonly lines: readonly TrialBalanceLine[];
}

/** Positive: the account is owed. Per asset the lines of an intact ledger sum to zero. */
export interface TrialBalanceLine {
  readonly line: Line;
  readonly asset: Asset;
  readonly balanceMinor: bigint;
  /** Position of the last event that moved it; 0: none did. */
  readonly since: number;
}

/**
 * The trial balance after the event at `position`, or after the last one that the entries have. `readBalanceAt` has single
 * accounts. Throws `PositionNotReached`.
 */
export async function readTrialBalance(
  db: Db,
  options: { readonly position?: number | undefined } = {},
): Promise<TrialBalance> {
  const position = options.position ?? (await readReached(db, entries));
  await assertReached(db, entries, position);
  return { position, lines: await readLinesAt(db, position) };
}

/**
 * Each line's last row up to a position that was reached, and the sums of the events after it, at most one block. SQL: the
 * lines are rows of two lists.
 */
async function readLinesAt(db: Db, position: number): Promise<readonly TrialBalanceLine[]> {
  const block = blockOf(position);
  const { rows } = await db.query<{ line: Line; asset: Asset; since: number; after: string }>({
    name: 'read-lines-at',
    text: `select line, asset, last.position as since, last.after::text as after
      from unnest($1::text[]) as line, unnest($2::text[]) as asset, lateral (
        select position, after from projections.entries_balances_v1 as held
        where held.line = line.line and held.asset = asset.asset
          and held.block <= $3 and held.position <= $4
        order by held.block desc limit 1) as last`,
    values: [LINES, ASSETS, block, position],
  });
  const lines = new Map<string, TrialBalanceLine>();
  for (const asset of ASSETS) {
    for (const line of LINES) {
      const { since = 0, after = '0' } =
        rows.find((row) => row.line === line && row.asset === asset) ?? {};
      lines.set(`${line} ${asset}`, { line, asset, balanceMinor: BigInt(after), since });
    }
  }
  const counted = new Map(lines);
  const from = Math.max(1, block * BLOCK + 1);
  const events = position < from ? [] : await readLog(db, { from, limit: position - from + 1 });
  for (const { event, stream, position: since } of events) {
    for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
      const key = `${lineOf(account)} ${asset}`;
      const [before, row] = [lines.get(key), counted.get(key)];
      // Positions that the row includes are not added again.
      if (!before || !row || since <= row.since) continue;
      lines.set(key, { ...before, balanceMinor: before.balanceMinor + deltaMinor, since });
    }
  }
  return [...lines.values()];
}

/** What events of one type gave a player, signed, in minor units. */
export interface Sum {
  readonly events: number;
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
}

/**
 * The sums by type of a player's events after position `after`, up to `until`. Types without an event are left out. It reads
 * the rows of at most two blocks, and the sums of all blocks between them.
 */
export async function readSums(
  db: Db,
  options: { readonly wallet: string; readonly after: number; readonly until: number },
): Promise<ReadonlyMap<EventType, Sum>> {
  const { rows } = await db.query<{ type: number; events: number; points: string; token: string }>({
    name: 'read-entries-sums',
    text: SUMS,
    values: [options.wallet, options.after, options.until],
  });
  return new Map(
    rows.map(({ type, events, points, token }) => [
      typeOf(type),
      { events, pointsMinor: BigInt(points), tokenMinor: BigInt(token) },
    ]),
  );
}

/**
 * `first` and `final` are the blocks that the span begins and ends in; the blocks between them are complete. SQL, because
 * its steps depend on each other.
 */
const SUMS = `
  with own as (
    select player from projections.entries_players_v1 where wallet = $1
  ), ends as (
    select player,
      (select n / ${SUMS_BLOCK} from projections.entries_v1 as e where e.player = own.player
        and position > $2 order by position limit 1) as first,
      (select n / ${SUMS_BLOCK} from projections.entries_v1 as e where e.player = own.player
        and position <= $3 order by position desc limit 1) as final
    from own
  ), edges as (
    select player, $2 as after,
      least($3, (select max(last) from projections.entries_sums_v1 as s
        where s.player = ends.player and s.block = first)) as until
    from ends
    union all
    select player, (select max(last) from projections.entries_sums_v1 as s
      where s.player = ends.player and s.block = final - 1), $3
    from ends where first < final
  )
  select type, sum(events)::int as events, sum(points)::text as points, sum(token)::text as token
  from (
    select type, events, points, token from ends join projections.entries_sums_v1 using (player)
    where block > first and block < final
    union all
    select type, 1, coalesce(points, 0), coalesce(token, 0)
    from edges join projections.entries_v1 using (player)
    where position > after and position <= until
  ) as parts group by type`;

const TYPES = new Map(Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type]));

function typeOf(number: number): EventType {
  const type = TYPES.get(number);
  assert(type, `${number} is a type`);
  return type as EventType;
}
