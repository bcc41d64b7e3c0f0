/** A ledger that went back, by what is outside of it: the cashier waits, and nothing else stops it. */
import { describeRestores } from '@reelbook/audit/restores';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHash } from '@reelbook/event-store/hash-chain';
import { readHead } from '@reelbook/event-store/read-log';
import { loadState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { toText } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { deny } from '@reelbook/payments/operator-actions';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import type { Signer } from '@reelbook/solana/keys';
import type { Chain } from '@reelbook/solana/rpc';
import { compose, signMemo, signTransfer } from '@reelbook/solana/send-transfer';
import { MEMO_PROGRAM } from '@reelbook/solana/transaction';
import { type RpcCall, type RpcProxy, startRpcProxy } from '@reelbook/testing/rpc-proxy';
import { runInProcess } from '@reelbook/testing/run-program';
import { WAIT } from '@reelbook/testing/wait';
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeConfig } from '../cli/commands/config.ts';
import { reelbook } from '../cli/program.ts';
import { openMarks } from './marks.ts';

type Answer = { result?: unknown; error?: unknown };
type Change = (call: RpcCall, honest: Answer) => Answer;
const honestly: Change = (_, honest) => honest;

let bank: PayingSite;
let ann: TestPlayer;
const proxies: RpcProxy[] = [];
beforeEach(async () => {
  bank = await startPayingSite();
  const cashier = await bank.startCashier({ signer: null });
  ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  await bank.until(async () => {
    const { state } = await loadState(bank.site.pool, treasuryDecider, TREASURY_STREAM);
    expect(state.tokenMinor).toBe(1_000_050n * BSM);
  });
  await cashier.close();
});
afterEach(async () => {
  await bank.close();
  for (const proxy of proxies.splice(0)) proxy.close();
});

/** Two nodes of two providers in front of the honest chain. */
async function nodes(first: Change, second: Change): Promise<Chain> {
  const target = bank.chain.local.url;
  const [one, two] = [await startRpcProxy(target, first), await startRpcProxy(target, second)];
  proxies.push(one, two);
  return bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
}

async function send({ bytes, signature }: { readonly bytes: string; readonly signature: string }) {
  await bank.chain.chain.send(bytes);
  bank.chain.finalize();
  await bank.until(async () =>
    expect(await bank.chain.chain.transaction(signature, 'finalized')).not.toBeNull(),
  );
  return signature;
}

/** A payment as a lost event had it. */
const pay = async (memo: string, amountMinor: bigint) =>
  send(
    await signTransfer(bank.chain.chain, {
      signer: bank.chain.treasury,
      to: ann.wallet.address,
      amountMinor,
      memo,
    }),
  );

const memoOf = (fromSeal: number, seal: number) =>
  anchorMemo({ fromSeal, seal, root: 'ab'.repeat(32), sealsRoot: 'cd'.repeat(32) });
const anchor = async (fromSeal: number, seal: number) =>
  send(
    await signMemo(bank.chain.chain, {
      signer: bank.chain.treasury,
      memo: memoOf(fromSeal, seal),
    }),
  );

const compare = (
  chain: Chain = bank.chain.chain,
  bus: Parameters<typeof openMarks>[0]['bus'] = null,
) => openMarks({ pool: bank.site.pool, chain, bus })();

/** A bus that ends so many events after the ledger, or before its end. */
async function busAt(more: number) {
  const bus = createInProcessBus();
  const position = (await readHead(bank.site.pool)).position + more;
  const known = await readHash(bank.site.pool, position);
  const hash = known ?? 'ef'.repeat(32);
  const command = { stream: 'seals', firstPosition: position, bodies: ['{}'], hash };
  await bus.publish([{ ...command, previousHash: 'ab'.repeat(32) }]);
  return { bus, position };
}

test('a lost payment stops the cashier until it is named; then it is recorded and not made again', async () => {
  const approving = await bank.startCashier({ signer: null });
  const id = await bank.withdraw(ann, 10);
  await bank.reaches(id, 'approved');
  await approving.close();
  const net = await netOf(id);
  const signature = await pay(id, net);
  const { position } = await readHead(bank.site.pool);
  const { bus, position: busEnd } = await busAt(3);
  const paidMinor = await bank.chain.chain.walletBalance(ann.wallet.address);

  const cashier = await bank.startCashier({ bus });
  await vi.waitFor(
    () =>
      expect(cashier.status().failing).toBe(
        `the ledger went back: it ends at #${position} and lacks #${busEnd} of NATS and 1 more; run npm run reelbook -- restored`,
      ),
    WAIT,
  );
  expect(await bank.statusOf(id)).toBe('approved');
  expect(await readHead(bank.site.pool)).toMatchObject({ position });
  expect((await bank.audit()).messages.join()).toContain(`the treasury signed ${signature}`);

  const environment = {
    DATABASE_URL: bank.site.database.url,
    SOLANA_RPC_URL: bank.chain.local.url,
    TOKEN_MINT: bank.chain.token.mint.address,
    TREASURY_WALLET: bank.chain.treasury.address,
  };
  const words = ['restored', '--lost-to', String(busEnd)];
  const blind = { ...environment, NATS_URL: 'nats://127.0.0.1:1' };
  const first = await runInProcess(reelbook, words, blind);
  expect(first.output).toContain('NATS does not respond');
  expect(first.code).toBe(1);
  expect(first.output).toContain('paused     withdrawals');
  expect(first.output).toContain(`Run this again with --kept ${position}.`);
  // The pause is an event too: it does not move the head that the ledger went back to.
  words.push('--kept', String(position));
  const running = runInProcess(reelbook, words, environment);
  const ended = vi.fn();
  void running.finally(ended);
  await bank.until(() => expect(ended).toHaveBeenCalled());
  const { output } = await running;
  expect(output).toContain(`lost       the payment of ${id}, ${signature}`);
  expect(output).toContain(`lost       #${position + 1} to #${busEnd}`);
  expect(output).toContain('restored   epoch 1');

  const executor = startExecutor({ pool: bank.site.pool });
  const act = { by: OPERATORS.anna, reason: 'a test', key: 'deny', correlation: 'test' };
  const denied = await deny({ pool: bank.site.pool, executor }, id, act);
  expect(denied).toMatchObject({ rejected: 'withdrawal-on-its-way' });
  // Its process starts again, on the stream of the next epoch.
  await cashier.close();
  const after = await bank.startCashier();
  await bank.until(() => expect(after.status()).toMatchObject({ acting: true, failing: null }));
  const edit = { path: 'withdraw.enabled', value: 'true', reason: 'a test', mayWelcome: true };
  expect(await changeConfig({ pool: bank.site.pool, executor }, edit)).not.toBeTypeOf('string');
  await executor.close();
  await bank.reaches(id, 'finalized');
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(paidMinor);
  const other = await bank.withdraw(ann, 10);
  await bank.reaches(other, 'finalized');
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe((paidMinor ?? 0n) + net);
  await after.close();
  await bank.expectIntact();
  const { verdict, report } = await bank.audit();
  expect(verdict).toBe('CLEAN');
  expect(describeRestores(report.ledgerSide.restores).join()).toContain(
    `with 1 payments of ${toText('token', net)} and 0 anchors, accepted by system:restored-command`,
  );
});

test('a lost payment of another process stops one that compared before that payment', async () => {
  const approving = await bank.startCashier({ signer: null });
  const id = await bank.withdraw(ann, 10);
  await bank.reaches(id, 'approved');
  await approving.round();
  const holdElsewhere = `update checkpoints set holder = 'another', lease_epoch = lease_epoch + 1,
    lease_until = clock_timestamp() + interval '1 hour' where name = 'cashier'`;
  await bank.site.database.pool('owner', 1).query(holdElsewhere);
  await bank.until(() => expect(approving.status().acting).toBe(false));
  await pay(id, await netOf(id));
  await bank.site.database
    .pool('owner', 1)
    .query(`update checkpoints set holder = null, lease_until = null where name = 'cashier'`);
  await vi.waitFor(
    () => expect(approving.status().failing).toContain(`lacks the payment of ${id}`),
    WAIT,
  );
  expect(await bank.statusOf(id)).toBe('approved');
  await approving.close();
});

async function netOf(id: string): Promise<bigint> {
  const { rows } = await bank.site.pool.query<{ net: string }>(
    `select body->'data'->>'netMinor' as net from events
      where type = 'WithdrawalRequested' and body->'data'->>'withdrawal' = $1`,
    [id],
  );
  return BigInt(rows[0]?.net ?? 0);
}

describe('a mark', () => {
  test('is each lost payment and anchor that follows the last one, also if a node does not list it', async () => {
    await pay('tAAA-w7', BSM);
    await anchor(1, 2);
    await anchor(3, 4);
    const omits: Change = ({ method }, honest) =>
      method === 'getSignaturesForAddress' ? { result: [] } : honest;
    await expect(compare(await nodes(omits, honestly))).rejects.toThrow(
      'lacks the payment of tAAA-w7',
    );
    await expect(compare(await nodes(honestly, omits))).rejects.toThrow('and 2 more');
  });

  test('is also found after an observation at a slot that a node invented', async () => {
    const { pool } = bank.site;
    const executor = startExecutor({ pool });
    const { state } = await executor.currentState(treasuryDecider, TREASURY_STREAM);
    const { tokenMinor, netDepositsMinor } = state;
    assert(tokenMinor !== null, 'it was observed');
    const observed = { tokenMinor: tokenMinor + 1n, netDepositsMinor, slot: 10 ** 12 };
    const command = { type: 'ObserveTreasury', ...observed, source: 'chain' } as const;
    const { kind } = await executor.execute({
      decider: treasuryDecider,
      stream: TREASURY_STREAM,
      idempotencyKey: null,
      request: null,
      meta: { correlation: 'test', actor: 'system' },
      prepare: async () => ({ command, configVersion: null }),
    });
    expect(kind).toBe('done');
    await executor.close();
    await pay('tAAA-w7', BSM);
    await expect(compare()).rejects.toThrow('lacks the payment of tAAA-w7');
  });

  test('is the end of the stream of NATS, at any position', async () => {
    const { bus, position } = await busAt(1);
    await expect(compare(bank.chain.chain, bus)).rejects.toThrow(`lacks #${position} of NATS`);
    const other = createInProcessBus();
    const command = { stream: 'seals', firstPosition: 1, bodies: ['{}'], hash: 'ef'.repeat(32) };
    await other.publish([{ ...command, previousHash: 'ab'.repeat(32) }]);
    await expect(compare(bank.chain.chain, other)).rejects.toThrow('lacks #1 of NATS');
  });

  test.each<[string, Change]>([
    ['is late', ({ method }, honest) => (method === 'getSlot' ? { result: 1 } : honest)],
    [
      'has no history',
      ({ method }, honest) => (method === 'getFirstAvailableBlock' ? { result: 1e9 } : honest),
    ],
    [
      'does not respond',
      () => {
        throw new Error('away');
      },
    ],
  ])('is waited for while another provider %s', async (_what, change) => {
    await pay('tAAA-w7', BSM);
    const chain = await nodes(honestly, (call, honest) => hide(call, change(call, honest)));
    await expect(compare(chain)).rejects.toThrow('not all providers can confirm');
  });
});

/** A node without the transactions of the treasury. */
const hide: Change = ({ method }, honest) =>
  method === 'getTransaction'
    ? { result: null }
    : method === 'getSignaturesForAddress'
      ? { result: [] }
      : honest;

describe('no false alarm', () => {
  test('after a restart, with a new bus, one that lost its data, and one that is behind', async () => {
    await compare();
    await compare(bank.chain.chain, createInProcessBus());
    await compare(bank.chain.chain, (await busAt(0)).bus);
    await compare(bank.chain.chain, (await busAt(-3)).bus);
  });

  test('by a payment or memo that only one provider shows', async () => {
    await pay('tAAA-w7', BSM);
    await anchor(1, 2);
    await compare(await nodes(honestly, hide));
    await compare(await nodes(hide, honestly));
  });

  test('by an anchor of another ledger, a memo of a stranger, or a transfer of the operators', async () => {
    await anchor(7, 9);
    await pay('for the new treasury', BSM);
    const stranger = ann.wallet as Signer;
    const { blockhash } = await bank.chain.chain.read('getLatestBlockhash', (node) =>
      node.getLatestBlockhash(),
    );
    const data = Buffer.from(memoOf(1, 2));
    const forged = compose(
      stranger,
      [
        SystemProgram.transfer({
          fromPubkey: new PublicKey(stranger.address),
          toPubkey: new PublicKey(bank.chain.treasury.address),
          lamports: 1_000_000n,
        }),
        new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data }),
      ],
      { blockhash, microLamports: 0 },
    );
    const bytes = Buffer.from(forged.serialize()).toString('base64');
    expect(await bank.chain.chain.send(bytes)).toEqual({ kind: 'taken' });
    bank.chain.finalize();
    await compare();
  });
});
