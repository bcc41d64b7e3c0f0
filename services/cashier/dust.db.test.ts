/** Thousands of small transfers: one event a day lists those of strangers; players are credited without a notification. */
import { startExecutor } from '@reelbook/event-store/execute';
import { foldedState, readStream } from '@reelbook/event-store/read-stream';
import { games } from '@reelbook/games/rules';
import { DAY_MS, HOUR_MS } from '@reelbook/ledger/calendar';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM, playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { DUST_TRANSFERS_MAX } from '@reelbook/ledger/treasury/dust';
import type { DustReceived } from '@reelbook/ledger/treasury/events';
import { readMovement, readUnmatched } from '@reelbook/payments/movements';
import { openLog } from '@reelbook/runtime/log';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { type FakeClock, NOON, notOfFakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { createWallet } from '@reelbook/testing/wallets';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Dust, recordDust } from './classify.ts';
import type { CrashPoint } from './context.ts';
import { rescanAll } from './solvency.ts';

let bank: PayingSite;
let clock: FakeClock;
beforeEach(async () => {
  bank = await startPayingSite({
    async prepare(database) {
      clock = await openFakeClock(database);
      await clock.set(NOON);
    },
  });
});
afterEach(() => bank.close());

async function readTreasury() {
  const limit = 1_000;
  return readStream(bank.site.pool, { stream: TREASURY_STREAM, fromVersion: 1, limit });
}
const dustEvents = async (): Promise<readonly DustReceived['data'][]> =>
  (await readTreasury()).flatMap(({ event }) =>
    event.type === 'DustReceived' ? [event.data] : [],
  );
const listed = async () =>
  (await dustEvents()).flatMap(({ transfers }) => transfers.map(({ signature }) => signature));

/** Final together, so that one scan finds them all. @returns the signatures. */
async function sendDust(count: number, from = createWallet()): Promise<readonly string[]> {
  await bank.chain.fund(BSM, from);
  const sent: string[] = [];
  for (let n = 1; n <= count; n++) sent.push(await bank.chain.deposit(from, BigInt(n)));
  return sent;
}
const recordsOnce = (signatures: readonly string[]) =>
  bank.until(async () => expect((await listed()).toSorted()).toEqual(signatures.toSorted()));
const waits = (signatures: readonly string[]) =>
  bank.until(async () => {
    for (const signature of signatures) {
      expect(await readMovement(bank.site.pool, signature)).toMatchObject({
        kind: 'dust',
        recorded: false,
      });
    }
  });

/** Ledger, movements and chain agree: each transaction has one explanation, and nothing is in flight. */
async function expectExplained(): Promise<void> {
  const { tokenMinor } = await bank.chain.chain.treasury();
  await bank.until(async () => {
    const { inFlightMinor, onChainMinor, queues } = await bank.solvency();
    expect({ inFlightMinor, onChainMinor, unrecorded: queues.unrecorded }).toEqual({
      inFlightMinor: 0n,
      onChainMinor: tokenMinor,
      unrecorded: 0,
    });
  });
  const { report, compared } = await bank.audit();
  expect(report.findings.kept.filter(notOfFakeClock)).toEqual([]);
  expect(compared.unproven).toEqual([]);
}

test('dust of strangers is one event a day, and covers promises as the house’s own at once', async () => {
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  const { marginMinor } = await bank.solvency();
  const first = await sendDust(12);
  await recordsOnce(first);
  const rest = [...(await sendDust(9)), ...(await sendDust(9))];
  await waits(rest);
  await expectExplained();
  // 12 transfers of 1 to 12 units, and twice 9 of 1 to 9.
  expect((await bank.solvency()).marginMinor).toBe(marginMinor + 78n + 90n);
  await clock.forward(8 * HOUR_MS);
  await expectExplained();
  expect(await listed()).toHaveLength(first.length);
  await clock.forward(16 * HOUR_MS);
  await recordsOnce([...first, ...rest]);
  await expectExplained();
  expect((await bank.solvency()).marginMinor).toBe(marginMinor + 78n + 90n);
  const days = (await dustEvents()).map(({ day, amountMinor }) => ({ day, amountMinor }));
  const dayOf = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString().slice(0, 10);
  expect(days).toEqual([
    { day: dayOf(0), amountMinor: 78n },
    { day: dayOf(DAY_MS), amountMinor: 90n },
  ]);
  expect(await readUnmatched(bank.site.pool, { limit: 9 })).toEqual([]);
  // A lasting record of nothing: another walk over the list and a lost mark add no event.
  const { local } = bank.chain;
  const log = openLog({ name: 'cashier', level: 'silent' });
  await bank.site.pool.query('delete from treasury_movements where signature = $1', [first[0]]);
  await bank.site.pool.query('update treasury_movements set recorded = false');
  await rescanAll(bank.site.pool, { urls: local.urls, log });
  await bank.until(async () =>
    expect(await readMovement(bank.site.pool, first[0] ?? '')).toMatchObject({
      kind: 'dust',
      deltaMinor: 1n,
      recorded: true,
    }),
  );
  await expectExplained();
  expect(await dustEvents()).toHaveLength(2);
});

test('dust of a player is credited without a notification, also if its sender registers later', async () => {
  await bank.startCashier();
  await recordsOnce(await sendDust(1));
  const ann = await bank.player(9n * BSM);
  const notices = async () =>
    (await ann.call<{ unread_count: number }>('/user/notifications')).data.unread_count;
  const before = await notices();
  await bank.deposit(ann, 7n);
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(7n));
  expect(await notices()).toBe(before);
  await bank.deposit(ann, 2n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(2n * BSM + 7n));
  expect(await notices()).toBe(before + 1);
  const stranger = createWallet();
  const early = await sendDust(3, stranger);
  await waits(early);
  const late = await bank.site.login(stranger);
  await bank.until(async () => expect(await bank.balanceMinor(late)).toBe(6n));
  expect((await dustEvents()).length).toBe(1);
  const stream = playerStream(stranger.address);
  const events = await readStream(bank.site.pool, { stream, fromVersion: 1, limit: 99 });
  const credits = events.flatMap(({ event }) =>
    event.type === 'DepositCredited' ? [event.data.signature] : [],
  );
  expect(credits.toSorted()).toEqual(early.toSorted());
  await expectExplained();
});

const points: readonly CrashPoint[] = [
  'movement-found',
  'movement-added',
  'dust-appended',
  'dust-recorded',
];
test.each(points)('a cashier that ends at %s records dust once', async (point) => {
  const sent = await sendDust(3);
  let reached = false;
  const first = await bank.startCashier({
    at(one) {
      if (one !== point) return;
      reached = true;
      throw new Error('the end');
    },
  });
  await bank.until(() => expect(reached).toBe(true));
  await first.close();
  await bank.startCashier();
  const [more = ''] = await sendDust(1);
  await bank.until(async () => expect(await readMovement(bank.site.pool, more)).not.toBeNull());
  // Those that the first event of the day does not list.
  await clock.forward(DAY_MS);
  await recordsOnce([...sent, more]);
  await expectExplained();
});

test('a changed row makes no dust of a deposit and no deposit of dust', async () => {
  const { pool } = bank.site;
  const first = await bank.startCashier();
  await recordsOnce(await sendDust(1));
  const thief = await bank.player(0n);
  const dust = await sendDust(4);
  await waits(dust);
  const ann = await bank.player(9n * BSM);
  await first.close();
  const [one, two, three] = dust;
  const change = (text: string, values: unknown[]) => pool.query(text, values);
  await change(
    `update treasury_movements set kind = 'deposit', sender = $2, delta = 900 where signature = $1`,
    [one, thief.wallet.address],
  );
  await change('update treasury_movements set recorded = true where signature = $1', [two]);
  await change(`update treasury_movements set kind = 'unmatched' where signature = $1`, [three]);
  const { tokenAccount } = await bank.chain.chain.terms();
  const invented = bs58.encode(Buffer.alloc(64, 9));
  await change(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, recorded)
      values ($1, $2, 1, 9, 'dust', false)`,
    [tokenAccount, invented],
  );
  const deposit = await bank.deposit(ann, 3n * BSM);
  await change(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, recorded)
      values ($1, $2, 1, 9, 'dust', false)`,
    [tokenAccount, deposit],
  );
  await bank.startCashier();
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(3n * BSM));
  await waits(dust);
  await clock.forward(DAY_MS);
  await bank.until(async () => expect((await dustEvents()).at(1)?.amountMinor).toBe(10n));
  expect((await listed()).slice(1).toSorted()).toEqual(dust.toSorted());
  expect(await bank.balanceMinor(thief)).toBe(0n);
  await change('delete from treasury_movements where signature = $1', [invented]);
  await expectExplained();
});

test('dust above a lowered bound goes to the operators', async () => {
  await bank.startCashier();
  await recordsOnce(await sendDust(1));
  const dust = await sendDust(3);
  await waits(dust);
  await configure({ dustBelowTokenMinor: 3n });
  await clock.forward(DAY_MS);
  await bank.until(async () => expect((await dustEvents()).at(1)?.amountMinor).toBe(3n));
  await bank.until(async () =>
    expect(await readUnmatched(bank.site.pool, { limit: 9 })).toMatchObject([
      { signature: dust[2], deltaMinor: 3n },
    ]),
  );
  await expectExplained();
});

async function configure(part: Partial<Config['deposit']>): Promise<void> {
  const executor = startExecutor({ pool: bank.site.pool });
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: 'test:config',
    request: null,
    meta: { correlation: 'test', actor: 'system:config-command' },
    async prepare({ config }) {
      const before = config as Config;
      const changed = { ...before, deposit: { ...before.deposit, ...part } };
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const by = { reason: 'test', knownRules, by: 'system:config-command', adminsEver: 0 };
      const command = { type: 'ChangeConfig' as const, config: changed, ...by };
      return { command, configVersion: null };
    },
  });
  await executor.close();
  expect(executed.kind).toBe('done');
}

test('two cashiers record thousands of transfers once, in few events and a bounded state', async () => {
  const { pool } = bank.site;
  const terms = await bank.chain.chain.terms();
  const log = openLog({ name: 'cashier', level: 'silent' });
  const working = () => {
    const executor = startExecutor({ pool });
    return { pool, terms, log, executor, hold: async () => {}, at: () => {} };
  };
  const names = Array.from({ length: 4 * DUST_TRANSFERS_MAX }, (_, n) => {
    const bytes = Buffer.alloc(64, 7);
    bytes.writeUInt32BE(n);
    return bs58.encode(bytes);
  });
  const dustOf = (list: readonly string[]): Dust =>
    new Map(
      list.map((signature) => [signature, { signature, slot: 1, amountMinor: 2n, sender: null }]),
    );
  const [one, two] = [working(), working()];
  const half = DUST_TRANSFERS_MAX / 2;
  const size = async () => {
    const { state } = await foldedState(pool, treasuryDecider, TREASURY_STREAM);
    return JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      .length;
  };
  await recordDust(one, dustOf(names.slice(-1)));
  const before = await size();
  // Each has half of the other's; what is left waits for the next day.
  for (let at = 0; at < 3 * DUST_TRANSFERS_MAX; at += DUST_TRANSFERS_MAX) {
    const own = names.slice(at, at + DUST_TRANSFERS_MAX);
    const other = names.slice(at + half, at + DUST_TRANSFERS_MAX + half);
    await Promise.all([recordDust(one, dustOf(own)), recordDust(two, dustOf(other))]);
  }
  const recorded = await listed();
  expect(new Set(recorded).size).toBe(recorded.length);
  const full = (await dustEvents()).slice(1).map(({ transfers }) => transfers.length);
  expect(full.every((count) => count === DUST_TRANSFERS_MAX)).toBe(true);
  expect(full.length).toBeGreaterThanOrEqual(1);
  expect(await size()).toBe(before);
  await one.executor.close();
  await two.executor.close();
});
