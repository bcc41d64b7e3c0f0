import { openClock } from '@reelbook/event-store/clock';
import { Refused } from '@reelbook/http/routes';
import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { type Asset, toDecimal } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { accountSums } from '@reelbook/projections/account-sums/projection';
import { movementTypeOf } from '@reelbook/projections/entries/history';
import { entries } from '@reelbook/projections/entries/projection';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStatement, statementCsv } from './statement.ts';

const wallet = walletOf(2);
const account = `player:${wallet}`;

let database: TestDatabase;
let db: pg.Pool;
let events: readonly RecordedEvent[];
/** Times of the first event, of two within, and after the last. */
let times: readonly string[];

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const history = createHistory();
  recordMovements(history, { steps: 2_500, seed: SEED });
  events = history.recorded();
  for (const projection of [entries, accountSums]) {
    const projecting = await startProjecting(database, projection);
    await projecting.applyInBatches(events, 700);
  }
  const timeAt = (part: number) => events[Math.floor(events.length * part)]?.time ?? '';
  times = [timeAt(0), timeAt(0.31), timeAt(0.74), '2199-01-01'];
});
afterAll(() => database.drop());

const read = (period: {
  readonly wallet: string;
  from?: string | undefined;
  to?: string | undefined;
}) => readStatement({ pool: db, clock: openClock(db) }, period);

const minorOf = (text: string) => BigInt(text.replace('.', ''));

/** What a replay finds on the account, of the events that fit. */
function replay(asset: Asset, fits: (event: RecordedEvent) => boolean) {
  return events.filter(fits).flatMap(({ event, stream }) => {
    const minor = postings(event, parseStream(stream).id)
      .filter((leg) => leg.account === account && leg.asset === asset)
      .reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
    return minor === 0n ? [] : [{ type: movementTypeOf(event.type), minor }];
  });
}

const total = (moved: readonly { minor: bigint }[]) =>
  moved.reduce((sum, { minor }) => sum + minor, 0n);

test('every period reconciles, and equals a replay of the events in it', async () => {
  const periods = [undefined, ...times].flatMap((from, n) =>
    [...times.slice(n), undefined].map((to) => [from, to] as const),
  );
  for (const [from, to] of periods.filter(([from, to]) => from === undefined || from !== to)) {
    const statement = await read({ wallet, from, to });
    const isBefore = (time: string | undefined, { time: at }: RecordedEvent) =>
      time !== undefined && Date.parse(at) < Date.parse(time);
    const isIn = (one: RecordedEvent) =>
      !isBefore(from, one) && (to === undefined || isBefore(to, one));
    for (const asset of statement.assets) {
      const { terms } = asset;
      const [openingMinor, creditsMinor] = [minorOf(asset.opening), minorOf(asset.credits)];
      const [debitsMinor, closingMinor] = [minorOf(asset.debits), minorOf(asset.closing)];
      const label = `${from} to ${to}, ${asset.asset}`;
      expect(openingMinor + creditsMinor + debitsMinor, label).toBe(closingMinor);
      expect(openingMinor, label).toBe(total(replay(asset.asset, (one) => isBefore(from, one))));
      const moved = replay(asset.asset, isIn);
      expect(creditsMinor, label).toBe(total(moved.filter(({ minor }) => minor > 0n)));
      for (const { type, direction, amount, events: count } of terms) {
        const isOf = (one: { minor: bigint }) => one.minor > 0n === (direction === 'credit');
        const same = moved.filter((one) => one.type === type && isOf(one));
        const found = [toDecimal(asset.asset, total(same)), same.length];
        expect([amount, count], `${label}, ${type}`).toEqual(found);
      }
      expect(
        terms.reduce((sum, one) => sum + one.events, 0),
        label,
      ).toBe(moved.length);
    }
    const points = replay('points', isIn).filter(({ type }) => /^(bet|win|void)$/.test(type));
    expect(statement.play.net).toBe(toDecimal('points', total(points)));
    const paid = replay('token', (one) => to === undefined || isBefore(to, one));
    const of = (kind: string) => total(paid.filter(({ type }) => type === kind));
    expect(statement.lifetime).toEqual({
      deposited: toDecimal('token', of('deposit')),
      withdrawn: toDecimal('token', -of('withdraw')),
    });
  }
});

test('a period that is no time, or ends before it starts, is refused', async () => {
  for (const period of [
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { from: times[2], to: times[1] },
  ]) {
    await expect(read({ wallet, ...period })).rejects.toThrow(Refused);
  }
});

test('a wallet without events has an empty statement', async () => {
  const { assets, play, lifetime } = await read({ wallet: walletOf(9) });
  expect(assets.map(({ closing, terms }) => [closing, terms])).toEqual([
    ['0.00', []],
    ['0.000000000', []],
  ]);
  expect([play.bets, lifetime.deposited]).toEqual([0, '0.000000000']);
});

test('the CSV has every figure, and no cell that a spreadsheet executes', async () => {
  const csv = statementCsv(await read({ wallet }), '=HYPERLINK("x")');
  const rows = csv.trimEnd().split('\r\n');
  expect(rows[2]).toBe(`statement,,name,,,"'=HYPERLINK(""x"")"`);
  const amounts = (section: string, asset: string) =>
    rows
      .map((row) => row.split(','))
      .filter(([first, second]) => first === section && second === asset)
      .map((cells) => [cells[2], BigInt((cells[5] ?? '').replace('.', ''))] as const);
  for (const asset of ['points', 'token']) {
    const balance = Object.fromEntries(amounts('balance', asset));
    const moved = amounts('movement', asset).reduce((sum, [, minor]) => sum + minor, 0n);
    expect((balance.opening ?? 0n) + moved).toBe(balance.closing);
    expect(moved).not.toBe(0n);
  }
});
