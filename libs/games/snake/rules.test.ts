import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fraction } from '../fraction.ts';
import { CELLS, SIDE, simulateSnake, snake } from './rules.ts';

/** A meal every 4th tick: the chance of n meals is (97/100)^(4n - 1). */
const RETURN =
  '380344521641935400221622921947603623951742886393607242405718042790547983498095155167588463' +
  '84738324735324734119424380913873362703993165075561945160507229987233';
const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

test('snake-1 returns exactly 95.086 %, and its text never changes', () => {
  const odds = snake.odds('snake-1');
  expect(odds.expectedReturn).toEqual(fraction(BigInt(RETURN), 2n ** 159n * 5n ** 157n));
  const steps = [15n, 1n, 4n, 5n, 25n].map((tenths, i) => {
    const meals = [9n, 10n, 12n, 15n, 20n][i] ?? 0n;
    return tenths * 97n ** (4n * meals - 1n) * 100n ** (80n - 4n * meals);
  });
  const written = fraction(
    steps.reduce((sum, step) => sum + step),
    10n * 100n ** 79n,
  );
  expect(odds.expectedReturn).toEqual(written);
  expect(odds.rulesHash).toBe('9d36d6092afaf8e767ff82b4f4a6ebbcf50726ee4217b31cc2986f0b1b9f59ab');
});

test('the round of one seed never changes', () => {
  const ticks = simulateSnake('5a'.repeat(32), 'snake-1');
  expect(ticks).toHaveLength(29);
  expect(ticks.at(-1)).toMatchObject({ score: 70, length: 10, last: true });
  expect(hash('sha256', JSON.stringify(ticks))).toBe(
    '9b8eb02c828061158058697f80e7a5a9d49486e67c3a75d61e5596e581840d3f',
  );
});

test('the snake moves one cell per tick, never over itself, and eats at its meal', () => {
  fc.assert(
    fc.property(seed, (roundSeed) => {
      const ticks = simulateSnake(roundSeed, 'snake-1');
      for (const [i, one] of ticks.entries()) {
        const before = ticks[i - 1];
        expect(one.body).toHaveLength(one.length);
        expect(new Set(one.body).size).toBe(one.length);
        expect(one.body).not.toContain(one.meal);
        for (const [at, cell] of one.body.entries()) {
          expect(cell >= 0 && cell < CELLS).toBe(true);
          const next = one.body[at + 1];
          if (next !== undefined) expect(apart(cell, next)).toBe(1);
        }
        if (before) {
          expect(one.body.slice(1)).toEqual(before.body.slice(0, one.length - 1));
          expect(one.ate).toBe(one.body[0] === before.meal);
          expect(one.length - before.length).toBe(one.ate ? 1 : 0);
          expect(one.score - before.score).toBe(one.ate ? 10 : 0);
        }
        expect(one.last).toBe(i === ticks.length - 1);
      }
    }),
    { numRuns: 60 },
  );
});

test('rounds have different paths', () => {
  const ways = Array.from({ length: 20 }, (_, i) =>
    simulateSnake((i + 16).toString(16).repeat(32), 'snake-1')[0]?.body.join(),
  );
  expect(new Set(ways).size).toBeGreaterThan(15);
});

test('unknown rules and invalid seeds are refused', () => {
  expect(() => simulateSnake('5a'.repeat(32), 'snake-0')).toThrow('snake-0');
  expect(() => simulateSnake('5a', 'snake-1')).toThrow(RangeError);
});

function apart(a: number, b: number): number {
  const [dx, dy] = [(a % SIDE) - (b % SIDE), Math.floor(a / SIDE) - Math.floor(b / SIDE)];
  return Math.abs(dx) + Math.abs(dy);
}
