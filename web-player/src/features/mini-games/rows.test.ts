// @vitest-environment happy-dom
import { findFace } from '@reelbook/games/faces';
import { createDraws } from '@reelbook/games/fairness/draw';
import { paidMinor } from '@reelbook/games/game';
import { games } from '@reelbook/games/rules';
import { describe, expect, test } from 'vitest';
import { numberIn, rowsAt } from './rows.ts';
import { momentOf } from './timed-play.tsx';

const FEE_MINOR = 1_000n;

describe.each(games.filter(({ timed }) => timed !== null))('$id', (game) => {
  const [rules = ''] = game.rulesIds;
  const odds = game.odds(rules);
  const { paytable } = odds;

  test('the marked row is the one that the rules pay, and the next one is above it', async () => {
    const page = await findFace(game.id)?.page?.();
    if (page?.kind !== 'lasting') throw new Error('a timed page');
    let paid = 0;
    for (let nonce = 0; nonce < 100; nonce++) {
      const draws = createDraws({ serverSeed: '77'.repeat(32), clientSeed: 'rows', nonce });
      const drawn = game.draw({ rules, stakeMinor: FEE_MINOR, lines: 1, draws });
      const ticks = page.simulate(String(drawn.outcome.roundSeed), rules);
      const end = ticks.at(-1);
      if (!end) throw new Error('a tick');
      const { reached } = rowsAt(paytable, page.count(end));
      // As the list of rounds names it.
      const described = `${game.title}: ${game.describe(drawn.outcome)}`;
      expect(Number(numberIn(described))).toBe(page.count(end));
      const pays = reached !== null && page.isVoid?.(end) !== true;
      const stake = { ...odds, stakeMinor: FEE_MINOR };
      expect(pays ? paidMinor(reached, stake) : 0n).toBe(drawn.payoutMinor);
      if (pays) paid++;
      for (const tick of [null, ...ticks]) {
        const { reached: now, next } = rowsAt(paytable, page.count(tick));
        if (next) expect(Number(numberIn(next.row))).toBeGreaterThan(page.count(tick));
        const [below, above] = [now && paytable.indexOf(now), next && paytable.indexOf(next)];
        expect(below ?? paytable.length).toBe((above ?? -1) + 1);
      }
    }
    expect(paid).toBeGreaterThan(0);
  });
});

test('the moment of a round counts ticks that have passed, and stops at the last', () => {
  const ticks = Array.from({ length: 3 }, (_, i) => ({ tick: i + 1, score: 0, last: i === 2 }));
  const round = { roundId: 'r', rules: 'x', ticks, tickMs: 1_000, beganMs: 5_000 };
  const at = (nowMs: number) => Object.values(momentOf(round, nowMs));
  expect(at(4_990)).toEqual([0, 0]);
  expect(at(5_999)).toEqual([0, 999]);
  expect(at(6_000)).toEqual([1, 0]);
  expect(at(7_250)).toEqual([2, 250]);
  expect(at(8_000)).toEqual([3, 0]);
  expect(at(99_000)).toEqual([3, 0]);
});
