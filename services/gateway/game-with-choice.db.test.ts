import { returnsOf } from '@reelbook/admin/reads/returns';
import { auditLedger } from '@reelbook/audit/audit';
import type { ProvenRound, Seeds } from '@reelbook/contract/player/fairness';
import type { GameResult, Round } from '@reelbook/contract/player/games';
import type { GameConfig } from '@reelbook/contract/player/public';
import { checkRound } from '@reelbook/games/check';
import { checkReceipt } from '@reelbook/games/proofs/check-receipt';
import type { Receipt } from '@reelbook/games/proofs/receipt';
import { findGame, games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import { readStakes } from '@reelbook/projections/game-days/projection';
import { openSocket, startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { dice } from '@reelbook/testing/dice';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ROUNDS = 25;
const withDice = [...games, dice];

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ games: withDice });
});
afterAll(() => site.close());

const overOf = (n: number) => [2, 50, 98, 33, 75][n % 5] ?? 50;

test('a fifth game with a choice is played, shown, pushed, verified and audited', async () => {
  const { data: configs } = await site.call<Record<string, GameConfig>>('/game/configs');
  expect(configs.test_dice).toMatchObject({
    title: 'Test dice',
    rules: 'test-dice-1',
    return: { fraction: '99/100', percent: 99 },
    timed: null,
    choice: { fields: { over: { min: 2, max: 98 } }, initial: { over: 50 } },
  });
  expect(configs.slot_machine).not.toHaveProperty('choice');

  const player = await site.login();
  const socket = await openSocket(site.url, player.token);
  await socket.receive('subscribed');
  const bet = (bet_amount: number, over: number, key?: string) =>
    player.call<GameResult>('/game/test-dice/bet', {
      body: { bet_amount, choice: { over } },
      ...(key ? { key } : {}),
    });
  const played: GameResult[] = [];
  for (let n = 0; n < ROUNDS; n++) played.push((await bet(1 + (n % 7), overOf(n))).data);
  expect((await bet(101, 50)).message).toContain('bet amount exceeds maximum');
  const [first] = played;
  expect(first).toMatchObject({
    game: 'test_dice',
    bet_amount: 1,
    choice: { over: 2 },
    figures: {},
  });
  for (const [n, { reward, outcome, bet_amount }] of played.entries()) {
    const { roll } = outcome as { roll: number };
    const over = overOf(n);
    const hundredths = Math.floor(9_900 / (100 - over));
    expect(reward).toBe(roll > over ? (bet_amount * hundredths) / 100 : 0);
  }
  expect(await socket.receive('game_result', (data) => data.round_id === first?.round_id)).toEqual(
    first,
  );
  socket.close();
  const keyed = await bet(3, 40, 'k');
  expect(await bet(3, 40, 'k')).toEqual(keyed);
  expect((await bet(3, 41, 'k')).status).toBe(422);

  await vi.waitFor(async () => {
    const { data } = await player.call<{ items: Round[]; total: number }>(
      '/game/test-dice/history',
    );
    expect(data.total).toBe(ROUNDS + 1);
    expect(data.items[0]).toMatchObject({ game: 'test_dice', outcome: keyed.data.outcome });
    expect(data.items[0]?.choice).toEqual({ over: 40 });
    expect(data.items[0]?.description).toMatch(/^Test dice: rolled \d+/);
    expect((await player.call('/game/test-dice/stats')).data).toMatchObject({
      total_games: ROUNDS + 1,
    });
  }, WAIT);

  const { data: seeds } = await player.call<Seeds>('/fairness/rotate', { body: {} });
  const seed = seeds.revealed[0]?.server_seed ?? '';
  const find = (id: string) => findGame(id, withDice);
  for (const { round_id } of played) {
    const { data: proven } = await player.call<ProvenRound>(`/fairness/rounds/${round_id}`);
    const round = {
      game: 'test-dice',
      rules: proven.rules,
      stakeMinor: toMinor('points', proven.bet_amount) ?? 0n,
      lines: proven.lines,
      choice: proven.choice,
      serverSeedHash: proven.server_seed_hash,
      clientSeed: proven.client_seed,
      nonce: proven.nonce,
      outcome: proven.outcome,
      payoutMinor: toMinor('points', proven.win_amount) ?? 0n,
    };
    expect(checkRound(round, seed, find)).toMatchObject({ ok: true });
    const roll = { roll: ((proven.outcome.roll as number) % 100) + 1 };
    expect(checkRound({ ...round, outcome: roll }, seed, find)).toMatchObject({ ok: false });
  }

  const { data: receipt } = await player.call<Receipt>(
    `/fairness/rounds/${first?.round_id}/receipt`,
  );
  expect(receipt.choice).toEqual({ over: 2 });
  const failing = (value: Receipt) =>
    checkReceipt(value, null, find).flatMap(({ name, state }) => (state === 'fails' ? [name] : []));
  expect(failing(receipt)).toEqual([]);
  expect(failing({ ...receipt, choice: { over: 98 } })).toContain('events');
  const { choice: _, ...without } = receipt;
  expect(failing(without as Receipt)).toEqual(expect.arrayContaining(['events', 'draw']));

  const audit = (games?: typeof withDice) =>
    auditLedger({ pool: site.pool, vault: null, onProgress() {}, ...(games ? { games } : {}) });
  const report = await audit(withDice);
  expect(report.findings.kept).toEqual([]);
  expect(report.rounds).toMatchObject({ checked: ROUNDS + 1, awaitingReveal: 0, open: 0 });
  const unknown = await audit();
  expect(unknown.findings.first()).toMatchObject({ check: 'rounds' });
  expect(unknown.findings.first()?.message).toContain('unknown-game');
  const narrow = { fields: { over: { min: 3, max: 98 } }, initial: { over: 50 } };
  const other = await audit([...games, { ...dice, choice: narrow }]);
  expect(other.findings.first()?.message).toContain('wrong-choice');
});

test('an invalid choice is refused, and nothing is staked', async () => {
  const player = await site.login();
  const bet = (game: string, choice?: unknown) =>
    player.call(`/game/${game}/bet`, { body: { bet_amount: 1, ...(choice ? { choice } : {}) } });
  const before = (await player.call('/user/balance')).data;
  for (const [game, choice, words] of [
    ['test-dice', undefined, 'test-dice takes a choice of over'],
    ['test-dice', { over: 1 }, 'choice.over must be an integer from 2 to 98'],
    ['test-dice', { over: 99 }, 'choice.over must be an integer from 2 to 98'],
    ['test-dice', { over: 'x' }, 'choice.over must be an integer from 2 to 98'],
    ['test-dice', { under: 5 }, 'choice.under is not known'],
    ['test-dice', [50], 'choice must be a JSON object'],
    ['slot-machine', { over: 50 }, 'choice is not a field of this call'],
  ] as const) {
    const { status, message } = await bet(game, choice);
    expect([status, message]).toEqual([400, expect.stringContaining(words)]);
  }
  expect((await player.call('/user/balance')).data).toEqual(before);
});

test('finance figures include the choice', async () => {
  const days = { from: '2000-01-01', to: '2999-12-31' };
  await vi.waitFor(async () => {
    const stakes = await readStakes(site.pool, days);
    expect(returnsOf(stakes, withDice)).toMatchObject([{ game: 'test-dice', rounds: ROUNDS + 1 }]);
    const overs = stakes.map(({ choice }) => Number(choice?.over));
    expect([...new Set(overs)].sort((a, b) => a - b)).toEqual([2, 33, 40, 50, 75, 98]);
  }, WAIT);
});
