import { DAY_MS } from '@reelbook/ledger/calendar';
import type { Asset } from '@reelbook/ledger/money';
import { FEES_EARNED } from '@reelbook/projections/account-sums/projection';
import { readPositionAt } from '@reelbook/projections/entries/seek';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { type Kinds, readExplainable, readKinds, sumOf } from './explain-balance.ts';

/** Ends of days that are over. */
const KEPT_MAX = 1_000;
/** Short: a read model that was repaired meanwhile must show. */
const KEPT_MS = 60_000;

/** What the house earned and spent, in minor units; for a day, by the time of each event. */
export type Result = ReturnType<typeof resultOf>;
/** By asset. */
export type Results = Readonly<Record<Asset, Result>>;

/** `net + exchanged` is what the account of the house gained, with the fees of paid withdrawals. */
function resultOf(house: Kinds, fees = NONE, chain = NONE, unmatched = NONE) {
  const turnover = sumOf(house, 'BetPlaced', 'BetVoided');
  const paid = -sumOf(house, 'BetWon');
  const revenue = turnover - paid + sumOf(fees);
  const bonus = sumOf(house, 'WelcomeGranted');
  const exchanged = sumOf(house, 'Exchanged');
  const net = sumOf(house) + sumOf(fees) - exchanged;
  const payouts = sumOf(chain, 'WithdrawalFinalized');
  return {
    // Stakes, without those of voided rounds.
    turnover,
    paid,
    // Of games, and fees.
    revenue,
    bonus,
    // All else: adjustments, and unmatched deposits that were assigned to the house.
    adjustments: net - revenue - bonus,
    net,
    exchanged,
    // Credited to players: at once, or once they were resolved.
    deposits: -sumOf(chain, 'DepositCredited') - sumOf(unmatched, 'DepositCredited'),
    // Arrived for no known player, less those that were resolved.
    unmatched: sumOf(unmatched),
    payouts,
  };
}

const NONE: Kinds = new Map();

async function readResults(pool: pg.Pool, position: number): Promise<Results> {
  const [points, token, fees, chain, unmatched] = await readKinds(
    pool,
    [
      { account: 'house', asset: 'points' },
      { account: 'house', asset: 'token' },
      { account: FEES_EARNED, asset: 'token' },
      { account: 'chain', asset: 'token' },
      { account: 'unmatched', asset: 'token' },
    ],
    position,
  );
  return { points: resultOf(points), token: resultOf(token, fees, chain, unmatched) };
}

interface End {
  readonly position: number;
  /** Since the first event. */
  readonly results: Results;
}

const less = (after: Result, before: Result) =>
  Object.fromEntries(
    Object.entries(after).map(([name, minor]) => [name, minor - before[name as keyof Result]]),
  ) as Result;

const between = (before: Results, after: Results): Results => ({
  points: less(after.points, before.points),
  token: less(after.token, before.token),
});

/** The results of days in UTC (YYYY-MM-DD, both included) up to `position`, of those with events, and of all together. */
export function openHouseDays(pool: pg.Pool) {
  const kept = new LRUCache<number, End>({ max: KEPT_MAX, ttl: KEPT_MS });
  async function readEnd(ms: number, reached: number): Promise<End> {
    const known = kept.get(ms);
    if (known) return known;
    const position = await readPositionAt(pool, new Date(ms - 1).toISOString(), reached);
    const end = { position, results: await readResults(pool, position) };
    // Final, since a later event has a later time.
    if (position < reached) kept.set(ms, end);
    return end;
  }
  return async ({ from, to }: { readonly from: string; readonly to: string }) => {
    const reached = await readExplainable(pool);
    const opening = await readEnd(Date.parse(from), reached);
    let last = opening;
    const days: (Results & { readonly day: string })[] = [];
    for (let ms = Date.parse(from); ms <= Date.parse(to) && last.position < reached; ms += DAY_MS) {
      const end = await readEnd(ms + DAY_MS, reached);
      const day = new Date(ms).toISOString().slice(0, 10);
      if (end.position > last.position) days.push({ day, ...between(last.results, end.results) });
      last = end;
    }
    return { position: last.position, days, total: between(opening.results, last.results) };
  };
}
