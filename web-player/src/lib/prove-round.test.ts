import { hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { snake } from '@reelbook/games/snake/rules';
import { expect, test } from 'vitest';
import { proveRound } from './prove-round.ts';

const SERVER_SEED = '7c'.repeat(32);

function played(nonce: number) {
  const draws = createDraws({ serverSeed: SERVER_SEED, clientSeed: 'mine', nonce });
  const rules = snake.rulesIds[0] ?? '';
  const { outcome, payoutMinor } = snake.draw({ rules, stakeMinor: 1_000n, lines: 1, draws });
  return {
    outcome,
    lines: 1,
    bet_amount: 10,
    win_amount: Number(payoutMinor) / 100,
    rules,
    server_seed_hash: hashServerSeed(SERVER_SEED),
    client_seed: 'mine',
    nonce,
  };
}

test('an honest round is proven, in any order of its fields', () => {
  for (let nonce = 0; nonce < 5; nonce++) {
    const round = played(nonce);
    const outcome = Object.fromEntries(Object.entries(round.outcome).reverse());
    expect(proveRound({ ...round, outcome }, SERVER_SEED).ok).toBe(true);
  }
});

test('another seed, reward, length or nonce is found', () => {
  const round = played(0);
  expect(proveRound(round, '7d'.repeat(32)).ok).toBe(false);
  const changes = [
    { win_amount: round.win_amount + 1 },
    { nonce: 1 },
    { rules: 'snake-99' },
    { outcome: { ...round.outcome, length: 99 } },
  ];
  for (const change of changes) {
    expect(proveRound({ ...round, ...change }, SERVER_SEED).ok).toBe(false);
  }
});
