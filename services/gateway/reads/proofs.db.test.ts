import { sealDue } from '@reelbook/auditor/seal';
import type {
  EventProof,
  LedgerSeal,
  PairNonce,
  Receipt,
  ReceiptKey,
  Seeds,
} from '@reelbook/contract/player/fairness';
import type { BetResult, GameResult, StartResult } from '@reelbook/contract/player/games';
import { startExecutor } from '@reelbook/event-store/execute';
import { createDraws } from '@reelbook/games/fairness/draw';
import { findChainFault } from '@reelbook/games/proofs/chained-event';
import { checkEvent, checkInclusion } from '@reelbook/games/proofs/check-event';
import { checkReceipt } from '@reelbook/games/proofs/check-receipt';
import { snake } from '@reelbook/games/snake/rules';
import { simulateTetris } from '@reelbook/games/tetris/rules';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { toText } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { type FakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Long enough that no sweep ends a round before the test advances the clock. */
const TICK_MS = 60_000;
const ROUND_MAX_MS = 600 * TICK_MS;

let site: TestSite;
let clock: FakeClock;
let anna: TestPlayer;
let bert: TestPlayer;

beforeAll(async () => {
  site = await startSite({
    gameTickMs: TICK_MS,
    async prepare(database) {
      clock = await openFakeClock(database);
    },
  });
  [anna, bert] = [await site.login(), await site.login()];
});
afterAll(() => site.close());

const bet = async (player: TestPlayer) =>
  (await player.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: 2 } })).data;
const rotate = (player: TestPlayer) => player.call<Seeds>('/fairness/rotate', { body: {} });
const receiptOf = async (player: TestPlayer, round: string) =>
  (await player.call<Receipt>(`/fairness/rounds/${round}/receipt`)).data;
const states = (receipt: Receipt, key: string | null = null) =>
  Object.fromEntries(checkReceipt(receipt, key).map(({ name, state }) => [name, state]));

/** The checks of a receipt that pass before its seed is revealed and its events are sealed. */
const OWN_PARTS = {
  signature: 'passes',
  chain: 'passes',
  events: 'passes',
  commitment: 'passes',
  postings: 'passes',
};

/** Seals the ledger and waits until the seal can be read. */
async function seal(): Promise<void> {
  const executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
  const terms = { everyEvents: 16_384, everyMs: 0 };
  const sealed = await sealDue({ pool: site.pool, executor, terms });
  await executor.close();
  expect(sealed).not.toBeNull();
  await vi.waitFor(async () => {
    const { data } = await site.call<LedgerSeal[]>('/fairness/seals');
    expect(data[0]).toMatchObject({ seal: sealed?.seal, root: sealed?.root });
  }, WAIT);
}

describe('the receipt of a round', () => {
  it('awaits reveal and seal, and then passes every check', async () => {
    const { round_id } = await bet(anna);
    const early = await receiptOf(anna, round_id);
    expect(early).toMatchObject({
      version: 'reelbook-receipt-2',
      seed_status: 'awaiting reveal',
      server_seed: null,
      events: new Array(4).fill({ status: 'not sealed yet' }),
    });
    expect(states(early)).toEqual({
      ...OWN_PARTS,
      inclusion: 'open',
      rules: 'passes',
      seed: 'open',
      draw: 'open',
    });
    await rotate(anna);
    await seal();
    const late = await receiptOf(anna, round_id);
    const { data: key } = await site.call<ReceiptKey>('/fairness/key');
    expect(Object.values(states(late, key.public_key))).toEqual(new Array(9).fill('passes'));
    expect(late.events.map(({ inclusion }) => inclusion?.seal)).toEqual([1, 1, 1, 1]);
    // The earlier receipt stays valid for its time of issue.
    expect(Object.values(states(early, key.public_key))).not.toContain('fails');
  });

  it("does not exist for another player's or an unknown round", async () => {
    const { round_id } = await bet(anna);
    for (const [player, id] of [
      [bert, round_id],
      [anna, `${anna.publicId}-99999`],
    ] as const) {
      const refused = await player.call(`/fairness/rounds/${id}/receipt`);
      expect([refused.status, refused.message]).toEqual([404, 'you have no such round']);
    }
    const anonymous = await site.call(`/fairness/rounds/${round_id}/receipt`);
    expect(anonymous.status).toBe(401);
  });
});

const start = async (player: TestPlayer, game: string) => {
  const { data, status } = await player.call<StartResult>(`/game/${game}/start`, { body: {} });
  expect(status).toBe(200);
  return data;
};

describe('the receipt of a timed round', () => {
  it('does not reveal the end early, and proves it after the reveal', async () => {
    const player = await site.login();
    const begun = await start(player, 'tetris');
    const between = await bet(player);
    const early = await receiptOf(player, begun.round_id);
    expect(early).toMatchObject({ status: 'open', payout_minor: null, outcome: null, nonce: 0 });
    expect(early).toMatchObject({ game: 'tetris', rules: 'tetris-1', stake_minor: '1000' });
    expect(early.events.slice(2).map(({ position }) => position)).toEqual([begun.bet_position]);
    const waiting = { inclusion: 'open', seed: 'open', draw: 'open' };
    expect(states(early)).toEqual({ ...OWN_PARTS, rules: 'passes', ...waiting });
    expect(JSON.stringify(early)).not.toContain(begun.round_seed);
    const refused = await rotate(player);
    expect(refused).toMatchObject({ status: 409, data: { error: 'rotate-round-open' } });

    const last = simulateTetris(begun.round_seed, begun.rules).at(-1);
    const { score, lines, level, tick: game_time } = last ?? {};
    const figures = { score, lines, level, game_time };
    await clock.forward(ROUND_MAX_MS);
    const answer = await player.call<GameResult>('/game/tetris/play', { body: figures });
    expect(answer.status).toBe(200);
    const { data: played } = answer;
    const ended = await receiptOf(player, begun.round_id);
    expect(ended).toMatchObject({
      status: played.result,
      payout_minor: String(played.win_amount * 100),
      outcome: { roundSeed: begun.round_seed, ticks: game_time, level, lines, score },
      server_seed: null,
    });
    expect(states(ended)).toEqual({ ...OWN_PARTS, rules: 'passes', ...waiting });
    // Another round is recorded between its stake and its settlement.
    const [, , placed = 0, settled = 0] = ended.events.map(({ position }) => position);
    expect(placed).toBeLessThan(between.bet_position);
    expect(settled).toBeGreaterThan(between.bet_position);

    await rotate(player);
    await seal();
    const late = await receiptOf(player, begun.round_id);
    const { data: key } = await site.call<ReceiptKey>('/fairness/key');
    expect(Object.values(states(late, key.public_key))).toEqual(new Array(9).fill('passes'));
    const bent = { ...late, outcome: { ...late.outcome, level: 99 } };
    expect(states(bent, key.public_key)).toMatchObject({
      signature: 'fails',
      events: 'fails',
      draw: 'fails',
    });
  });

  it('of a voided round contains stake and reason, and its nonce is listed with the reason', async () => {
    const player = await site.login();
    const begun = await start(player, 'snake');
    const reason = 'the page of the game did not load';
    await voidRound(player, begun.round_id, reason);
    const { round_id: next } = await bet(player);
    const early = await receiptOf(player, begun.round_id);
    expect(early).toMatchObject({ status: 'voided', payout_minor: '1000', outcome: null });
    expect(early.events.map(({ body }) => JSON.parse(body).type)).toEqual([
      'SeedsCommitted',
      'ClientSeedChanged',
      'BetPlaced',
      'BetVoided',
    ]);
    expect(states(early)).toMatchObject({ inclusion: 'open', seed: 'open', draw: 'open' });
    const { status } = await rotate(player);
    expect(status).toBe(200);
    await seal();
    const late = await receiptOf(player, begun.round_id);
    expect(Object.values(states(late))).toEqual(new Array(9).fill('passes'));
    const draw = checkReceipt(late, null).find(({ name }) => name === 'draw');
    // The revealed seed gives the outcome that was voided.
    const { server_seed: serverSeed, client_seed: clientSeed, nonce } = late;
    const draws = createDraws({ serverSeed: serverSeed ?? '', clientSeed, nonce });
    const drawn = snake.draw({ rules: late.rules, stakeMinor: 1_000n, lines: 1, draws });
    expect(drawn.outcome.roundSeed).toBe(begun.round_seed);
    const paid = `would have paid ${toText('points', drawn.payoutMinor)};`;
    expect(draw?.message).toContain(paid);
    expect(draw?.message).toContain(`gave the stake of 10 points back (${reason})`);
    const { data } = await player.call<{ items: PairNonce[] }>('/fairness/seeds/1/nonces');
    expect(data.items).toMatchObject([
      { nonce: 0, round_id: begun.round_id, game: 'snake', status: 'voided', reason },
      { nonce: 1, round_id: next, game: 'slot_machine', reason: null },
    ]);
    expect(data.items[0]?.position).toBe(late.events[3]?.position);
  });
});

/** Voids a round with the command of an operator. Resolves when the projection shows it. */
async function voidRound(player: TestPlayer, round: string, reason: string): Promise<void> {
  const executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
  const executed = await executor.execute({
    decider: playerDecider,
    stream: playerStream(player.wallet.address),
    idempotencyKey: `void:${round}`,
    request: { command: 'void-round', round, reason },
    meta: { correlation: `void-${round}`, actor: 'operator:test' },
    prepare: async () => ({
      command: {
        type: 'VoidRound' as const,
        round,
        reason,
        by: 'operator:test',
        terms: defaultConfig.adjust,
        isAllowed: true,
        nowMs: Date.now(),
        operators: { test: 'operator' as const },
      },
      configVersion: null,
    }),
  });
  await executor.close();
  expect(executed.kind).toBe('done');
  await vi.waitFor(async () => {
    expect(await receiptOf(player, round)).toMatchObject({ status: 'voided' });
  }, WAIT);
}

describe("the proof of an event of one's own", () => {
  it('is not sealed yet, and then proves the inclusion in the seal', async () => {
    const { bet_position } = await bet(anna);
    const path = `/user/events/${bet_position}`;
    const { data: early } = await anna.call<EventProof>(path);
    expect(early).toMatchObject({ status: 'not sealed yet', inclusion: null });
    expect(findChainFault(early)).toBeNull();
    expect(JSON.parse(early.body)).toMatchObject({ type: 'BetPlaced', position: bet_position });
    await seal();
    const { data: late } = await anna.call<EventProof>(path);
    expect(late).toMatchObject({ status: 'sealed', hash: early.hash, body: early.body });
    expect(checkEvent(late).map(({ name, state }) => [name, state])).toEqual([
      ['chain', 'passes'],
      ['commitment', 'passes'],
      ['inclusion', 'passes'],
    ]);
    const [committed, chosen] = late.commitment ?? [];
    const { data: seeds } = await anna.call<Seeds>('/fairness/seeds');
    expect(JSON.parse(committed?.body ?? '').data.activeHash).toBe(seeds.active.server_seed_hash);
    expect(JSON.parse(chosen?.body ?? '').data.clientSeed).toBe(seeds.active.client_seed);
    const elsewhere = { ...late, hash: late.previous_hash };
    expect(checkInclusion([elsewhere]).state).toBe('fails');
  });

  it('exists for every event of the player, also the first, and for no other event', async () => {
    await bet(bert);
    await seal();
    const { data: balance } = await bert.call<{ position: number }>('/user/balance');
    const proven = [];
    for (let position = 1; position <= balance.position; position++) {
      const answer = await bert.call<EventProof>(`/user/events/${position}`);
      if (answer.status === 200) proven.push(answer.data);
      else expect([answer.status, answer.message]).toEqual([404, 'you have no such event']);
    }
    const streams = new Set(proven.map(({ body }) => JSON.parse(body).stream));
    expect([...streams]).toEqual([`player-${bert.wallet.address}`]);
    expect(proven.length).toBeGreaterThanOrEqual(7);
    expect(checkInclusion(proven).state).toBe('passes');
    expect(proven.map(findChainFault).filter(Boolean)).toEqual([]);
  });

  it.each([
    ['0', 400, 'position has invalid characters or an invalid length'],
    ['-1', 400, 'position has invalid characters or an invalid length'],
    ['1e3', 400, 'position has invalid characters or an invalid length'],
    ['9'.repeat(16), 400, 'position has invalid characters or an invalid length'],
    ['9'.repeat(15), 404, 'you have no such event'],
  ])('of position %s is refused', async (position, status, message) => {
    const refused = await anna.call(`/user/events/${position}`);
    expect([refused.status, refused.message]).toEqual([status, message]);
  });
});

it('the newest seals are public', async () => {
  const { data } = await site.call<LedgerSeal[]>('/fairness/seals');
  expect(data.length).toBeGreaterThanOrEqual(3);
  const numbers = data.map(({ seal: number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  expect(data[0]).toMatchObject({ root: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
