import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fraction } from '../fraction.ts';
import { MINES, minesAround, minesweeper, SIDE, simulateMinesweeper } from './rules.ts';

const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

test('minesweeper-1 returns exactly 95.002 %, and its text never changes', () => {
  const odds = minesweeper.odds('minesweeper-1');
  const exact = fraction(5100391145720708768596597644031394340993n, 2n ** 60n * 5n ** 31n);
  expect(odds.expectedReturn).toEqual(exact);
  // 7/10 x half of (19/20)^(2n - 2) + (19/20)^(2n - 1), that is 39/40 of the first.
  const steps = [12n, 2n, 2n, 1n, 3n, 2n].map((tenths, i) => {
    const before = 2n * ([3n, 5n, 8n, 10n, 12n, 15n][i] ?? 0n) - 2n;
    return tenths * 19n ** before * 20n ** (28n - before);
  });
  const sum = steps.reduce((total, step) => total + step);
  expect(odds.expectedReturn).toEqual(fraction(7n * 39n * sum, 10n * 40n * 10n * 20n ** 28n));
  expect(odds.rulesHash).toBe('fc0c8817debe16f6d59222a0d8be71a9a5ae1aef1e6440b199a154c65cffeb4e');
});

test('the round of one seed never changes', () => {
  const ticks = simulateMinesweeper('5a'.repeat(32), 'minesweeper-1');
  expect(ticks).toHaveLength(47);
  expect(ticks.at(-1)).toMatchObject({ score: 1070, minesFound: 15, completed: true });
  expect(hash('sha256', JSON.stringify(ticks))).toBe(
    'a803c1e1f7acd302d321af019ba0a9d47ba884de2b8d1c6ba97fbe070d7e5057',
  );
});

test('a tick finds a mine or opens a cell with the correct number, and at most 15 are found', () => {
  fc.assert(
    fc.property(seed, (roundSeed) => {
      const ticks = simulateMinesweeper(roundSeed, 'minesweeper-1');
      const end = ticks.at(-1);
      const mines = [...(end?.field ?? '')].flatMap((look, cell) =>
        'F*M'.includes(look) ? [cell] : [],
      );
      expect(mines).toHaveLength(MINES);
      let before = '#'.repeat(SIDE * SIDE);
      for (const [i, one] of ticks.entries()) {
        expect(one.last).toBe(i === ticks.length - 1);
        expect(one.minesFound).toBeLessThanOrEqual(MINES);
        for (const [cell, look] of [...one.field].entries()) {
          const truth = mines.includes(cell) ? 'F' : String(minesAround(cell, mines));
          const hit = one.last && !one.completed && mines.includes(cell);
          if (look !== '#' && !hit) expect(look).toBe(truth);
        }
        if (!one.last) {
          const changed = [...one.field].flatMap((look, cell) =>
            look === before[cell] ? [] : [cell],
          );
          expect(changed).toEqual(one.cell === null ? [] : [one.cell]);
          expect([...one.field].filter((look) => look === 'F')).toHaveLength(one.minesFound);
        }
        before = one.field;
      }
      expect(end?.field.includes('*')).toBe(!end?.completed);
      if (end?.completed) expect(end.field).not.toContain('#');
    }),
    { numRuns: 60 },
  );
});

test('adjacent mines are counted up to the edge of the field', () => {
  expect(minesAround(0, [0, 1, 11, 12, 13, 14])).toBe(3);
  expect(minesAround(13, [0, 1, 2, 12, 14, 24, 25, 26])).toBe(8);
});

test('unknown rules and invalid seeds are refused', () => {
  expect(() => simulateMinesweeper('5a'.repeat(32), 'minesweeper-0')).toThrow('minesweeper-0');
  expect(() => simulateMinesweeper('5a', 'minesweeper-1')).toThrow(RangeError);
});
