import { randomBytes } from 'node:crypto';
import { addMovement, type Movement, readMovement } from '@reelbook/payments/movements';
import { settleReport } from '@reelbook/payments/reports';
import { searchPlayers } from '@reelbook/projections/entries/read';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createWallet } from '@reelbook/testing/wallets';
import bs58 from 'bs58';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';
import { findAnything } from './reads/find.ts';

type Deposit = AdminData<'deposits'>['deposits'][number];

const reason = 'papers are in order';
const anySignature = () => bs58.encode(randomBytes(64));

let bank: PaymentReview;
let by: TestOperator;
let anna: TestPlayer;
let bert: TestPlayer;
let stranger: ReturnType<typeof createWallet>;
/** Of an unmatched deposit, by its signature. */
const senders = new Map<string, string>();
let number: number;
/** Signatures by what became of them. */
const of = {
  credited: '',
  toPlayer: '',
  toHouse: '',
  unmatched: '',
  pending: anySignature(),
  failed: anySignature(),
  seen: anySignature(),
  unread: anySignature(),
  dust: anySignature(),
};
/** In the list, newest first: the order in which `beforeAll` makes them. */
let order: string[];

beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
  const cashier = await bank.startCashier();
  by = bank.admin.by.operator;
  anna = await bank.player(20n * BSM);
  bert = await bank.player(BSM);
  for (const [player, nickname] of [
    [anna, 'Anna of Ulm'],
    [bert, '777'],
  ] as const) {
    const body = { nickname };
    expect((await player.call('/user/profile', { method: 'PUT', body })).status).toBe(200);
  }
  of.credited = await bank.deposit(anna, 20n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(anna)).toBe(20n * BSM));
  const unmatchedOf = async (amount: bigint) => {
    stranger = createWallet();
    await bank.chain.fund(amount, stranger);
    const signature = await bank.chain.deposit(stranger, amount);
    senders.set(signature, stranger.address);
    await bank.until(async () =>
      expect((await list('state=unmatched')).map((one) => one.signature)).toContain(signature),
    );
    return signature;
  };
  const resolve = (signature: string, to: string) =>
    by.call<{ proposal: number }>(`/admin/unmatched-deposits/${signature}/resolve`, {
      body: { to, reason },
    });
  of.toHouse = await unmatchedOf(4n * BSM);
  expect((await resolve(of.toHouse, 'house')).status).toBe(200);
  of.toPlayer = await unmatchedOf(3n * BSM);
  const proposed = await resolve(of.toPlayer, `player:${bert.wallet.address}`);
  number = proposed.data.proposal;
  await bank.admin.approve(number);
  await bank.until(async () => expect(await bank.balanceMinor(bert)).toBe(3n * BSM));
  of.unmatched = await unmatchedOf(5n * BSM);
  // What the working tables get from here on is not looked up.
  await cashier.close();
  const tokenAccount = (await readMovement(bank.site.pool, of.credited))?.tokenAccount ?? '';
  const report = async (player: TestPlayer, hash: string, amount: number) => {
    const body = { amount, tx_hash: hash };
    expect((await player.call('/transaction/deposit', { body })).status).toBe(200);
  };
  await report(anna, of.pending, 6);
  await report(bert, of.failed, 7);
  const failed = { wallet: bert.wallet.address, signature: of.failed };
  await settleReport(bank.site.pool, failed, { status: 'failed', fault: 'wrong-mint' });
  const moved = { tokenAccount, slot: 1, sender: anna.wallet.address, recorded: false } as const;
  const move = (movement: Pick<Movement, 'signature' | 'deltaMinor' | 'kind' | 'reason'>) =>
    addMovement(bank.site.pool, { ...moved, ...movement });
  const waits = { signature: of.seen, deltaMinor: 8n * BSM, reason: 'one-provider' };
  await move({ ...waits, kind: 'deposit' });
  await move({ signature: of.unread, deltaMinor: 0n, kind: 'unread', reason: null });
  await move({ signature: of.dust, deltaMinor: 9n, kind: 'dust', reason: null });
  await untilCaughtUp(bank.site.pool);
  order = [of.unread, of.seen, of.failed, of.pending];
  order.push(of.unmatched, of.toPlayer, of.toHouse, of.credited);
});
afterAll(() => bank?.close());

const page = async (query: string) => {
  const { status, message, data } = await by.call<AdminData<'deposits'>>(
    `/admin/deposits?${query}`,
  );
  expect(status, message).toBe(200);
  return data;
};
const list = async (query: string): Promise<readonly Deposit[]> => (await page(query)).deposits;
const found = async (q: string) =>
  (await list(`q=${encodeURIComponent(q)}`)).map(({ signature }) => signature);

test('a deposit is listed once, newest first, whatever state it is in', async () => {
  const all = await list('');
  expect(all.map(({ signature }) => signature)).toEqual(order);
  const [anna_, bert_] = [anna, bert].map(({ wallet }) => ({ wallet: wallet.address }));
  const operator = `operator:${by.wallet.address}`;
  expect(all).toMatchObject([
    { state: 'pending', amount: null, events: [], reason: 'seen', attempts: 0, player: anna_ },
    { state: 'pending', amount: { minor: String(8n * BSM) }, events: [], reason: 'one-provider' },
    { state: 'failed', player: bert_, events: [], reason: 'wrong-mint' },
    { state: 'pending', player: anna_, events: [], attempts: 0 },
    { state: 'unmatched', player: null, wallet: stranger.address, reason: 'no-such-player' },
    {
      state: 'resolved',
      player: bert_,
      reason,
      resolution: { by: expect.any(String), to: `player:${bert.wallet.address}`, proposal: number },
    },
    { state: 'resolved', player: null, resolution: { by: operator, to: 'house', proposal: null } },
    { state: 'credited', player: anna_, amount: { minor: String(20n * BSM) }, resolution: null },
  ]);
  // The events of each: its arrival, its resolution and its credit.
  expect(all.map(({ events }) => events.length)).toEqual([0, 0, 0, 0, 1, 3, 2, 1]);
});

test.each([1, 2, 3, 7])('pages of %d rows have every deposit once', async (limit) => {
  const seen: string[] = [];
  for (let before = ''; seen.length <= order.length; ) {
    const { deposits, next } = await page(`limit=${limit}${before}`);
    seen.push(...deposits.map(({ signature }) => signature));
    if (next === null) break;
    before = `&before=${encodeURIComponent(next)}`;
  }
  expect(seen).toEqual(order);
});

test('a state selects', async () => {
  const by = async (state: string) =>
    (await list(`state=${state}`)).map(({ signature }) => signature);
  expect(await by('credited')).toEqual([of.credited]);
  expect(await by('pending')).toEqual([of.unread, of.seen, of.pending]);
  expect(await by('unmatched')).toEqual([of.unmatched]);
  expect(await by('resolved')).toEqual([of.toPlayer, of.toHouse]);
  expect(await by('failed')).toEqual([of.failed]);
});

test('one search finds a deposit by player, transaction, amount and day', async () => {
  const { address } = anna.wallet;
  const [start, end] = [address.slice(0, 4), address.slice(-4)];
  const ofAnna = [of.unread, of.seen, of.pending, of.credited];
  for (const text of ['anna', 'ANNA of', address, `${start}…${end}`, `${start}...${end}`, end]) {
    expect([text, await found(text)]).toEqual([text, ofAnna]);
  }
  // A nickname of digits, and no amount.
  expect(await found('777')).toEqual([of.failed, of.toPlayer]);
  // Also of those that are resolved.
  for (const [signature, sender] of senders) {
    for (const text of [sender, sender.slice(-5)]) {
      expect([text, await found(text)]).toEqual([text, [signature]]);
    }
  }
  expect(senders.size).toBe(3);
  for (const signature of [...order, of.dust]) {
    const [start, end] = [signature.slice(0, 8), signature.slice(-8)];
    for (const text of [signature, start, end, `…${end}`, `${start}…${end}`, `${start}...`]) {
      expect([text, await found(text)]).toEqual([text, [signature]]);
    }
  }
  expect(await list(`q=${of.dust}`)).toMatchObject([{ state: 'dust', amount: { minor: '9' } }]);
  for (const text of ['20', '20.00', '20 BSM', '20bsm']) {
    expect([text, await found(text)]).toEqual([text, [of.credited]]);
  }
  expect(await found('4 BSM')).toEqual([of.toHouse]);
  expect(await found('8 bsm')).toEqual([of.seen]);
  const today = (await list(''))[0]?.at.slice(0, 10) ?? '';
  const days = new Set((await list('')).map(({ at }) => at.slice(0, 10)));
  // All of one day, unless the test ran over midnight.
  if (days.size === 1) expect(await found(today)).toEqual(order);
  expect(await found('2020-01-01')).toEqual([]);
  expect(await found(`anna 6 BSM ${today}`)).toEqual([of.pending]);
  expect(await found('anna 6 BSM 2020-01-01')).toEqual([]);
  expect(await found('bert 6 BSM')).toEqual([]);
  for (const nothing of ['%', '_', '99999999999999999999', '1e5', "'", 'x'.repeat(200)]) {
    expect([nothing, await found(nothing)]).toEqual([nothing, []]);
  }
});

test('an amount is the one that was typed, or refused', async () => {
  const { pool } = bank.site;
  const amount = async (minor: string) =>
    pool.query('update deposit_reports set amount = $2 where signature = $1', [of.pending, minor]);
  await amount('12345678123456789');
  for (const text of [
    '12345678.123456789',
    '12,345,678.123456789 BSM',
    'anna 12345678.123456789 BSM',
  ]) {
    expect([text, await found(text)]).toEqual([text, [of.pending]]);
  }
  await amount('15000000000');
  expect(await found('15 BSM')).toEqual([of.pending]);
  expect(await found('1,5')).toEqual([]);
  for (const text of ['1,5 BSM', 'anna 1,5 BSM', '15.0000000001 BSM', '99999999999999999999 BSM']) {
    const { status, message } = await by.call(`/admin/deposits?q=${encodeURIComponent(text)}`);
    expect([status, message]).toEqual([400, expect.stringMatching(/ is not an amount of BSM$/)]);
  }
  await amount(String(6n * BSM));
});

test('a text that many players match is refused, not answered by some of them', async () => {
  const projector = bank.site.database.pool('owner', 1);
  const add = (from: number, to: number) =>
    projector.query(
      `insert into projections.entries_players_v1 (player, wallet, public_id)
        select 1000000 + n, 'wallet-' || n, 'many-' || n from generate_series($1::int, $2) as n`,
      [from, to],
    );
  await add(1, 199);
  expect(await found('many-')).toEqual([]);
  await add(200, 200);
  const { status, message } = await by.call('/admin/deposits?q=many-');
  expect([status, message]).toEqual([400, expect.stringContaining('200 or more players match')]);
  expect(await found('many-200')).toEqual([]);
  await projector.query("delete from projections.entries_players_v1 where public_id like 'many-%'");
});

test('the days count what players got, and apart from it what is unmatched', async () => {
  const { data } = await by.call<AdminData<'revenue'>>('/admin/house/revenue');
  const { deposits, unmatched, adjustments } = data.total.token;
  expect([deposits.minor, unmatched.minor, adjustments.minor]).toEqual(
    [23n, 5n, 4n].map((bsm) => String(bsm * BSM)),
  );
  const { data: solvency } = await by.call<AdminData<'solvency'>>('/admin/house/solvency');
  const line = (name: string) =>
    solvency.lines.find((one) => one.line === name && one.balance.asset === 'token')?.balance;
  expect(line('unmatched')).toEqual(unmatched);
  // Nothing was paid: all that arrived.
  expect(line('chain')?.minor).toBe(String(-32n * BSM));
  const day = await by.call<AdminData<'today'>>('/admin/house/today');
  if (data.rows.length === 1) expect(day.data.token).toEqual(data.total.token);
});

test('pending deposits are counted as they are listed, without what leaves the treasury', async () => {
  const { pool } = bank.site;
  const count = async () => {
    const { data } = await by.call<AdminData<'solvency'>>('/admin/house/solvency');
    const { pending, oldest_pending_s: oldestS } = data.queues;
    expect(pending).toBe((await list('state=pending')).length);
    return { pending, oldestS };
  };
  expect((await count()).pending).toBe(3);
  const tokenAccount = (await readMovement(pool, of.credited))?.tokenAccount ?? '';
  const left = { tokenAccount, slot: 1, sender: null, recorded: false, reason: null } as const;
  const signature = bs58.encode(randomBytes(64));
  await addMovement(pool, { ...left, signature, deltaMinor: -BSM, kind: 'other' });
  const age = (seconds: number) =>
    pool.query(
      "update deposit_reports set reported_at = reported_at - $2 * interval '1 s' where signature = $1",
      [of.pending, seconds],
    );
  await age(3_600);
  const aged = await count();
  expect(aged.pending).toBe(3);
  expect(aged.oldestS).toBeGreaterThanOrEqual(3_600);
  await age(-3_600);
  await pool.query('delete from treasury_movements where signature = $1', [signature]);
});

test('a past day and an invalid page are answered or refused, not failed', async () => {
  for (const before of ['x', '||', '|2026-13-01|a', '1|x|y', "5|2026-01-01T00:00:00Z'|a"]) {
    const { status } = await by.call(`/admin/deposits?before=${encodeURIComponent(before)}`);
    expect([before, status]).toEqual([before, before === '||' ? 200 : 400]);
  }
  expect(await found('2026-02-30')).toEqual([]);
});

test('a row of the working tables adds no second one to a deposit of the ledger', async () => {
  const { pool } = bank.site;
  await pool.query(
    `insert into deposit_reports (wallet, signature, amount, status) values ($1, $2, 1, 'pending')`,
    [bert.wallet.address, of.credited],
  );
  const rows = await list(`q=${of.credited}`);
  expect(rows).toMatchObject([{ state: 'credited', player: { wallet: anna.wallet.address } }]);
  await pool.query('delete from deposit_reports where signature = $1', [of.credited]);
});

test('the search line suggests a deposit by the start or end of its transaction, and a player by the end of a wallet', async () => {
  const { pool } = bank.site;
  const kinds = async (text: string) => (await findAnything(pool, text)).map(({ kind }) => kind);
  for (const signature of [of.credited, of.unmatched]) {
    const filter = { signature };
    const [start, end] = [signature.slice(0, 8), signature.slice(-8)];
    for (const text of [signature, start, end, `…${end}`, `${signature[0]}…${end}`]) {
      const [deposit, events] = await findAnything(pool, text);
      expect([text, deposit, events]).toMatchObject([
        text,
        { kind: 'deposit', filter },
        { kind: 'signature', filter },
      ]);
    }
    const other = signature.at(-9) === '1' ? '2' : '1';
    for (const text of [start.slice(1), end.slice(1), other + end, `${start}…${other}${end}`]) {
      expect([text, await kinds(text)]).toEqual([text, []]);
    }
  }
  // Only in a working table: a deposit without events.
  for (const text of [of.pending.slice(0, 8), of.pending.slice(-8)]) {
    expect([text, await kinds(text)]).toEqual([text, ['deposit']]);
  }
  const { address } = anna.wallet;
  const ends = [address.slice(-4), address.slice(-9), `…${address.slice(-4)}`];
  for (const text of [...ends, `${address.slice(0, 4)}...${address.slice(-4)}`, address]) {
    expect([text, await findAnything(pool, text)]).toMatchObject([
      text,
      [{ kind: 'player', wallet: address }],
    ]);
  }
  expect(await kinds(`${address.slice(0, 4)}…${bert.wallet.address.slice(-4)}`)).toEqual([]);
  expect(await kinds('…')).toEqual([]);
});

test('each part of a search has an index', async () => {
  const own = bank.site.database.pool('app', 1);
  const plans: string[] = [];
  // As in large tables, where an index without a condition is never the cheapest. Autovacuum may have analyzed them, or not yet.
  for (const scan of ['seqscan', 'indexscan', 'indexonlyscan']) {
    await own.query(`set enable_${scan} = off`);
  }
  await own.query('set cpu_index_tuple_cost = 1000');
  await bank.site.database.pool('owner').query('analyze');
  const explained = {
    async query({ text, values }: pg.QueryConfig) {
      const { rows } = await own.query({ text: `explain ${text}`, values: values ?? [] });
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return own.query({ text, values: values ?? [] });
    },
  } as unknown as pg.Pool;
  await findAnything(explained, of.credited.slice(0, 8));
  await searchPlayers(explained, { beginning: anna.wallet.address.slice(-4), limit: 10 });
  const all = plans.join('\n');
  expect(all).not.toMatch(/Seq Scan on/);
  for (const index of [
    'entries_v1_signature_start',
    'entries_v1_signature_end',
    'entries_players_v1_wallet_end',
    'deposit_reports_signature',
    'deposit_reports_signature_end',
    'treasury_movements_signature',
    'treasury_movements_signature_end',
  ]) {
    const after = all.slice(all.indexOf(index));
    expect([index, after.slice(0, after.indexOf('Filter')).includes('Index Cond')]).toEqual([
      index,
      true,
    ]);
  }
});
