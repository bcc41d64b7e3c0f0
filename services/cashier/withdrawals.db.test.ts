import type { NotificationPage } from '@reelbook/contract/player/profile';
import { startExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import type { HoldCode } from '@reelbook/ledger/holds';
import { toMinor } from '@reelbook/ledger/money';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { CONFIG_STREAM, playerStream } from '@reelbook/ledger/streams';
import { readHolds } from '@reelbook/payments/holds';
import { readWaitingWithdrawals } from '@reelbook/payments/metrics';
import { approve, deny } from '@reelbook/payments/operator-actions';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import { openSocket, type TestPlayer } from '@reelbook/simulator/stages/site';
import { signInOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import {
  AuthorityType,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

let bank: PayingSite;
let review: Parameters<typeof approve>[0];
beforeAll(async () => {
  bank = await startPayingSite();
  review = { pool: bank.site.pool, executor: startExecutor({ pool: bank.site.pool }) };
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
});
afterAll(async () => {
  await review.executor.close();
  await bank.close();
});

let changes = 0;
async function configure(part: Partial<Config['withdraw']>): Promise<void> {
  const executed = await review.executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: `test:config:${changes++}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:config-command' },
    async prepare({ config }) {
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const before = config as Config;
      const changed = { ...before, withdraw: { ...before.withdraw, ...part } };
      const command = {
        type: 'ChangeConfig' as const,
        config: changed,
        reason: 'test',
        knownRules,
        by: 'system:config-command',
        adminsEver: 0,
      };
      return { command, configVersion: null };
    },
  });
  expect(executed.kind).toBe('done');
}

interface Requested {
  readonly withdrawal_id: string;
  readonly fee: number;
  readonly net_amount: number;
  readonly token_balance: number;
}

async function rich(tokenMinor: bigint): Promise<TestPlayer> {
  const player = await bank.player(tokenMinor);
  await bank.deposit(player, tokenMinor);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(tokenMinor));
  return player;
}
type Signed = { readonly message: string; readonly signature: string };
const ask = (
  player: TestPlayer,
  amount: number,
  to = player.wallet.address,
  { key, confirmation }: { readonly key?: string; readonly confirmation?: Signed } = {},
) =>
  player.call<Requested>('/transaction/withdraw', {
    body: { amount, to_address: to, ...(confirmation && { confirmation }) },
    ...(key ? { key } : {}),
  });
/** What the wallet signs for a withdrawal, unless a forger changes something. */
async function confirm(
  { wallet, call }: TestPlayer,
  amount: number,
  to: string,
  change: Partial<Parameters<typeof confirmationMessage>[0]> & { signer?: typeof wallet } = {},
): Promise<Signed> {
  const { signer = wallet, ...changed } = change;
  const { data } = await call<{ origin: string }>('/config/system');
  const amountMinor = toMinor('token', amount) ?? 0n;
  const signed = { origin: data.origin, amountMinor, to, atMs: Date.now(), ...changed };
  const message = confirmationMessage(signed);
  return { message, signature: signer.sign(message) };
}
const waits = (id: string, code: HoldCode, facts: object = {}) =>
  bank.until(async () =>
    expect((await readHolds(bank.site.pool, [id])).get(id)).toEqual({ code, facts }),
  );
const act = (name: keyof typeof OPERATORS, key: string) => ({
  by: OPERATORS[name],
  reason: 'looked at',
  key,
  correlation: 'test',
});

/** Gives the player's token account to another wallet. */
async function give({ wallet }: TestPlayer): Promise<void> {
  const [mint, from, to] = [
    bank.chain.token.mint.address,
    wallet.address,
    createWallet().address,
  ].map((text) => new PublicKey(text)) as [PublicKey, PublicKey, PublicKey];
  const account = getAssociatedTokenAddressSync(mint, from);
  const given = createSetAuthorityInstruction(account, from, AuthorityType.AccountOwner, to);
  await bank.chain.local.run([given], [wallet]);
  bank.chain.finalize();
}

describe('a withdrawal', () => {
  test('sends the net, keeps the fee rounded up, and notifies every step in one notification', async () => {
    const ann = await rich(100n * BSM);
    const socket = await openSocket(bank.site.url, ann.token);
    await socket.receive('subscribed');
    const { data } = await ask(ann, 10.000000001);
    expect(data).toMatchObject({ fee: 0.500000001, net_amount: 9.5, token_balance: 89.999999999 });
    await bank.reaches(data.withdrawal_id, 'finalized');
    expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(9_500_000_000n);
    for (const step of ['pending', 'approved', 'processing', 'completed']) {
      await socket.receive('transaction_updated', (update) => update.status === step);
    }
    const content = `9.5 BSM arrived at ${ann.wallet.address}. The payment is final.`;
    await socket.receive('notification', (notice) => notice.content === content);
    socket.close();
    // One notification, which each step replaced.
    await bank.until(async () => {
      const { data: page } = await ann.call<NotificationPage>('/user/notifications');
      const kinds = page.items.map(({ kind }) => kind).filter((kind) => /withdrawal/.test(kind));
      expect(kinds).toEqual(['withdrawal-paid-to']);
      expect(page.items.map((notice) => notice.content)).toContain(content);
      expect([page.total, page.unread_count]).toEqual([page.items.length, page.items.length]);
    });
    await bank.until(async () => {
      const { data: page } = await ann.call<{ items: { status: string; extra_data: string }[] }>(
        '/user/transactions',
      );
      const [newest] = page.items;
      expect(newest).toMatchObject({
        type: 'withdraw',
        amount: -10.000000001,
        status: 'completed',
      });
      expect(JSON.parse(newest?.extra_data ?? '{}').signature).toMatch(/^\w{80,90}$/);
      expect(JSON.parse(newest?.extra_data ?? '{}').to_address).toBe(ann.wallet.address);
    });
  });

  test('is one for a repeated key; another request with that key is refused', async () => {
    const ann = await rich(100n * BSM);
    const [first, second] = [
      await ask(ann, 5, undefined, { key: 'k' }),
      await ask(ann, 5, undefined, { key: 'k' }),
    ];
    expect(second.data).toEqual(first.data);
    expect((await ask(ann, 6, undefined, { key: 'k' })).status).toBe(422);
    await bank.reaches(first.data.withdrawal_id, 'finalized');
    expect(await bank.balanceMinor(ann)).toBe(95n * BSM);
  });

  test('of a hundred concurrent requests, only the balance is held', async () => {
    const ann = await rich(10n * BSM);
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(ann, 3)));
    expect(answers.filter(({ status: code }) => code === 200)).toHaveLength(3);
    expect(await bank.balanceMinor(ann)).toBe(1n * BSM);
    await bank.until(async () =>
      expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(8_550_000_000n),
    );
  });

  test('above the bound requires two different operators', async () => {
    const ann = await rich(3_000n * BSM);
    const { withdrawal_id: id } = (await ask(ann, 2_000)).data;
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    expect(await approve(review, id, act('anna', 'a1'))).toBeNull();
    expect(await approve(review, id, act('anna', 'a2'))).toMatchObject({
      rejected: 'withdrawal-approved-already',
    });
    await waits(id, 'needs-operators', { approvals: 1, needed: 2 });
    expect(await approve(review, id, act('bert', 'b1'))).toBeNull();
    await bank.reaches(id, 'finalized');
    expect(await approve(review, id, act('carl', 'c1'))).toMatchObject({
      rejected: 'no-such-withdrawal',
    });
  });

  test('is approved on the configuration that is in force when the approval is recorded', async () => {
    const ann = await rich(3_000n * BSM);
    const { withdrawal_id: id } = (await ask(ann, 2_000)).data;
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    const { executor } = review;
    const changing: typeof executor = {
      ...executor,
      async execute(execution) {
        await configure({ hourMaxTokenMinor: 99_000n * BSM + BigInt(changes) });
        return executor.execute(execution);
      },
    };
    const racing = { ...review, executor: changing };
    expect(await approve(racing, id, act('anna', 'r1'))).toBeNull();
    expect(await approve(racing, id, act('bert', 'r2'))).toBeNull();
    await bank.reaches(id, 'finalized');
  });

  test('of a suspended player waits for operators', async () => {
    const ann = await rich(100n * BSM);
    await signInOperator(bank.site.pool, createWallet(101).address);
    const executed = await review.executor.execute({
      decider: playerDecider,
      stream: playerStream(ann.wallet.address),
      idempotencyKey: 'test:suspended',
      request: null,
      meta: { correlation: 'test', actor: OPERATORS.anna },
      prepare: async () => ({
        command: { type: 'SuspendPlayer' as const, by: OPERATORS.anna, reason: 'fraud' },
        configVersion: null,
      }),
    });
    expect(executed.kind).toBe('done');
    const { withdrawal_id: id } = (await ask(ann, 10)).data;
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    expect(await approve(review, id, act('anna', 's1'))).toBeNull();
    expect(await approve(review, id, act('bert', 's2'))).toBeNull();
    await bank.reaches(id, 'finalized');
  });

  test("of an operator's own wallet cannot be approved by that operator", async () => {
    const wallet = createWallet(101);
    const anna = await bank.site.login(wallet);
    await bank.chain.fund(3_000n * BSM, wallet);
    await bank.credit(anna, 3_000n * BSM);
    const { withdrawal_id: id } = (await ask(anna, 2_000)).data;
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    for (const decide of [approve, deny]) {
      expect(await decide(review, id, act('anna', decide.name))).toEqual({
        rejected: 'operator-own-wallet',
        detail: {},
      });
    }
    expect(await approve(review, id, act('bert', 'o1'))).toBeNull();
    expect(await approve(review, id, act('carl', 'o2'))).toBeNull();
    await bank.reaches(id, 'finalized');
  });

  test('returns the full amount when it is denied', async () => {
    const ann = await rich(3_000n * BSM);
    const { withdrawal_id: id } = (await ask(ann, 2_000)).data;
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    expect(await deny(review, id, act('anna', 'd1'))).toBeNull();
    await bank.reaches(id, 'released');
    expect(await bank.balanceMinor(ann)).toBe(3_000n * BSM);
  });

  test('waits with a reason while withdrawals are paused, and continues after', async () => {
    await configure({ enabled: false });
    const ann = await rich(100n * BSM);
    const { withdrawal_id: id } = (await ask(ann, 10)).data;
    await waits(id, 'paused');
    await bank.until(async () =>
      expect(await bank.newestEntry(ann)).toContain('waiting: withdrawals are paused'),
    );
    await configure({ enabled: true });
    await bank.reaches(id, 'finalized');
    expect((await readHolds(bank.site.pool, [id])).size).toBe(0);
  });

  test('above the hourly bound waits for operators', async () => {
    await configure({ playerHourMaxTokenMinor: 15n * BSM });
    const ann = await rich(100n * BSM);
    const [first, second] = [(await ask(ann, 10)).data, (await ask(ann, 10)).data];
    await bank.reaches(first.withdrawal_id, 'finalized');
    await waits(second.withdrawal_id, 'player-hour-used');
    await configure({ playerHourMaxTokenMinor: 2_000n * BSM });
    await bank.reaches(second.withdrawal_id, 'finalized');
  });

  test('waits while the treasury has too little SOL', async () => {
    const { lamports } = await bank.chain.chain.treasury();
    await configure({ lowWaterLamports: Number(lamports) + 1 });
    const ann = await rich(100n * BSM);
    const { withdrawal_id: id } = (await ask(ann, 10)).data;
    await waits(id, 'treasury-low-on-sol');
    await configure({ lowWaterLamports: 1_000 });
    await bank.reaches(id, 'finalized');
  });

  test('to a wallet without a BSM account opens one, from the minimum on', async () => {
    await configure({ minTokenMinor: 1n });
    const ann = await rich(100n * BSM);
    const { address } = createWallet();
    const little = await ask(ann, 0.5, address);
    expect(little.message).toContain('withdraw at least 1 BSM');
    const confirmation = await confirm(ann, 1, address);
    const { withdrawal_id: id } = (await ask(ann, 1, address, { confirmation })).data;
    await bank.reaches(id, 'finalized');
    expect(await bank.chain.chain.walletBalance(address)).toBe(950_000_000n);
    await configure({ minTokenMinor: BSM });
  });

  test('to a token account that belongs to another wallet is refused, at request and at payment', async () => {
    const [ann, bert] = [await rich(100n * BSM), await rich(100n * BSM)];
    await give(ann);
    expect((await ask(ann, 10)).message).toContain('belongs to another wallet');
    await configure({ enabled: false });
    const { withdrawal_id: id } = (await ask(bert, 10)).data;
    await waits(id, 'paused');
    await give(bert);
    await configure({ enabled: true });
    await bank.reaches(id, 'released');
    expect(await bank.balanceMinor(bert)).toBe(100n * BSM);
    const { reason } = (await readWithdrawal(bank.site.pool, id)) ?? {};
    expect(reason).toContain('its token account belongs to another wallet');
  });

  test('is possible for a self-excluded player', async () => {
    const ann = await rich(100n * BSM);
    const excluded = await ann.call('/user/protection/exclusion', { body: { term: '24h' } });
    expect(excluded.status).toBe(200);
    const refused = await ann.call('/transaction/deposit', {
      body: { amount: 1, tx_hash: '5'.repeat(87) },
    });
    expect(refused.message).toContain('excluded');
    await bank.chain.fund(7n * BSM, ann.wallet);
    await bank.deposit(ann, 7n * BSM);
    await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(107n * BSM));
    await bank.reaches((await ask(ann, 107)).data.withdrawal_id, 'finalized');
  });
});

describe('a withdrawal to another address', () => {
  test('waits for two operators without a confirmation', async () => {
    const ann = await rich(100n * BSM);
    const { address } = createWallet();
    const { withdrawal_id: id } = (await ask(ann, 10, address)).data;
    await waits(id, 'not-confirmed', { approvals: 0, needed: 2 });
    const waiting = await readWaitingWithdrawals(bank.site.pool);
    expect(waiting.find(({ reason }) => reason === 'not-confirmed')?.count).toBe(1);
    expect(await approve(review, id, act('anna', 'e1'))).toBeNull();
    await waits(id, 'not-confirmed', { approvals: 1, needed: 2 });
    expect(await approve(review, id, act('bert', 'e2'))).toBeNull();
    await bank.reaches(id, 'finalized');
    expect(await bank.chain.chain.walletBalance(address)).toBe(9_500_000_000n);
  });

  test('is paid automatically once for each confirmation; a retry returns the same result', async () => {
    const ann = await rich(100n * BSM);
    const { address } = createWallet();
    const confirmation = await confirm(ann, 10, address);
    const first = await ask(ann, 10, address, { confirmation, key: 'c' });
    await bank.reaches(first.data.withdrawal_id, 'finalized');
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 60_000);
    const retried = await ask(ann, 10, address, { confirmation, key: 'c' });
    later.mockRestore();
    expect(retried.data).toEqual(first.data);
    const signedAgain = await confirm(ann, 10, address);
    const resent = await ask(ann, 10, address, { confirmation: signedAgain, key: 'c' });
    expect(resent.data).toEqual(first.data);
    for (const key of [undefined, 'd']) {
      const again = await ask(ann, 10, address, { confirmation, ...(key && { key }) });
      expect(again).toMatchObject({
        status: 409,
        data: { error: 'withdrawal-confirmation-used' },
      });
    }
    expect((await ask(ann, 10, address, { key: 'c' })).status).toBe(422);
    expect(await bank.balanceMinor(ann)).toBe(90n * BSM);
    expect(await bank.chain.chain.walletBalance(address)).toBe(9_500_000_000n);
  });

  test('of concurrent requests with one confirmation, one is accepted', async () => {
    const ann = await rich(100n * BSM);
    const { address } = createWallet();
    const confirmation = await confirm(ann, 10, address);
    const asked = Array.from({ length: 10 }, () => ask(ann, 10, address, { confirmation }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect(await bank.balanceMinor(ann)).toBe(90n * BSM);
  });

  const { address } = createWallet(102);
  type Change = Parameters<typeof confirm>[3];
  test.each<[string, string, () => Change]>([
    ['of another amount', 'invalid', () => ({ amountMinor: 11n * BSM })],
    ['of another address', 'invalid', () => ({ to: createWallet().address })],
    ['for another site', 'invalid', () => ({ origin: 'https://reelbook.example.com' })],
    ["of another wallet's", 'invalid', () => ({ signer: createWallet() })],
    ['that is too old', 'too-old', () => ({ atMs: Date.now() - 5 * 60_000 - 1 })],
    ['of the future', 'in-future', () => ({ atMs: Date.now() + 2 * 60_000 })],
  ])('is refused with a confirmation %s', async (_what, fault, change) => {
    const ann = await rich(50n * BSM);
    const confirmation = await confirm(ann, 10, address, change());
    expect(await ask(ann, 10, address, { confirmation })).toMatchObject({
      status: 400,
      data: { error: `withdrawal-confirmation-${fault}` },
    });
    expect(await bank.balanceMinor(ann)).toBe(50n * BSM);
  });

  test('is refused with a signature of something else, such as the login', async () => {
    const ann = await rich(50n * BSM);
    const { message, signature } = await confirm(ann, 10, address);
    const login = ann.wallet.login(Date.now());
    const zeros = Array(64).fill(0).join(',');
    for (const confirmation of [
      { message, signature: login.signature },
      { message, signature: zeros },
      { message, signature: 'x' },
      { message: login.message, signature: login.signature },
      { message: `${message} `, signature },
    ]) {
      expect(await ask(ann, 10, address, { confirmation })).toMatchObject({
        status: 400,
        data: { error: 'withdrawal-confirmation-invalid' },
      });
    }
    expect(await bank.balanceMinor(ann)).toBe(50n * BSM);
  });
});

test.each([
  ['of 0', { amount: 0 }, 'must be above 0'],
  ['of less than 0', { amount: -5 }, 'must be above 0'],
  ['too precise', { amount: 0.0000000001 }, 'at most 9 decimals'],
  ['above the balance', { amount: 51 }, 'Insufficient token balance! You have 50 BSM'],
  ['too large for any ledger', { amount: 1e30 }, 'must be above 0, with at most 9 decimals'],
  ['below the minimum', { amount: 0.999999999 }, 'below the minimum withdrawal of 1 BSM'],
  ['to no address', { to_address: 'nowhere' }, 'not a valid wallet address'],
  ['to an address of 31 characters', { to_address: '2'.repeat(31) }, 'not a valid wallet address'],
])('a request %s is refused with a reason', async (_what, part, words) => {
  const ann = await rich(50n * BSM);
  const body = { amount: 5, to_address: ann.wallet.address, ...part };
  const answer = await ann.call('/transaction/withdraw', { body });
  expect(answer.message).toContain(words);
  expect(answer.status).toBe(400);
  expect(await bank.balanceMinor(ann)).toBe(50n * BSM);
});

test('the treasury, the mint, a token account or a program cannot be the address', async () => {
  const ann = await rich(50n * BSM);
  const { mint, wallet, tokenAccount, program } = await bank.chain.chain.terms();
  expect((await ask(ann, 5, wallet)).message).toContain('our own wallet');
  expect((await ask(ann, 5, tokenAccount)).message).toContain('our own wallet');
  for (const address of [mint, program]) {
    expect((await ask(ann, 5, address)).message).toContain('not a valid wallet address');
  }
  expect(await bank.balanceMinor(ann)).toBe(50n * BSM);
});

test('at the end ledger, read models and chain agree exactly', () => bank.expectIntact());
