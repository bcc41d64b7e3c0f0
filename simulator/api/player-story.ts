import type { Example } from '@reelbook/contract/example';
import { API_BASE } from '@reelbook/contract/paths';
import { calls } from '@reelbook/contract/player/calls';
import { routes } from '@reelbook/contract/player/routes';
import { serverMessages } from '@reelbook/contract/socket';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet, type TestWallet } from '@reelbook/testing/wallets';
import { Compile } from 'typebox/compile';
import { expect, vi } from 'vitest';
import { workOut } from '../client/work-out.ts';
import { sealAll } from '../stages/paid-ledger.ts';
import type { PaymentReview } from '../stages/payment-review.ts';
import { openSocket, type TestSocket } from '../stages/site.ts';
import { shortened } from './example.ts';
import { openRecorder, type Recorder } from './recorder.ts';

type Caller = ReturnType<Recorder<typeof routes>['as']>;

/** A player of the story with its wallet, session and live channel. */
interface Person {
  readonly wallet: TestWallet;
  readonly call: Caller;
  readonly socket: TestSocket;
}

/** Plays one player through every call of the player API. @returns its examples, and those of the socket's messages. */
export async function playThePlayerApi(bank: PaymentReview): Promise<{
  readonly player: Readonly<Record<string, Example>>;
  readonly socket: Readonly<Record<string, unknown>>;
}> {
  const recorder = openRecorder({ origin: bank.site.url, base: API_BASE, routes, calls });
  const everyone = recorder.as(null);
  const wallet = createWallet();
  const session = await everyone('login', { body: wallet.login(Date.now()) });
  const socket = await openSocket(bank.site.url, session.token);
  const person = { wallet, call: recorder.as(session.token), socket };
  await play(bank, person);
  await moveMoney(bank, person);
  await protect(person);
  await verify(bank, person);
  await readPlayer(person);
  await readPublic(everyone);
  const messages = await readMessages(bank, socket);
  await endSessions(recorder, wallet, session.token);
  return { player: recorder.examples, socket: messages };
}

async function play({ site }: PaymentReview, { call }: Person): Promise<void> {
  await call('changeProfile', { body: { nickname: 'Ann' } });
  await call('slotBet', { body: { bet_amount: 10 }, idempotencyKey: 'spin-1' });
  for (let spin = 0; spin < 20; spin++) await call('slotBet', { body: { bet_amount: 1 } });
  await call('command', { params: { key: 'spin-1' } });
  await call('discardCommand', { params: { key: 'spin-2' } });
  const dice = { bet_amount: 5, choice: { over: 50 } };
  const game = 'test-dice';
  await call('gameBet', { params: { game }, body: dice, idempotencyKey: 'dice-1' });
  const params = { game: 'snake' };
  const round = await call('gameStart', { params, idempotencyKey: 'snake-1' });
  await call('gameRound', { params });
  const { figures: body, ticks } = workOut(round);
  await vi.waitFor(async () => {
    const { round } = await call('gameRound', { params });
    expect(round?.elapsed_ms).toBeGreaterThan(ticks * (round?.tick_ms ?? 0));
  }, WAIT);
  await call('gamePlay', { params, body, idempotencyKey: 'snake-2' });
  await untilCaughtUp(site.pool);
  await call('gameHistory', { params, query: { page: 1, page_size: 10 } });
  await call('gameStats', { params });
  await call('slotHistory', { query: { page: 1, page_size: 10 } });
  await call('slotStats');
}

async function moveMoney(bank: PaymentReview, { call, wallet }: Person): Promise<void> {
  await call('faucet');
  bank.chain.finalize();
  await call('walletBalance', { query: { wallet_address: wallet.address } });
  await call('depositIntent', { body: { amount: 50 } });
  const tx_hash = await bank.chain.deposit(wallet, 50n * 10n ** 9n);
  await call('deposit', { body: { amount: 50, tx_hash } });
  await bank.until(async () => expect((await call('balance')).token_balance).toBe(50));
  const exchange = { from_type: 'token', to_type: 'points', amount: 20 } as const;
  await call('exchange', { body: exchange, idempotencyKey: 'exchange-1' });
  const withdraw = { amount: 10, to_address: wallet.address };
  const { withdrawal_id } = await call('withdraw', { body: withdraw, idempotencyKey: 'cash-1' });
  await bank.reaches(withdrawal_id, 'finalized');
  await call('payment', { params: { id: withdrawal_id } });
}

async function protect({ call }: Person): Promise<void> {
  const limit = { limit: 'loss', period: 'day' } as const;
  await call('setLimit', { body: { ...limit, amount: 500 } });
  await call('setLimit', { body: { ...limit, amount: 900 } });
  await call('protection');
  await call('cancelLimitChange', { body: limit });
  await call('setRealityCheck', { body: { interval_minutes: 60 } });
  await call('acknowledgeRealityCheck');
  await call('excludeSelf', { body: { term: '24h' } });
}

async function verify(bank: PaymentReview, { call }: Person): Promise<void> {
  await call('rotateSeeds', { body: { client_seed: 'my-own-words' } });
  await call('seeds');
  await call('pairNonces', { params: { pair: '1' }, query: { page: 1, page_size: 50 } });
  await sealAll(bank);
  await untilCaughtUp(bank.site.pool);
  const [spin] = (await call('slotHistory')).items;
  const round = { params: { round_id: spin?.round_id ?? '' } };
  await call('round', round);
  await call('receipt', round);
  await call('event', { params: { position: String(spin?.bet_position) } });
}

async function readPlayer({ call }: Person): Promise<void> {
  await call('profile');
  await call('achievements');
  await call('transactions', { query: { page: 1, page_size: 20 } });
  await call('statement', { query: { from: '2026-01-01' } });
  await call('statementFile', { query: { format: 'csv', from: '2026-01-01' } });
  await call('ownData');
  const { items } = await call('notifications', { query: { page: 1, page_size: 20 } });
  await call('readNotification', { params: { id: String(items[0]?.id) } });
  await call('readNotifications');
}

async function endSessions(
  recorder: Recorder<typeof routes>,
  wallet: TestWallet,
  first: string,
): Promise<void> {
  const login = () => recorder.as(null)('login', { body: wallet.login(Date.now()) });
  await login();
  const { token } = await recorder.as(first)('refresh');
  const call = recorder.as(token);
  const ended = (await call('sessions')).find(({ current }) => !current);
  await call('endSession', { params: { id: ended?.id ?? '' } });
  await call('logout');
  await recorder.as((await login()).token)('logoutAll');
}

async function readPublic(call: Caller): Promise<void> {
  await call('systemConfig');
  await call('tokenConfig');
  await call('exchangeRates');
  await call('projectWallet');
  await call('tokenContract');
  await call('homeFigures');
  await call('leaderboard', { params: { board: 'wins' } });
  await call('gameConfigs');
  await call('recentWinnings', { query: { limit: 10 } });
  await call('slotSymbols');
  await call('slotPaylines');
  await call('receiptKey');
  await call('ledgerSeals');
}

/** One message of each type. */
async function readMessages({ admin }: PaymentReview, socket: TestSocket) {
  socket.send({ type: 'ping' });
  socket.send({ type: 'no such type' });
  const body = { switch: 'game:minesweeper', on: false, reason: 'an example' };
  await admin.by.operator.call('/admin/switches', { method: 'PUT', body });
  await socket.receive('config_updated');
  await socket.receive('error');
  // Whether a big win is notified before is luck.
  const found = (wanted: string) =>
    socket.messages.find(({ type, data }) => type === wanted && data.kind !== 'big-win');
  return Object.fromEntries(
    Object.entries(serverMessages).flatMap(([type, schema]) => {
      const message = found(type);
      if (!message) return [];
      expect([type, ...Compile(schema).Errors(message)]).toEqual([type]);
      return [[type, shortened(message)]];
    }),
  );
}
