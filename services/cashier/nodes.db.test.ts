/** Nodes that lie, lack or cannot give a transaction, and working tables that someone changed. */
import { readHolds } from '@reelbook/payments/holds';
import { measureSolvency } from '@reelbook/payments/metrics';
import {
  type Movement,
  openScan,
  readMovement,
  readScan,
  readUnmatched,
} from '@reelbook/payments/movements';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import type { Chain } from '@reelbook/solana/rpc';
import { type RpcCall, type RpcProxy, startRpcProxy } from '@reelbook/testing/rpc-proxy';
import { runInProcess } from '@reelbook/testing/run-program';
import { createWallet } from '@reelbook/testing/wallets';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';
import { measureCashier } from './metrics.ts';
import type { RunningCashier } from './start.ts';

type Answer = { result?: unknown; error?: unknown };
type Change = (call: RpcCall, honest: Answer) => Answer | Promise<Answer>;

let bank: PayingSite;
const proxies: RpcProxy[] = [];
beforeEach(async () => {
  bank = await startPayingSite();
});
afterEach(async () => {
  await bank.close();
  for (const proxy of proxies.splice(0)) proxy.close();
});

/** Two nodes of two providers in front of the honest chain. */
async function nodes(first: Change, second: Change = (_, honest) => honest): Promise<Chain> {
  const target = bank.chain.local.url;
  const [one, two] = [await startRpcProxy(target, first), await startRpcProxy(target, second)];
  proxies.push(one, two);
  return bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
}

const isAbout = ({ method, params }: RpcCall, signatures: ReadonlySet<string>) =>
  method === 'getTransaction' && signatures.has(String(params[0]));

const credited = (player: TestPlayer, minor: bigint) =>
  bank.until(async () => expect(await bank.balanceMinor(player)).toBe(minor));

const TOO_NEW = {
  error: {
    code: -32015,
    message: 'Transaction version (1) is not supported by the requesting client.',
  },
};
/** As a node returns it: to a request that accepts version 1, with the configuration of that version. */
const asVersion1 = ({ params }: RpcCall, honest: Answer): Answer => {
  const { maxSupportedTransactionVersion: max = 0 } = params[1] as Record<string, number>;
  if (max < 1 || typeof honest.result !== 'object' || honest.result === null) return TOO_NEW;
  const result = structuredClone(honest.result) as {
    version: unknown;
    transaction: { message: Record<string, unknown> };
  };
  result.version = 1;
  result.transaction.message.transactionConfig = {
    ...{ computeUnitLimit: null, heapSize: null },
    ...{ loadedAccountsDataSizeLimit: null, priorityFee: null },
  };
  return { result };
};

test('deposits and dust in version 1 transactions are read', async () => {
  const v1 = new Set<string>();
  const change: Change = (call, honest) => (isAbout(call, v1) ? asVersion1(call, honest) : honest);
  await bank.startCashier({ chain: await nodes(change, change) });
  const [ann, bert] = [await bank.player(9n * BSM), await bank.player(9n * BSM)];
  const stranger = createWallet();
  await bank.chain.fund(BSM, stranger);
  const dust = await bank.chain.deposit(stranger, 1n);
  v1.add(dust);
  v1.add(await bank.chain.deposit(ann.wallet, 4n * BSM));
  bank.chain.finalize();
  await bank.deposit(bert, 5n * BSM);
  await credited(bert, 5n * BSM);
  await credited(ann, 4n * BSM);
  await bank.until(async () =>
    expect(await readMovement(bank.site.pool, dust)).toMatchObject({ deltaMinor: 1n }),
  );
  await bank.expectIntact();
});

test('a transaction that no node can give is set aside, measured, retried, and not lost', async () => {
  const unknown = new Set<string>();
  const change: Change = (call, honest) => (isAbout(call, unknown) ? TOO_NEW : honest);
  const chain = await nodes(change, change);
  const first = await bank.startCashier({ chain });
  const [ann, bert] = [await bank.player(9n * BSM), await bank.player(9n * BSM)];
  const late = await bank.chain.deposit(ann.wallet, 4n * BSM);
  unknown.add(late);
  bank.chain.finalize();
  await bank.deposit(bert, 5n * BSM);
  await credited(bert, 5n * BSM);
  expect(await readMovement(bank.site.pool, late)).toMatchObject({ kind: 'unread' });
  const report = { amount: 4, tx_hash: late };
  expect(await ann.call('/transaction/deposit', { body: report })).toMatchObject({ status: 200 });
  const listed = async () =>
    (await ann.call<{ items: { description: string }[] }>('/user/transactions')).data.items;
  await bank.until(async () =>
    expect((await listed()).map(({ description }) => description).join()).toContain(
      'do not all confirm it yet',
    ),
  );
  await bank.until(async () => {
    await bank.site.pool.query(`update treasury_movements set seen_at = seen_at - interval '2 minutes'
      where kind = 'unread'`);
    expect(await metricsOf(first)).toContain(
      'reelbook_waiting_payments{kind="transaction",reason="unreadable",service="cashier"} 1',
    );
  });
  await first.close();
  unknown.clear();
  await bank.startCashier({ chain });
  await credited(ann, 4n * BSM);
  await bank.expectIntact();
});

async function metricsOf({ status, mismatch, figures }: RunningCashier): Promise<string> {
  const { pool } = bank.site;
  const registry = measureCashier({ pool, chain: bank.chain.chain, status, mismatch, figures });
  measureSolvency(registry, pool);
  return registry.metrics();
}

test.each([
  ['null', () => ({ result: null })],
  [
    'no balances',
    (_: RpcCall, { result }: Answer) => ({ result: { ...(result as object), meta: null } }),
  ],
  ['an error', () => TOO_NEW],
] as const)(
  'a node that answers %s for a listed transaction is not the last that is asked',
  async (_, hole) => {
    const holes = new Set<string>();
    const change: Change = (call, honest) => (isAbout(call, holes) ? hole(call, honest) : honest);
    await bank.startCashier({ chain: await nodes(change) });
    const [ann, bert] = [await bank.player(9n * BSM), await bank.player(9n * BSM)];
    holes.add(await bank.chain.deposit(ann.wallet, 4n * BSM));
    bank.chain.finalize();
    await bank.deposit(bert, 5n * BSM);
    await credited(bert, 5n * BSM);
    await credited(ann, 4n * BSM);
    // The other node was asked at once, and not after it was set aside.
    expect(bank.logged.join()).not.toContain('cannot be read');
    await bank.expectIntact();
  },
);

const holdOf = async (withdrawal: string) =>
  (await readHolds(bank.site.pool, [withdrawal])).get(withdrawal)?.code;

/** The honest chain's own answer. */
async function honestly(method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(bank.chain.local.url, { method: 'POST', headers, body });
  return (await response.json()) as Answer;
}

interface Balance {
  readonly owner: string;
  readonly uiTokenAmount: { amount: string };
}

/** A node that lists and returns deposits that do not exist, or exist with another amount or sender. */
function liar() {
  const made = new Map<string, { like: string; minor: bigint; owner?: string }>();
  const change: Change = async (call, honest) => {
    if (call.method === 'getSignaturesForAddress' && Array.isArray(honest.result)) {
      const { until, before } = (call.params[1] ?? {}) as { until?: string; before?: string };
      const invented = [...made].filter(([signature, { like }]) => signature !== like);
      if (invented.some(([signature]) => signature === until)) return honest;
      if (invented.some(([signature]) => signature === before)) {
        const { before: _, ...rest } = call.params[1] as Record<string, unknown>;
        return honestly(call.method, [call.params[0], rest]);
      }
      const [[, { like }] = ['', { like: '' }]] = invented;
      if (before || like === '') return honest;
      const readable = { commitment: 'finalized', maxSupportedTransactionVersion: 1 };
      const { result } = await honestly('getTransaction', [like, readable]);
      const { slot = 0 } = (result ?? {}) as { slot?: number };
      const listed = { slot, err: null, memo: null, blockTime: null };
      const forged = invented.map(([signature]) => ({ ...listed, signature }));
      return { result: [...forged, ...honest.result] };
    }
    const lie = call.method === 'getTransaction' ? made.get(String(call.params[0])) : undefined;
    if (!lie) return honest;
    const { result } = await honestly('getTransaction', [lie.like, call.params[1]]);
    const copy = structuredClone(result) as {
      meta: { preTokenBalances: Balance[]; postTokenBalances: Balance[] };
      transaction: { signatures: string[] };
    };
    copy.transaction.signatures = [String(call.params[0])];
    const own = bank.chain.treasury.address;
    const set = (balance: Balance | undefined, minor: bigint) => {
      if (balance) balance.uiTokenAmount.amount = String(minor);
    };
    const { preTokenBalances: before, postTokenBalances: after } = copy.meta;
    const at = (list: Balance[], isOwn: boolean) =>
      list.find(({ owner }) => (owner === own) === isOwn);
    set(at(after, true), BigInt(at(before, true)?.uiTokenAmount.amount ?? 0) + lie.minor);
    set(at(before, false), BigInt(at(after, false)?.uiTokenAmount.amount ?? 0) + lie.minor);
    if (lie.owner) {
      for (const list of [before, after])
        Object.assign(at(list, false) ?? {}, { owner: lie.owner });
    }
    return { result: copy };
  };
  return { made, change };
}

const SIGNATURES = [1, 2, 3, 4, 5, 6].map((n) => bs58.encode(Buffer.alloc(64, n)));
const [MADE_UP = '', ...MORE_MADE_UP] = SIGNATURES;

const creditsOf = async (player: TestPlayer) => {
  const { rows } = await bank.site.pool.query<{ signature: string }>(
    `select body->'data'->>'signature' as signature from events
      where type = 'DepositCredited' and stream = stream_key($1) order by position`,
    [`player-${player.wallet.address}`],
  );
  return rows.map(({ signature }) => signature);
};

const waitsAs = (signature: string, reason: string) =>
  bank.until(async () =>
    expect(await readMovement(bank.site.pool, signature)).toMatchObject({
      ...{ reason, recorded: false },
    }),
  );

test('a deposit that one of two nodes invents is not credited, and stops automatic approvals', async () => {
  const { made, change } = liar();
  const cashier = await bank.startCashier({ chain: await nodes(change) });
  const thief = await bank.player(100n * BSM);
  const like = await bank.deposit(thief, 20n * BSM);
  await credited(thief, 20n * BSM);
  made.set(MADE_UP, { like, minor: 900n * BSM });
  await waitsAs(MADE_UP, 'one-provider');
  // Its transactions explain more than the treasury holds.
  await bank.until(async () => {
    expect(cashier.mismatch()).toContain('less than');
    expect(await metricsOf(cashier)).toMatch(/reelbook_cashier_treasury_unexplained\S* 1/);
  });
  const id = await bank.withdraw(thief, 10);
  await bank.until(async () => expect(await holdOf(id)).toBe('treasury-unexplained'));
  expect(await creditsOf(thief)).toEqual([like]);
  // The invented transaction is gone, and with it the difference.
  made.clear();
  await bank.site.pool.query('delete from treasury_movements where signature = $1', [MADE_UP]);
  await bank.reaches(id, 'finalized');
  await bank.expectIntact();
});

test('a real deposit that one node reports with another amount or sender waits, and is credited as it is', async () => {
  const { made, change } = liar();
  await bank.startCashier({ chain: await nodes(change) });
  const [ann, thief] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  const more = await bank.chain.deposit(ann.wallet, 2n * BSM);
  const stolen = await bank.chain.deposit(ann.wallet, 3n * BSM);
  made.set(more, { like: more, minor: 5n * BSM });
  made.set(stolen, { like: stolen, minor: 3n * BSM, owner: thief.wallet.address });
  bank.chain.finalize();
  await waitsAs(more, 'providers-differ');
  await waitsAs(stolen, 'providers-differ');
  expect([await creditsOf(ann), await creditsOf(thief)]).toEqual([[], []]);
  made.clear();
  await credited(ann, 5n * BSM);
  expect(await creditsOf(thief)).toEqual([]);
  await bank.expectIntact();
});

test('small deposits that only one node has are credited up to the sums of a day; larger ones wait', async () => {
  let isAway = false;
  const away: Change = (call, honest) => {
    if (isAway && call.method === 'getTransaction') throw new Error('away');
    return honest;
  };
  const chain = await nodes((_, honest) => honest, away);
  await bank.startCashier({ chain });
  const [ann, bert] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  await bank.deposit(ann, 9n * BSM);
  await credited(ann, 9n * BSM);
  isAway = true;
  // One operator may adjust 10 BSM of a player and day alone; what both nodes confirmed does not count.
  await bank.deposit(ann, 6n * BSM);
  await credited(ann, 15n * BSM);
  const beyond = await bank.deposit(ann, 5n * BSM);
  await waitsAs(beyond, 'one-provider');
  const large = await bank.deposit(bert, 11n * BSM);
  await waitsAs(large, 'one-provider');
  await bank.deposit(ann, 4n * BSM);
  await credited(ann, 19n * BSM);
  isAway = false;
  await credited(ann, 24n * BSM);
  await credited(bert, 11n * BSM);
  await bank.expectIntact();
});

test.each([
  ['of an impossible slot', { slot: 1e300 }],
  ['that is no signature', { signature: 'x' }],
  ['of the far future', { slot: 1e15, err: { InstructionError: [0, 'Custom'] } }],
])('a node that lists a transaction %s does not stop the scan', async (_, lie) => {
  let lies = false;
  const change: Change = ({ method }, honest) => {
    if (!lies || method !== 'getSignaturesForAddress') return honest;
    const forged = { signature: MADE_UP, slot: 1, err: null, memo: null, blockTime: null, ...lie };
    return { result: [forged, ...(honest.result as object[])] };
  };
  await bank.startCashier({ chain: await nodes(change) });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 5n * BSM);
  lies = true;
  await bank.site.pool.query("update treasury_scans set cursor = 'x'");
  await bank.deposit(ann, 6n * BSM);
  await credited(ann, 11n * BSM);
  lies = false;
  await bank.deposit(ann, 7n * BSM);
  await credited(ann, 18n * BSM);
  const { slot } = await bank.chain.chain.treasury();
  await bank.until(async () => {
    const { tokenAccount } = await bank.chain.chain.terms();
    expect((await readScan(bank.site.pool, tokenAccount))?.reachedSlot).toBeLessThanOrEqual(slot);
  });
});

test('two URLs of one host are one provider', async () => {
  const { made, change } = liar();
  const target = bank.chain.local.url;
  const [one, two] = [await startRpcProxy(target, change), await startRpcProxy(target, change)];
  proxies.push(one, two);
  const other = bank.chain.local.urls[1];
  await bank.startCashier({ chain: bank.chain.open([one.url, two.url, other]) });
  const thief = await bank.player(100n * BSM);
  const like = await bank.deposit(thief, 20n * BSM);
  await credited(thief, 20n * BSM);
  made.set(MADE_UP, { like, minor: 900n * BSM });
  await waitsAs(MADE_UP, 'one-provider');
  expect(await creditsOf(thief)).toEqual([like]);
});

const insert = async (of: Partial<Movement>) => {
  const { tokenAccount } = await bank.chain.chain.terms();
  const all = { tokenAccount, slot: 1, kind: 'deposit', reason: null, recorded: false, ...of };
  await bank.site.pool.query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, sender, reason, recorded)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[all.tokenAccount, all.signature, all.slot, String(all.deltaMinor), all.kind],
      ...[all.sender, all.reason, all.recorded],
    ],
  );
};

test('rows of the working tables credit nothing that is not on the chain, and nothing twice', async () => {
  const { pool } = bank.site;
  const first = await bank.startCashier();
  const [ann, thief] = [await bank.player(100n * BSM), await bank.player(0n)];
  const deposit = await bank.deposit(ann, 20n * BSM);
  await credited(ann, 20n * BSM);
  const sender = thief.wallet.address;
  // A deposit that does not exist, a queued one, and one that is marked as recorded.
  await insert({ signature: MADE_UP, deltaMinor: 900n * BSM, sender });
  const [queued = '', marked = '', outflow = ''] = MORE_MADE_UP;
  const reason = 'no-such-player';
  const unmatched = { kind: 'unmatched', deltaMinor: 900n * BSM, sender, reason } as const;
  await insert({ ...unmatched, signature: queued, recorded: true });
  await insert({ ...unmatched, signature: marked });
  await insert({ kind: 'other', signature: outflow, deltaMinor: -2_700n * BSM, sender: null });
  // The deposit of another account of the same treasury.
  await pool.query(
    `insert into treasury_scans (token_account, opening_balance, opening_slot, reached_slot)
      values ('another', 0, 0, 0)`,
  );
  await insert({ tokenAccount: 'another', signature: deposit, deltaMinor: 20n * BSM, sender });
  // The real one as the thief's, with more, and as not recorded.
  await pool.query(
    `update treasury_movements set sender = $1, delta = delta * 2, recorded = false
      where signature = $2 and token_account <> 'another'`,
    [sender, deposit],
  );
  await waitsAs(MADE_UP, 'not-found');
  await waitsAs(marked, 'not-found');
  const { tokenAccount } = await bank.chain.chain.terms();
  await bank.until(async () =>
    expect(await readMovement(pool, deposit, tokenAccount)).toMatchObject({
      ...{ sender: ann.wallet.address, deltaMinor: 20n * BSM, recorded: true },
    }),
  );
  // A real one that is not scanned yet, with another sender: what the scan compares is the same.
  await first.close();
  const fresh = await bank.deposit(ann, 5n * BSM);
  const slot = (await bank.chain.chain.transaction(fresh, 'finalized'))?.slot ?? 0;
  await insert({ signature: fresh, slot, deltaMinor: 5n * BSM, sender });
  await bank.startCashier();
  await credited(ann, 25n * BSM);
  expect(await creditsOf(ann)).toEqual([deposit, fresh]);
  expect(await creditsOf(thief)).toEqual([]);
});

test('an unmatched deposit is resolved with the amount and sender of the ledger', async () => {
  const { pool } = bank.site;
  await bank.startCashier();
  const [stranger, thief] = [createWallet(), await bank.player(0n)];
  await bank.chain.fund(50n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 9n * BSM);
  await bank.chain.deposit(stranger, 7n * BSM);
  await bank.until(async () => expect(await readUnmatched(pool, { limit: 9 })).toHaveLength(2));
  await pool.query('update treasury_movements set sender = $1', [thief.wallet.address]);
  await pool.query(
    'update treasury_movements set sender = $1, delta = 900000000000, slot = 1 where signature = $2',
    [thief.wallet.address, signature],
  );
  const late = await bank.site.login(stranger);
  await credited(late, 16n * BSM);
  expect(await creditsOf(thief)).toEqual([]);
});

test('a deposit that a list omits is found by a report, and by a lasting surplus', async () => {
  const hidden = new Set<string>();
  const change: Change = (call, honest) => {
    if (call.method !== 'getSignaturesForAddress' || !Array.isArray(honest.result)) return honest;
    const listed = honest.result as { signature: string }[];
    return { result: listed.filter(({ signature }) => !hidden.has(signature)) };
  };
  // The second node omits nothing, but the first one is asked as long as it answers.
  await bank.startCashier({ chain: await nodes(change) });
  const [ann, bert] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  const reported = await bank.chain.deposit(ann.wallet, 4n * BSM);
  hidden.add(reported);
  bank.chain.finalize();
  await bank.deposit(bert, 5n * BSM);
  await credited(bert, 5n * BSM);
  const body = { amount: 4, tx_hash: reported };
  expect(await ann.call('/transaction/deposit', { body })).toMatchObject({ status: 200 });
  await credited(ann, 4n * BSM);
  expect(bank.logged.join()).toContain('a reported transaction was not scanned yet');
  // Next to the cursor it is noticed at once, and the other node is asked; between others only by the balance.
  hidden.add(await bank.chain.deposit(ann.wallet, 6n * BSM));
  bank.chain.finalize();
  await bank.deposit(bert, 7n * BSM);
  await credited(bert, 12n * BSM);
  await credited(ann, 10n * BSM);
  await bank.expectIntact();
});

test.each([
  ['deleted', 'delete from treasury_movements where signature = $1'],
  ['marked as recorded', 'update treasury_movements set recorded = true where signature = $1'],
  [
    'changed to an outflow',
    `update treasury_movements set recorded = true, delta = -delta, kind = 'other', sender = null
      where signature = $1`,
  ],
])('a movement that was %s before its credit is found again', async (_, text) => {
  let isAway = true;
  const away: Change = (call, honest) => {
    if (isAway && call.method === 'getTransaction') throw new Error('away');
    return honest;
  };
  const chain = await nodes((_call, honest) => honest, away);
  const first = await bank.startCashier({ chain });
  const ann = await bank.player(100n * BSM);
  const signature = await bank.deposit(ann, 50n * BSM);
  await waitsAs(signature, 'one-provider');
  await bank.site.pool.query(text, [signature]);
  isAway = false;
  // The lease begins with a check of what is marked as recorded; further ones follow every hour.
  if (text.startsWith('update treasury_movements set recorded = true where')) {
    await first.close();
    await bank.startCashier({ chain });
  }
  await credited(ann, 50n * BSM);
  await bank.expectIntact();
});

test('`cashier rescan` adds a deposit that a changed cursor skips; a deleted scan is not opened again', async () => {
  const { pool, database } = bank.site;
  const { local, token, treasury, chain } = bank.chain;
  const first = await bank.startCashier();
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 5n * BSM);
  await first.close();
  const skipped = await bank.deposit(ann, 6n * BSM);
  const newest = await bank.deposit(ann, 7n * BSM);
  await pool.query('update treasury_scans set cursor = $1, reached_slot = reached_slot + 100000', [
    newest,
  ]);
  const environment = {
    ...{ DATABASE_URL: database.url, DATA_DIR: '/nonexistent' },
    ...{ SOLANA_RPC_URL: local.urls.join(','), TOKEN_MINT: token.mint.address },
    TREASURY_WALLET: treasury.address,
  };
  const run = () => runInProcess(reelbook, ['cashier', 'rescan'], environment);
  expect(await run()).toMatchObject({ code: 0, output: expect.stringMatching(/^2 transactions/) });
  expect(await readMovement(pool, skipped)).toMatchObject({ deltaMinor: 6n * BSM });
  expect(await run()).toMatchObject({ code: 0, output: expect.stringMatching(/^0 transactions/) });
  const second = await bank.startCashier();
  await credited(ann, 18n * BSM);
  await bank.expectIntact();
  await second.close();
  await pool.query('delete from treasury_movements');
  await pool.query('delete from treasury_scans');
  const { tokenMinor, slot } = await chain.treasury();
  const { tokenAccount } = await chain.terms();
  await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
  expect(await readScan(pool, tokenAccount)).toBeNull();
});
