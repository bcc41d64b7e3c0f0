/** One of two nodes that lies about payments: it alone ends nothing. */
import { sealDue } from '@reelbook/auditor/seal';
import { startExecutor } from '@reelbook/event-store/execute';
import { deny } from '@reelbook/payments/operator-actions';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { Chain } from '@reelbook/solana/rpc';
import { type RpcCall, type RpcProxy, startRpcProxy } from '@reelbook/testing/rpc-proxy';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CrashPoint } from './context.ts';

interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
}

let bank: PayingSite;
const proxies: RpcProxy[] = [];
beforeEach(async () => {
  bank = await startPayingSite();
});
afterEach(async () => {
  await bank.close();
  for (const proxy of proxies.splice(0)) proxy.close();
});

/** A chain of two providers, the first of which answers `lie`. `kept` has what it accepts and forwards nowhere. */
async function twoNodes(lie: (call: RpcCall, honest: Answer) => Answer) {
  const target = bank.chain.local.url;
  const state = { lies: false, asked: 0, kept: [] as string[] };
  const one = await startRpcProxy(target, (call, honest: Answer) => {
    if (!state.lies) return honest;
    state.asked++;
    return lie(call, honest);
  });
  const two = await startRpcProxy(target, (_, honest) => honest);
  proxies.push(one, two);
  const chain = bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
  const send: Chain['send'] = async (bytes) => {
    if (!state.lies) return chain.send(bytes);
    if (!state.kept.includes(bytes)) state.kept.push(bytes);
    // A block passes, which is not final yet.
    bank.chain.local.advance(1);
    return { kind: 'taken' };
  };
  return { state, chain, keeping: { ...chain, send } };
}

const statusOf = (err: unknown) => (call: RpcCall, honest: Answer) => {
  if (call.method !== 'getSignatureStatuses') return honest;
  const { context, value } = honest.result as { context: { slot: number }; value: unknown[] };
  if (value[0] !== null) return honest;
  const status = err === null ? { Ok: null } : { Err: err };
  const seen = {
    slot: context.slot,
    confirmations: null,
    err,
    status,
    confirmationStatus: 'finalized',
  };
  return { result: { context, value: [seen] } };
};

/** What the bad node kept reaches the chain. */
async function forward(kept: readonly string[]): Promise<void> {
  for (const bytes of kept) await bank.chain.chain.send(bytes);
  bank.chain.finalize();
}

/** 100 BSM less 50 deposited, and a withdrawal of 5 less its fee. */
const PAID_ONCE = 54_750_000_000n;

const walletOf = async (wallet: string) => (await bank.chain.chain.walletBalance(wallet)) ?? 0n;

/** Where two sends are dropped, no block passes until the third has landed: it cannot expire. */
function countSends(chain: Chain) {
  const count = { sent: 0 };
  const send: Chain['send'] = async (bytes) => {
    const answer = await chain.send(bytes);
    count.sent++;
    return answer;
  };
  return { count, counting: { ...chain, send } };
}

/** Some rounds of the cashier after the node lied. */
const lied = (state: { readonly asked: number }) =>
  vi.waitFor(() => expect(state.asked).toBeGreaterThan(30), WAIT);

test.each([
  ['1', () => 1],
  ['the current height', (height: number) => height],
  ['the height in 99 blocks', (height: number) => height + 99],
  ['a height that never comes', () => 2 ** 50],
])('a blockhash that it calls valid until %s signs no payment', async (_what, heightOf) => {
  const { state, keeping } = await twoNodes((call, honest) => {
    if (call.method !== 'getLatestBlockhash') return honest;
    const result = structuredClone(honest.result) as {
      context: { slot: number };
      value: { lastValidBlockHeight: number };
    };
    result.value.lastValidBlockHeight = heightOf(result.value.lastValidBlockHeight - 150);
    return { result };
  });
  await bank.startCashier({ chain: keeping });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  state.lies = true;
  const id = await bank.withdraw(ann, 5);
  // The other node's blockhash is signed, once.
  await bank.reaches(id, 'signed');
  await lied(state);
  await forward(state.kept);
  expect(state.kept).toHaveLength(1);
  expect(await walletOf(ann.wallet.address)).toBe(PAID_ONCE);
});

test.each([
  ['of the past', () => 1],
  ['of the future', (slot: number) => slot + 9_000],
])('a slot %s that it makes up is not that of a signing', async (_what, slotOf) => {
  bank.chain.local.advance(1_000);
  const { state, chain } = await twoNodes((call, honest) => {
    if (call.method !== 'getLatestBlockhash') return honest;
    const result = structuredClone(honest.result) as { context: { slot: number } };
    result.context.slot = slotOf(result.context.slot);
    return { result };
  });
  await bank.startCashier({ chain });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  const { slot: before } = await bank.chain.chain.treasury();
  state.lies = true;
  await bank.reaches(await bank.withdraw(ann, 5), 'finalized');
  const { rows } = await bank.site.pool.query(
    `select (body->'data'->>'slot')::int8 as slot from events where type = 'WithdrawalSigned'`,
  );
  const { slot: after } = await bank.chain.chain.treasury();
  expect(rows).toHaveLength(1);
  expect(rows[0].slot).toBeGreaterThan(before - 300);
  expect(rows[0].slot).toBeLessThanOrEqual(after);
});

test('an observation and a deposit at a slot that it made up do not end later ones', async () => {
  const future = 9 * 10 ** 15;
  const { state, chain } = await twoNodes(({ method }, honest) => {
    const result = structuredClone(honest.result);
    if (method === 'getMultipleAccounts') {
      (result as { context: { slot: number } }).context.slot = future;
    } else if (method === 'getSignaturesForAddress') {
      for (const one of result as { slot: number }[]) one.slot = future;
    } else return honest;
    return { result };
  });
  await bank.startCashier({ chain });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 5n * BSM);
  state.lies = true;
  await bank.deposit(ann, 6n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(11n * BSM));
  const newest = async () => {
    const { rows } = await bank.site.pool.query(
      `select body->'data'->>'slot' as slot, body->'data'->>'tokenMinor' as minor from events
        where type = 'TreasuryObserved' order by position desc limit 1`,
    );
    return rows[0];
  };
  await bank.until(async () => expect((await newest()).slot).toBe(String(future)));
  state.lies = false;
  await bank.deposit(ann, 7n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(18n * BSM));
  const { tokenMinor } = await bank.chain.chain.treasury();
  await bank.until(async () => expect((await newest()).minor).toBe(String(tokenMinor)));
  const { rows } = await bank.site.pool.query('select reached_slot from treasury_scans');
  expect(rows[0].reached_slot).toBeLessThan(future);
});

test('a payment that it alone calls final is sent by the other one', async () => {
  const { state, chain } = await twoNodes(statusOf(null));
  const { count, counting } = countSends(chain);
  await bank.startCashier({ chain: counting });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  bank.chain.local.faults.dropSends(2);
  state.lies = true;
  const id = await bank.withdraw(ann, 5);
  await vi.waitFor(() => expect(count.sent).toBeGreaterThan(2), WAIT);
  await bank.reaches(id, 'finalized');
  expect(await walletOf(ann.wallet.address)).toBe(PAID_ONCE);
});

test('a payment that it alone calls failed is not returned while it can land', async () => {
  const { state, keeping } = await twoNodes(statusOf({ InstructionError: [3, { Custom: 1 }] }));
  await bank.startCashier({ chain: keeping });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  state.lies = true;
  const id = await bank.withdraw(ann, 5);
  await bank.reaches(id, 'signed');
  await lied(state);
  const executor = startExecutor({ pool: bank.site.pool });
  const act = { by: OPERATORS.anna, reason: 'failed on the chain', key: 'x', correlation: 'test' };
  expect(await deny({ pool: bank.site.pool, executor }, id, act)).toMatchObject({ rejected: {} });
  await executor.close();
  await forward(state.kept);
  state.lies = false;
  await bank.reaches(id, 'finalized');
});

test.each([
  ['calls final is sent by the other one', statusOf(null)],
  [
    'calls expired is not replaced',
    ({ method, params: [first] }: RpcCall, honest: Answer) => {
      const { commitment } = (first ?? {}) as { commitment?: string };
      if (method !== 'getEpochInfo' || commitment !== 'finalized') return honest;
      const result = structuredClone(honest.result) as { blockHeight: number };
      result.blockHeight += 10_000;
      return { result };
    },
  ],
])('a memo that it alone %s', async (_what, lie) => {
  const { state, chain } = await twoNodes(lie);
  let signed = 0;
  const at = (point: CrashPoint) => {
    if (point === 'memo-signed') signed++;
  };
  const executor = startExecutor({ pool: bank.site.pool });
  await bank.player(10n * BSM);
  const terms = { everyEvents: 16_384, everyMs: 0 };
  expect(await sealDue({ pool: bank.site.pool, executor, terms })).not.toBeNull();
  await executor.close();
  bank.chain.local.faults.dropSends(2);
  state.lies = true;
  const { count, counting } = countSends(chain);
  await bank.startCashier({ chain: counting, anchorEveryMs: 0, at });
  await vi.waitFor(() => expect(count.sent).toBeGreaterThan(2), WAIT);
  await bank.until(async () => {
    const { rowCount } = await bank.site.pool.query(
      "select from events where type = 'SealAnchored'",
    );
    expect(rowCount).toBe(1);
  });
  expect(signed).toBe(1);
  const { messages } = await bank.audit();
  expect(messages).toEqual([]);
});

test('a deposit that it hides by answering as of an old slot is found by the other one', async () => {
  const kept = new Map<string, Answer>();
  const { state, chain } = await twoNodes(({ method, params }, honest) => {
    if (method === 'getSignaturesForAddress') return { result: [] };
    if (method !== 'getMultipleAccounts' && method !== 'getEpochInfo') return honest;
    const key = JSON.stringify([method, params]);
    if (!kept.has(key)) kept.set(key, honest);
    return kept.get(key) ?? honest;
  });
  const cashier = await bank.startCashier({ chain });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 5n * BSM);
  state.lies = true;
  await bank.deposit(ann, 6n * BSM);
  for (let round = 0; round < 61; round++) await cashier.round();
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(11n * BSM));
});
