import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { type EventType, postings } from '@reelbook/ledger/event-types';
import { parseStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import {
  accountSums,
  blockOf,
  FEES_EARNED,
  type Kind,
  type KindSum,
  keyOf,
  movementsOf,
  readAccountSums,
  SUMS_POSITIONS,
  TWO_WAY,
} from '@reelbook/projections/account-sums/projection';
import { type AccountOf, readBalanceAt, readSums } from '@reelbook/projections/entries/balances';
import {
  type ExplorerFilter,
  isHouseAccount,
  Unanswerable,
} from '@reelbook/projections/entries/filter';
import { entries } from '@reelbook/projections/entries/projection';
import { readExplorer } from '@reelbook/projections/entries/read';
import { assertReached, readReached } from '@reelbook/projections/projection';
import type pg from 'pg';
import { type ChainedRecord, readEvents } from './event.ts';

const PLAYER = 'player:';

/** One kind of credit or debit, its sum signed, and the filter that lists exactly its events. */
interface Term extends KindSum {
  readonly filter: ExplorerFilter;
}

/** The position up to which any balance can be explained now. */
export async function readExplainable(pool: pg.Pool): Promise<number> {
  const [position, sums] = await Promise.all([
    readReached(pool, entries),
    readReached(pool, accountSums),
  ]);
  // The rest of a block is read from the ledger.
  return Math.min(position, blocksOf(sums) * SUMS_POSITIONS + SUMS_POSITIONS - 1);
}

/**
 * `from` is the position of the opening, 0: before the first event. The opening and the terms add up to the balance, which
 * is read on its own: any difference is a fault. Throws `PositionNotReached`, and `Unanswerable` for a name that is no
 * account.
 */
export async function explainBalance(
  pool: pg.Pool,
  options: AccountOf & { readonly from: number; readonly at: number },
) {
  const { account, asset, from, at } = options;
  assert(from <= at, 'the opening is not after the balance');
  const isPlayer = account.startsWith(PLAYER) && WALLET_PATTERN.test(account.slice(PLAYER.length));
  if (!isPlayer && !isHouseAccount(account)) {
    throw new Unanswerable(`${account} is not an account`);
  }
  const [opening, balance, [before], [after]] = await Promise.all([
    readBalanceAt(pool, { account, asset, position: from }),
    readBalanceAt(pool, { account, asset, position: at }),
    readKinds(pool, [{ account, asset }], from),
    readKinds(pool, [{ account, asset }], at),
  ]);
  const terms = [...after].flatMap(([key, one]) => {
    const old = before.get(key) ?? { events: 0, minor: 0n };
    const sum = { ...one, events: one.events - old.events, minor: one.minor - old.minor };
    return sum.minor === 0n ? [] : [{ ...sum, filter: filterOf(options, sum) }];
  });
  return {
    account,
    asset,
    from,
    at,
    openingMinor: opening.balanceMinor,
    // Credits, then debits, each with the largest first. Kinds that sum to zero are left out.
    terms: terms.sort(bySize),
    balanceMinor: balance.balanceMinor,
    // Position of the last event that changed it; 0: none.
    since: balance.since,
  };
}

/** The fees of withdrawals paid up to a position. Throws `PositionNotReached`. */
export async function readEarnedFees(pool: pg.Pool, position: number): Promise<bigint> {
  const [kinds] = await readKinds(pool, [{ account: FEES_EARNED, asset: 'token' }], position);
  return sumOf(kinds);
}

/** What some types moved, or all of them. */
export const sumOf = (kinds: Kinds, ...types: readonly EventType[]): bigint =>
  [...kinds.values()].reduce(
    (sum, { type, minor }) => (types.length === 0 || types.includes(type) ? sum + minor : sum),
    0n,
  );

export type Kinds = Map<string, KindSum>;

/**
 * The kinds of movements of each account up to a position: the sums of complete blocks from the read models, and of the
 * rest of the last one from the ledger.
 */
export async function readKinds<const Of extends readonly AccountOf[]>(
  pool: pg.Pool,
  of: Of,
  position: number,
): Promise<{ readonly [Index in keyof Of]: Kinds }> {
  const blocks = blocksOf(position);
  const until = blocks * SUMS_POSITIONS;
  const limit = position - until;
  const rest = limit === 0 ? [] : await readLog(pool, { from: until + 1, limit });
  const moved = rest.flatMap(({ event, stream }) => movementsOf(event, parseStream(stream).id));
  const all = of.map(async ({ account, asset }) => {
    const kinds: Kinds = new Map();
    for (const one of await readAccountSums(pool, { account, asset, blocks })) add(kinds, one);
    if (account.startsWith(PLAYER) && blocks > 0) {
      await assertReached(pool, entries, until);
      const wallet = account.slice(PLAYER.length);
      for (const [type, sum] of await readSums(pool, { wallet, after: 0, until })) {
        const minor = asset === 'points' ? sum.pointsMinor : sum.tokenMinor;
        if (TWO_WAY.has(type) || minor === 0n) continue;
        add(kinds, { type, game: '', credit: minor > 0n, events: sum.events, minor });
      }
    }
    for (const one of moved) {
      if (one.account !== account || one.asset !== asset) continue;
      const { type, credit, minor } = one;
      // The sums of players are not by game.
      add(kinds, { type, game: gameOf(account, one), credit, events: 1, minor });
    }
    return kinds;
  });
  return (await Promise.all(all)) as { readonly [Index in keyof Of]: Kinds };
}

/** The number of complete blocks up to a position. */
const blocksOf = (position: number) => blockOf(position + 1);

const gameOf = (account: string, { game }: Kind) => (account.startsWith(PLAYER) ? '' : game);

function add(kinds: Kinds, { type, game, credit, events, minor }: KindSum): void {
  const key = keyOf({ type, game, credit });
  const before = kinds.get(key) ?? { events: 0, minor: 0n };
  const sum = { events: before.events + events, minor: before.minor + minor };
  kinds.set(key, { type, game, credit, ...sum });
}

function bySize(a: Term, b: Term): number {
  if (a.credit !== b.credit) return a.credit ? -1 : 1;
  const [one, other] = a.credit ? [b.minor, a.minor] : [a.minor, b.minor];
  return one < other ? -1 : one > other ? 1 : keyOf(a) < keyOf(b) ? -1 : 1;
}

/** Types that move one account or another. */
const ONE_OF_TWO: ReadonlySet<EventType> = new Set<EventType>([
  'DepositCredited',
  'UnmatchedDepositResolved',
]);

function filterOf(
  { account, asset, from, at }: AccountOf & { readonly from: number; readonly at: number },
  { type, game, credit }: Kind,
): ExplorerFilter {
  const isPlayers = account.startsWith(PLAYER);
  // What a player is given, the house gives.
  const isGiven = isPlayers === credit;
  return {
    types: [type],
    fromPosition: from + 1,
    toPosition: at,
    ...(isPlayers && { wallet: account.slice(PLAYER.length) }),
    ...(game !== '' && { game }),
    ...(TWO_WAY.has(type) && { asset, direction: isGiven ? 'credit' : 'debit' }),
    ...(!isPlayers && ONE_OF_TWO.has(type) && isHouseAccount(account) && { account }),
  };
}

const MOVEMENTS_MAX = 200;

interface AccountMovement {
  readonly recorded: ChainedRecord;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

/** The filter of all events that moved an account. Throws `Unanswerable` for a name that is no account. */
function movementsFilter({ account, asset }: AccountOf): ExplorerFilter {
  if (account.startsWith(PLAYER)) return { wallet: account.slice(PLAYER.length), asset };
  if (isHouseAccount(account)) return { account, asset };
  throw new Unanswerable(`${account} is not an account`);
}

/** One page of the movements of an account, newest first, with the balance after each. */
export async function readMovements(
  pool: pg.Pool,
  options: AccountOf & { readonly before?: number | undefined; readonly limit: number },
): Promise<{ readonly movements: readonly AccountMovement[]; readonly next: number | null }> {
  const { account, asset, before, limit } = options;
  assert(limit >= 1 && limit <= MOVEMENTS_MAX, 'a limit');
  const { entries, next } = await readExplorer(pool, {
    filter: movementsFilter(options),
    before,
    limit,
  });
  const [newest] = entries;
  if (!newest) return { movements: [], next: null };
  const { position } = newest;
  let { balanceMinor } = await readBalanceAt(pool, { account, asset, position });
  const events = await readEvents(pool, entries);
  const movements = events.toReversed().map((recorded) => {
    const afterMinor = balanceMinor;
    const deltaMinor = postings(recorded.event, parseStream(recorded.stream).id)
      .filter((leg) => leg.account === account && leg.asset === asset)
      .reduce((sum, leg) => sum + leg.deltaMinor, 0n);
    balanceMinor -= deltaMinor;
    return { recorded, deltaMinor, afterMinor };
  });
  return { movements, next };
}
