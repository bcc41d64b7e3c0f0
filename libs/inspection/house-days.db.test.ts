import { READ_LOG_LIMIT_MAX, readLog } from '@reelbook/event-store/read-log';
import { DAY_MS, MINUTE_MS } from '@reelbook/ledger/calendar';
import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { accountSums } from '@reelbook/projections/account-sums/projection';
import { readBalanceAt } from '@reelbook/projections/entries/balances';
import { entries } from '@reelbook/projections/entries/projection';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEarnedFees } from './explain-balance.ts';
import { openHouseDays, type Results } from './house-days.ts';

const BEGIN_MS = Date.parse('2026-11-01T20:00:00.000Z');
const EVERY_MS = 6 * MINUTE_MS;
const dayOf = ({ position }: RecordedEvent) =>
  new Date(BEGIN_MS + position * EVERY_MS).toISOString().slice(0, 10);

let database: TestDatabase;
let db: pg.Pool;
let events: readonly RecordedEvent[];
/** Apply the events that the projections do not have yet. */
const finish: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const history = createHistory();
  recordMovements(history, { steps: 1_500, seed: SEED });
  await history.appendTo(db);
  events = await readLog(db, { from: 1, limit: READ_LOG_LIMIT_MAX });
  for (const projection of [entries, accountSums]) {
    const projecting = await startProjecting(database, projection);
    await projecting.applyInBatches(events.slice(0, 1_200), 500);
    finish.push(() => projecting.applyInBatches(events, 500));
  }
  // Only the search of a time reads this column.
  await database.pool('owner').query(
    `alter table events disable trigger append_only;
    update events set recorded_at = '2026-11-01T20:00Z'::timestamptz + position * interval '6 min';
    alter table events enable trigger append_only`,
  );
});
afterAll(() => database.drop());

/** What some events moved on an account. */
function moved(of: readonly RecordedEvent[], account: string, asset: Asset, types?: string[]) {
  return of
    .filter(({ event }) => types?.includes(event.type) ?? true)
    .flatMap(({ event, stream }) => postings(event, parseStream(stream).id))
    .filter((leg) => leg.account === account && leg.asset === asset)
    .reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
}

function resultsOf(of: readonly RecordedEvent[]): Results {
  const result = (asset: Asset, fees: bigint) => {
    const house = (...types: string[]) => moved(of, 'house', asset, types);
    const turnover = house('BetPlaced', 'BetVoided');
    const payouts = moved(of, 'chain', asset, ['WithdrawalFinalized']);
    const credited = (account: string) => moved(of, account, asset, ['DepositCredited']);
    return {
      turnover,
      paid: -house('BetWon'),
      revenue: turnover + house('BetWon') + fees,
      bonus: house('WelcomeGranted'),
      adjustments: house('BalanceAdjusted', 'UnmatchedDepositResolved'),
      net: moved(of, 'house', asset) - house('Exchanged') + fees,
      exchanged: house('Exchanged'),
      deposits: -credited('chain') - credited('unmatched'),
      unmatched: moved(of, 'unmatched', asset),
      payouts,
    };
  };
  const fees = of.reduce(
    (sum, { event }) => (event.type === 'WithdrawalFinalized' ? sum + event.data.feeMinor : sum),
    0n,
  );
  return { points: result('points', 0n), token: result('token', fees) };
}

test('each day is a plain fold of its events, and all days add up to the accounts', async () => {
  const days = [...new Set(events.map(dayOf))];
  expect(days.length).toBeGreaterThan(5);
  const read = openHouseDays(db);
  const to = new Date(Date.parse(days.at(-1) ?? '') + 3 * DAY_MS).toISOString().slice(0, 10);
  const early = await read({ from: '2026-10-25', to });
  expect(early.total).toEqual(resultsOf(events.slice(0, early.position)));
  for (const apply of finish) await apply();
  const found = await read({ from: '2026-10-25', to });
  // The last day of the first read has gone on.
  expect(dayOf(events[early.position] as RecordedEvent)).toBe(early.days.at(-1)?.day);
  expect(found.position).toBe(events.length);
  expect(found.days).toEqual(
    days.map((day) => ({ day, ...resultsOf(events.filter((one) => dayOf(one) === day)) })),
  );
  expect(found.total).toEqual(resultsOf(events));
  const sum = (asset: Asset, name: keyof Results[Asset]) =>
    found.days.reduce((total, day) => total + day[asset][name], 0n);
  const balanceOf = async (account: string, asset: Asset) =>
    (await readBalanceAt(db, { account, asset, position: events.length })).balanceMinor;
  expect(sum('points', 'net') + sum('points', 'exchanged')).toBe(
    await balanceOf('house', 'points'),
  );
  expect(sum('token', 'net') + sum('token', 'exchanged')).toBe(
    (await balanceOf('house', 'token')) + (await readEarnedFees(db, events.length)),
  );
  expect(sum('token', 'unmatched')).toBe(await balanceOf('unmatched', 'token'));
  const toHouse = moved(events, 'house', 'token', ['UnmatchedDepositResolved']);
  const arrived = sum('token', 'deposits') + sum('token', 'unmatched') + toHouse;
  expect(sum('token', 'payouts') - arrived).toBe(await balanceOf('chain', 'token'));
  const credits = events.flatMap(({ event, stream }) =>
    event.type === 'DepositCredited' ? postings(event, parseStream(stream).id) : [],
  );
  // What players got.
  expect(sum('token', 'deposits')).toBe(
    credits.reduce(
      (all, { account, deltaMinor }) => all + (account.startsWith('player:') ? deltaMinor : 0n),
      0n,
    ),
  );
  for (const asset of ['points', 'token'] as const) {
    for (const name of ['revenue', 'net', 'exchanged', 'adjustments'] as const) {
      expect(sum(asset, name), `${asset} ${name}`).not.toBe(0n);
    }
  }
});

test('an interval has only its days, also again, and without events it is empty', async () => {
  const read = openHouseDays(db);
  const [, , day = ''] = [...new Set(events.map(dayOf))];
  const expected = resultsOf(events.filter((one) => dayOf(one) === day));
  for (let time = 0; time < 2; time++) {
    const { days, total, position } = await read({ from: day, to: day });
    expect(days).toEqual([{ day, ...expected }]);
    expect(total).toEqual(expected);
    expect(position).toBe(events.findLast((one) => dayOf(one) === day)?.position);
  }
  const before = await read({ from: '2026-10-01', to: '2026-10-02' });
  expect(before).toMatchObject({ position: 0, days: [], total: resultsOf([]) });
});
