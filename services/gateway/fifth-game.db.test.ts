import { auditBook } from '@reelbook/audit/audit';
import type { ProvenRound, Seeds } from '@reelbook/contract/player/fairness';
import type { GameResult } from '@reelbook/contract/player/games';
import type { GameConfig } from '@reelbook/contract/player/public';
import type { Round } from '@reelbook/contract/player/slot';
import { checkRound } from '@reelbook/games/check';
import { findGame, games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import { openSocket, startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { dice } from '@reelbook/testing/dice';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ROUNDS = 25;
/** One file and one line: this is the line. */
const withDice = [...games, dice];

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ games: withDice });
});
afterAll(() => site.close());

test('a fifth game is one folder and one line: it is played, shown, pushed, verified and audited', async () => {
  const { data: configs } = await site.call<Record<string, GameConfig>>('/game/configs');
  expect(configs.dice).toMatchObject({
    title: 'Dice',
    rules: 'dice-1',
    return: { fraction: '19/20', percent: 95 },
    timed: null,
  });

  const player = await site.login();
  const socket = await openSocket(site.url, player.token);
  await socket.receive('subscribed');
  const bet = (bet_amount: number, key?: string) =>
    player.call<GameResult>('/game/dice/bet', { body: { bet_amount }, ...(key ? { key } : {}) });
  const played: GameResult[] = [];
  for (let n = 0; n < ROUNDS; n++) played.push((await bet(1 + (n % 7))).data);
  expect((await bet(101)).message).toContain('bet amount exceeds maximum');
  const [first] = played;
  expect(first).toMatchObject({ game: 'dice', bet_amount: 1, figures: {} });
  for (const { reward, outcome, bet_amount } of played) {
    const { roll } = outcome as { roll: number };
    expect(reward).toBe(roll > 50 ? (bet_amount * 19) / 10 : 0);
  }
  expect(await socket.receive('game_result', (data) => data.round_id === first?.round_id)).toEqual(
    first,
  );
  socket.close();
  const keyed = await bet(3, 'k');
  expect(await bet(3, 'k')).toEqual(keyed);

  await vi.waitFor(async () => {
    const { data } = await player.call<{ items: Round[]; total: number }>('/game/dice/history');
    expect(data.total).toBe(ROUNDS + 1);
    expect(data.items[0]).toMatchObject({ game: 'dice', outcome: keyed.data.outcome });
    expect(data.items[0]?.description).toMatch(/^Dice: rolled \d+/);
    expect((await player.call('/game/dice/stats')).data).toMatchObject({ total_games: ROUNDS + 1 });
  }, WAIT);

  const { data: seeds } = await player.call<Seeds>('/fairness/rotate', { body: {} });
  const seed = seeds.revealed[0]?.server_seed ?? '';
  const find = (id: string) => findGame(id, withDice);
  for (const { round_id } of played) {
    const { data: told } = await player.call<ProvenRound>(`/fairness/rounds/${round_id}`);
    const round = {
      game: 'dice',
      rules: told.rules,
      stakeMinor: toMinor('points', told.bet_amount) ?? 0n,
      lines: told.lines,
      serverSeedHash: told.server_seed_hash,
      clientSeed: told.client_seed,
      nonce: told.nonce,
      outcome: told.outcome,
      payoutMinor: toMinor('points', told.win_amount) ?? 0n,
    };
    expect(checkRound(round, seed, find)).toMatchObject({ ok: true });
    const roll = { roll: ((told.outcome.roll as number) % 100) + 1 };
    expect(checkRound({ ...round, outcome: roll }, seed, find)).toMatchObject({ ok: false });
  }

  const audit = (games?: typeof withDice) =>
    auditBook({ pool: site.pool, vault: null, onProgress() {}, ...(games ? { games } : {}) });
  const report = await audit(withDice);
  expect(report.findings.kept).toEqual([]);
  expect(report.rounds).toMatchObject({ checked: ROUNDS + 1, awaitingReveal: 0, open: 0 });
  const without = await audit();
  expect(without.findings.first()).toMatchObject({ check: 'rounds' });
  expect(without.findings.first()?.message).toContain('unknown-game');
});
