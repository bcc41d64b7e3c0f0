import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { approveProposal } from '@reelbook/payments/approvals';
import { readUnmatched } from '@reelbook/payments/movements';
import { resolveUnmatched } from '@reelbook/payments/operator-actions';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import { openSocket, type TestPlayer } from '@reelbook/simulator/stages/site';
import { readSigned, sendDeposit } from '@reelbook/solana/deposit';
import { createSigner, keypair } from '@reelbook/solana/keys';
import { createMint, mintTokens } from '@reelbook/solana/local-chain/token';
import { signDeposit } from '@reelbook/testing/deposit';
import { signInOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Connection, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PayingSite;
let early: TestPlayer;
beforeAll(async () => {
  bank = await startPayingSite();
  early = await bank.player(9n * BSM);
  await bank.deposit(early, 9n * BSM);
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
});
afterAll(() => bank.close());

interface Reported {
  readonly status: string;
  readonly amount: number;
  readonly message: string;
}
interface Listed {
  readonly items: readonly {
    type: string;
    status: string;
    amount: number;
    description: string;
    extra_data: string;
  }[];
}

const report = (player: TestPlayer, hash: string, amount = 5) =>
  player.call<Reported>('/transaction/deposit', { body: { amount, tx_hash: hash } });
const listed = async (player: TestPlayer) =>
  (await player.call<Listed>('/user/transactions')).data.items.filter(
    ({ type }) => type === 'deposit',
  );
const credited = (player: TestPlayer, minor: bigint) =>
  bank.until(async () => expect(await bank.balanceMinor(player)).toBe(minor));

test('a deposit before the first scan is credited to its player', async () => {
  await credited(early, 9n * BSM);
});

test('a reported deposit is pending, then credited and notified when it is final', async () => {
  const ann = await bank.player(100n * BSM);
  const socket = await openSocket(bank.site.url, ann.token);
  await socket.receive('subscribed');
  const hash = await bank.chain.deposit(ann.wallet, 5n * BSM);
  const first = await report(ann, ` ${hash} `);
  expect(first).toMatchObject({ status: 200, data: { status: 'pending', amount: 5 } });
  expect(await bank.balanceMinor(ann)).toBe(0n);
  expect(await listed(ann)).toMatchObject([{ status: 'pending', amount: 5 }]);
  await credited(ann, 5n * BSM);
  const update = await socket.receive('transaction_updated', ({ type }) => type === 'deposit');
  expect(update).toMatchObject({ status: 'completed', amount: 5, signature: hash });
  await socket.receive('balance_updated', ({ token_balance }) => token_balance === 5);
  await socket.receive('notification', ({ title }) => title === 'Deposit credited');
  await bank.until(async () =>
    expect(await listed(ann)).toMatchObject([
      { status: 'completed', extra_data: expect.stringContaining(hash) },
    ]),
  );
  expect(await report(ann, hash, 99)).toMatchObject({ data: { status: 'completed', amount: 5 } });
  socket.close();
});

test('a reported deposit counts once against a limit before it is final', async () => {
  const ann = await bank.player(100n * BSM);
  const limit = { limit: 'deposit', period: 'month', amount: 20 };
  await ann.call('/user/protection/limits', { method: 'PUT', body: limit });
  const intend = (amount: number) => ann.call('/transaction/deposit-intent', { body: { amount } });
  expect((await intend(20)).status).toBe(200);
  const hash = await bank.chain.deposit(ann.wallet, 15n * BSM);
  expect(await report(ann, hash, 15)).toMatchObject({ data: { status: 'pending' } });
  expect((await intend(5)).status).toBe(200);
  expect(await intend(6)).toMatchObject({ status: 422, data: { error: 'deposit-limit-reached' } });
  await credited(ann, 15n * BSM);
  await bank.until(async () => expect((await intend(5)).status).toBe(200));
  expect(await intend(6)).toMatchObject({ status: 422, data: { error: 'deposit-limit-reached' } });
});

test('fifty concurrent reports of one hash are one credit of the received amount', async () => {
  const ann = await bank.player(100n * BSM);
  const hash = await bank.deposit(ann, 7n * BSM);
  const answers = await Promise.all(Array.from({ length: 50 }, () => report(ann, hash, 700)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await credited(ann, 7n * BSM);
  await bank.until(async () => expect(await listed(ann)).toHaveLength(1));
});

test('a report by another player credits nothing and does not block the depositor', async () => {
  const [ann, bert] = [await bank.player(100n * BSM), await bank.player(0n)];
  const hash = await bank.chain.deposit(ann.wallet, 3n * BSM);
  bank.chain.local.faults.fail('getTransaction', 1_000);
  expect(await report(bert, hash)).toMatchObject({ data: { status: 'pending' } });
  bank.chain.local.faults.clear();
  await credited(ann, 3n * BSM);
  await bank.until(async () => expect(await listed(bert)).toMatchObject([{ status: 'failed' }]));
  const reason = 'it came from another wallet than yours';
  const [failed] = await listed(bert);
  expect(failed?.description).toContain(reason);
  expect(JSON.parse(failed?.extra_data ?? '')).toMatchObject({ reason, fault: 'wrong-sender' });
  const stored = await bank.site.pool.query(
    `update deposit_reports set reason = 'a text of before' where signature = $1 returning wallet`,
    [hash],
  );
  expect(stored.rows).toEqual([{ wallet: bert.wallet.address }]);
  const [older] = await listed(bert);
  expect(older?.description).toContain('a text of before');
  expect(JSON.parse(older?.extra_data ?? '')).toMatchObject({
    reason: 'a text of before',
    fault: null,
  });
  expect(await bank.balanceMinor(bert)).toBe(0n);
  const late = await report(bert, hash);
  expect(late.message).toContain(reason);
  expect(late.data).toEqual({ error: 'deposit-not-ours', fault: 'wrong-sender' });
  expect(late.status).toBe(400);
});

test('an unreported deposit is credited', async () => {
  const ann = await bank.player(100n * BSM);
  await bank.deposit(ann, 11n * BSM);
  await credited(ann, 11n * BSM);
});

test('a deposit that is dropped before it is final is not credited', async () => {
  const ann = await bank.player(100n * BSM);
  const margin = (await bank.solvency()).marginMinor;
  const hash = await bank.chain.deposit(ann.wallet, 13n * BSM);
  expect(await report(ann, hash)).toMatchObject({ data: { status: 'pending' } });
  bank.chain.local.faults.lose(hash);
  const other = await bank.deposit(ann, 2n * BSM);
  await credited(ann, 2n * BSM);
  expect(other).not.toBe(hash);
  expect((await bank.solvency()).marginMinor).toBe(margin);
});

test('a deposit of an unregistered wallet is credited when the wallet registers', async () => {
  const wallet = createWallet();
  await bank.chain.fund(50n * BSM, wallet);
  await bank.chain.deposit(wallet, 9n * BSM);
  await bank.until(async () =>
    expect(await readUnmatched(bank.site.pool, { limit: 10 })).toMatchObject([
      { sender: wallet.address, deltaMinor: 9n * BSM, reason: 'no-such-player' },
    ]),
  );
  await bank.until(async () => expect((await bank.solvency()).unmatchedMinor).toBe(9n * BSM));
  const late = await bank.site.login(wallet);
  await credited(late, 9n * BSM);
  await bank.until(async () => expect((await bank.solvency()).unmatchedMinor).toBe(0n));
});

test('an unmatched deposit waits for operators, and the first resolution is final', async () => {
  const ann = await bank.player(0n);
  const to = bank.chain.treasury.address;
  for (const amountMinor of [20n * BSM, 30n * BSM]) {
    await mintTokens(bank.chain.local, bank.chain.token, { wallet: to, amountMinor, lamports: 1n });
    bank.chain.finalize();
  }
  const { marginMinor: before } = await bank.solvency();
  await bank.until(async () =>
    expect(await readUnmatched(bank.site.pool, { limit: 10 })).toHaveLength(2),
  );
  const [first, second] = await readUnmatched(bank.site.pool, { limit: 10 });
  const { pool } = bank.site;
  const executor = startExecutor({ pool, fromEvents: true });
  const review = { pool, executor, clock: openClock(pool), knownRules: {} };
  const act = { by: OPERATORS.anna, reason: 'a top-up of ours', key: 'k', correlation: 'test' };
  const other = { ...act, by: OPERATORS.bert, key: 'l' };
  const house = { signature: first?.signature ?? '', to: 'house' };
  const toAnn = { signature: second?.signature ?? '', to: `player:${ann.wallet.address}` };
  const approve = async (proposed: unknown, key: string) => {
    const { proposal } = proposed as { proposal: number };
    const approval = { ...other, idempotencyKey: `command:${key}`, request: proposal };
    const { approved, ended } = await approveProposal(review, proposal, approval);
    return approved.kind === 'refused' ? approved.rejection : ended;
  };
  await signInOperator(pool, OPERATORS.bert.slice('operator:'.length));
  // Above the limit of one operator: a proposal, repeated or not, waits for another operator.
  const proposed = await resolveUnmatched(review, house, act);
  expect(proposed).toEqual({ proposal: expect.any(Number) });
  expect(await resolveUnmatched(review, house, act)).toEqual(proposed);
  expect(await resolveUnmatched(review, house, { ...act, key: 'again' })).toMatchObject({
    rejected: 'proposed-already',
  });
  expect(await readUnmatched(pool, { limit: 10 })).toHaveLength(2);
  const changed = { ...house, to: toAnn.to };
  const late = await resolveUnmatched(review, changed, { ...act, key: 'changed' });
  const resolved = await approve(proposed, 'one');
  expect(resolved).toEqual({ status: 'executed' });
  expect(await approve(proposed, 'one')).toEqual(resolved);
  // A different target is a separate proposal, and too late.
  expect(await approve(late, 'two')).toMatchObject({ rejected: 'decided-otherwise' });
  expect(await resolveUnmatched(review, toAnn, { ...act, reason: ' ', key: 'w' })).toMatchObject({
    rejected: 'withdrawal-reason-missing',
  });
  expect(await resolveUnmatched(review, { ...toAnn, to: `player:${to}` }, act)).toMatchObject({
    rejected: 'no-such-player',
  });
  const toHer = await resolveUnmatched(review, toAnn, { ...act, key: 'n' });
  expect(await approve(toHer, 'three')).toMatchObject({ status: 'executed' });
  expect(await readUnmatched(pool, { limit: 10 })).toEqual([]);
  await executor.close();
  await credited(ann, 30n * BSM);
  expect((await bank.solvency()).marginMinor).toBe(before + 20n * BSM);
});

test('a report of what has arrived is answered with it, whatever amount it names', async () => {
  const ann = await bank.player(10n * BSM);
  // Less than a deposit may be now.
  const hash = await bank.deposit(ann, BSM / 2n);
  await credited(ann, BSM / 2n);
  for (const amount of [0.5, 0.1, 1_000_000.1]) {
    expect(await report(ann, hash, amount)).toMatchObject({
      status: 200,
      data: { status: 'completed', amount: 0.5 },
    });
  }
});

const HASH = '5'.repeat(87);
test.each([
  ['no base58', { tx_hash: '0'.repeat(88) }, 'Please enter a valid transaction hash (at least 32'],
  ['of 31 characters', { tx_hash: '5'.repeat(31) }, 'Please enter a valid transaction hash'],
  ['of other bytes than 64', { tx_hash: '5'.repeat(60) }, 'Please enter a valid transaction hash'],
  ['of amount 0', { tx_hash: HASH, amount: 0 }, 'below minimum deposit'],
  ['of less than 0', { tx_hash: HASH, amount: -1 }, 'Please enter a valid deposit amount'],
  ['of less than 1 BSM', { tx_hash: HASH, amount: 0.999999999 }, 'below minimum deposit of 1 BSM'],
  ['of too much', { tx_hash: HASH, amount: 1_000_000.1 }, 'exceeds maximum deposit of 1000000 BSM'],
  ['too precise', { tx_hash: HASH, amount: 1.0000000001 }, 'Please enter a valid deposit amount'],
])('a report %s is refused in the specification’s words', async (_what, part, words) => {
  const ann = await bank.site.login();
  const body = { amount: 5, ...part };
  const { status, message } = await ann.call('/transaction/deposit', { body });
  expect(message).toContain(words);
  expect(status).toBe(400);
  expect(await listed(ann)).toEqual([]);
});

test('a report of a transfer to another wallet or of another sender is refused', async () => {
  const [ann, bert] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  const funding = await mintTokens(bank.chain.local, bank.chain.token, {
    wallet: ann.wallet.address,
    amountMinor: BSM,
    lamports: 1n,
  });
  bank.chain.finalize();
  const answer = await report(ann, funding);
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.message).toContain('it paid another wallet, not ours');
  const theirs = await bank.deposit(bert, BSM);
  expect((await report(ann, theirs)).message).toContain('came from another wallet than yours');
  await credited(bert, BSM);
});

test('a report of another mint, or of a failed transaction, is refused with the reason', async () => {
  const ann = await bank.player(100n * BSM);
  const { chain, token } = bank.chain;
  const other = { ...token, mint: createSigner() };
  await createMint(bank.chain.local, other);
  const wallet = bank.chain.treasury.address;
  const gift = { wallet, amountMinor: 5n * BSM, lamports: 1n };
  const stranger = await mintTokens(bank.chain.local, other, gift);
  const { mint, tokenAccount, program } = await chain.terms();
  const [mintKey, owner, programId] = [mint, ann.wallet.address, program].map(
    (text) => new PublicKey(text),
  ) as [PublicKey, PublicKey, PublicKey];
  const from = getAssociatedTokenAddressSync(mintKey, owner, false, programId);
  const tooMuch = createTransferInstruction(from, new PublicKey(tokenAccount), owner, 101n * BSM);
  const connection = new Connection(bank.chain.local.url, 'confirmed');
  const { blockhash } = await connection.getLatestBlockhash();
  const message = { payerKey: owner, recentBlockhash: blockhash, instructions: [tooMuch] };
  const sent = new VersionedTransaction(new TransactionMessage(message).compileToV0Message());
  sent.sign([keypair(ann.wallet)]);
  // Without preflight: it lands and fails.
  const failed = await connection.sendRawTransaction(sent.serialize(), { skipPreflight: true });
  bank.chain.finalize();
  for (const [hash, words] of [
    [stranger, 'it moved another token, not BSM'],
    [failed, 'it failed on the chain and moved nothing'],
  ] as const) {
    const answer = await report(ann, hash);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(words) });
  }
  expect(await listed(ann)).toEqual([]);
  expect(await bank.balanceMinor(ann)).toBe(0n);
});

/** A deposit that the wallet has signed, and its report as the app repeats it. */
async function sign(player: TestPlayer) {
  const { local, token, treasury } = bank.chain;
  const [mint, projectWallet] = [token.mint.address, treasury.address];
  const rpcUrl = local.url;
  const order = { rpcUrl, mint, projectWallet, amountMinor: 5n * BSM };
  const { bytes, lastValidBlockHeight } = await signDeposit(player.wallet, order);
  const { signature, blockhash } = readSigned(bytes);
  return {
    signature,
    send: () => sendDeposit({ rpcUrl, bytes }),
    report(height = lastValidBlockHeight, amount = 5) {
      const expiry = { blockhash, last_valid_block_height: height };
      const body = { amount, tx_hash: signature, expiry };
      return player.call<Reported>('/transaction/deposit', { body });
    },
  };
}
const BLOCKHASH_BLOCKS = 150;
const expired = { status: 400, data: { error: 'deposit-not-ours', fault: 'expired' } };
const pending = { status: 200, data: { status: 'pending' } };

test('a deposit that was not sent is pending until it can no longer land and no node has it', async () => {
  const ann = await bank.player(100n * BSM);
  const { local } = bank.chain;
  const { report, send } = await sign(ann);
  // The height may have been read from a node that lags: the blockhash is decisive.
  bank.chain.finalize();
  expect(await report(0)).toMatchObject(pending);
  local.advance(2 * BLOCKHASH_BLOCKS);
  local.faults.lag(2 * BLOCKHASH_BLOCKS, 'second');
  expect(await report()).toMatchObject(pending);
  local.faults.clear();
  local.faults.away('second');
  expect(await report()).toMatchObject(pending);
  local.faults.clear();
  expect(await listed(ann)).toMatchObject([{ status: 'pending' }]);
  expect(await report()).toMatchObject(expired);
  const [failed] = await listed(ann);
  expect(JSON.parse(failed?.extra_data ?? '')).toMatchObject({ fault: 'expired' });
  await expect(send()).rejects.toThrow('Blockhash not found');
  expect(await report()).toMatchObject(expired);
});

const exclude = (player: TestPlayer) =>
  player.call('/user/protection/exclusion', { body: { term: '24h' } });
const limitTo = (player: TestPlayer, amount: number) => {
  const limit = { limit: 'deposit', period: 'day', amount };
  return player.call('/user/protection/limits', { method: 'PUT', body: limit });
};

test.each([
  ['a limit', 'deposit-limit-reached', (player: TestPlayer) => limitTo(player, 1), 5],
  ['an exclusion', 'self-excluded', exclude, 5],
  ['a maximum', 'deposit-above-maximum', () => undefined, 1_000_001],
])('a deposit that was not sent expires also against %s', async (_, error, act, amount) => {
  const ann = await bank.player(100n * BSM);
  const signed = await sign(ann);
  await act(ann);
  expect(await signed.report(undefined, amount)).toMatchObject({ data: { error } });
  bank.chain.local.advance(2 * BLOCKHASH_BLOCKS);
  expect(await signed.report(undefined, amount)).toMatchObject(expired);
  expect(await bank.balanceMinor(ann)).toBe(0n);
});

test('a deposit that landed is credited, not expired, also to an excluded player', async () => {
  const ann = await bank.player(100n * BSM);
  const { report, send } = await sign(ann);
  await exclude(ann);
  await send();
  bank.chain.local.advance(2 * BLOCKHASH_BLOCKS);
  expect((await report()).data).not.toMatchObject(expired.data);
  await credited(ann, 5n * BSM);
  expect(await report()).toMatchObject({ status: 200, data: { status: 'completed' } });
});

test('a deposit that landed is not expired, also when a node does not have it', async () => {
  const ann = await bank.player(100n * BSM);
  const { local } = bank.chain;
  const { signature, report, send } = await sign(ann);
  for (const node of ['first', 'second'] as const) {
    local.faults.hide(signature, node);
    if (node === 'first') {
      local.faults.landLate(BLOCKHASH_BLOCKS - 5, 1);
      await send();
      local.advance(BLOCKHASH_BLOCKS - 5);
      local.advance(BLOCKHASH_BLOCKS);
    }
    expect((await report()).status).toBe(200);
    local.faults.clear();
  }
  await credited(ann, 5n * BSM);
  // Also without its row.
  const { rows } = await bank.site.pool.query<{ row: unknown }>(
    'delete from treasury_movements as one where signature = $1 returning to_json(one) as row',
    [signature],
  );
  expect(await report(0)).toMatchObject({ status: 200, data: { status: 'completed' } });
  await bank.site.pool.query(
    'insert into treasury_movements select * from json_populate_record(null::treasury_movements, $1)',
    [rows[0]?.row],
  );
});

test('a failure that is not final yet is no refusal of a deposit that may still land', async () => {
  const ann = await bank.player(5n * BSM);
  const { local } = bank.chain;
  const first = await sign(ann);
  // Another blockhash: otherwise both were the same transaction.
  bank.chain.finalize();
  const second = await sign(ann);
  local.faults.landLate(3, 1);
  await second.send();
  await first.send();
  local.advance(3);
  local.advance(2);
  expect(await bank.chain.chain.transaction(second.signature, 'confirmed')).not.toBeNull();
  expect(await second.report()).toMatchObject(pending);
  bank.chain.finalize();
  await bank.until(async () =>
    expect(await second.report()).toMatchObject({ status: 400, data: { fault: 'failed' } }),
  );
  await credited(ann, 5n * BSM);
});

test('no row of a report or of a movement is a credit', async () => {
  const ann = await bank.player(0n);
  const { pool } = bank.site;
  const shown = async () => [
    (await report(ann, HASH)).data.status,
    (await ann.call<{ status: string }>(`/user/payments/${HASH}`)).data.status,
  ];
  expect(await shown()).toEqual(['pending', 'pending']);
  for (const status of ['completed', 'review']) {
    await pool.query('update deposit_reports set status = $1 where signature = $2', [status, HASH]);
    expect((await shown())[0]).toBe('pending');
  }
  await pool.query(`update deposit_reports set status = 'completed' where signature = $1`, [HASH]);
  expect(await shown()).toEqual(['pending', 'pending']);
  const { tokenAccount } = await bank.chain.chain.terms();
  const forged = [tokenAccount, HASH, ann.wallet.address];
  await pool.query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, sender, recorded)
      values ($1, $2, 1, 5000000000, 'deposit', $3, true)`,
    forged,
  );
  expect(await shown()).toEqual(['pending', 'pending']);
  for (const table of ['treasury_movements', 'deposit_reports']) {
    await pool.query(`delete from ${table} where signature = $1`, [HASH]);
  }
  expect(await bank.balanceMinor(ann)).toBe(0n);
});

test('a report of a transaction that no node has waits ten minutes, then fails with that reason', async () => {
  const ann = await bank.player(0n);
  const made = '4'.repeat(87);
  expect(await report(ann, made)).toMatchObject({ data: { status: 'pending' } });
  const attempts = async () => {
    const found = await bank.site.pool.query<{ attempts: number }>(
      'select attempts from deposit_reports where signature = $1',
      [made],
    );
    return found.rows[0]?.attempts;
  };
  await bank.until(async () => expect(await attempts()).toBeGreaterThan(0));
  expect(await listed(ann)).toMatchObject([{ status: 'pending' }]);
  expect((await ann.call(`/user/payments/${made}`)).data).toMatchObject({ chain_status: null });
  await bank.site.pool.query(
    `update deposit_reports set reported_at = now() - interval '11 minutes' where signature = $1`,
    [made],
  );
  await bank.until(async () =>
    expect(await listed(ann)).toMatchObject([
      { status: 'failed', extra_data: expect.stringContaining('not-found') },
    ]),
  );
});

test('at the end ledger, read models and chain agree exactly', () => bank.expectIntact());
