import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fraction } from '../fraction.ts';
import {
  COLUMNS,
  EMPTY,
  emptyWell,
  PIECES,
  ROWS,
  settle,
  simulateTetris,
  tetris,
} from './rules.ts';

/** Over 50^149: levels 5, 7, 9, 11, 13, 16 are reached with the chance (49/50)^(10 level - 11). */
const RETURN =
  '665331941904279106293728362229827014658419906884616558813629638059405323437467547753573018' +
  '670711210560859381865113136818263855375271070540198508270449150919945626696767610825651185' +
  '3107198570377283915570378285797447076573142013271417399353425326562942449';
const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

test('tetris-1 returns exactly 94.959 %, and its text never changes', () => {
  const odds = tetris.odds('tetris-1');
  expect(odds.expectedReturn).toEqual(fraction(BigInt(RETURN), 2n ** 148n * 5n ** 298n));
  const steps = [12n, 3n, 5n, 5n, 5n, 20n].map((tenths, i) => {
    const level = [5n, 7n, 9n, 11n, 13n, 16n][i] ?? 0n;
    return tenths * 49n ** (10n * level - 11n) * 50n ** (160n - 10n * level);
  });
  const written = fraction(
    steps.reduce((sum, step) => sum + step),
    10n * 50n ** 149n,
  );
  expect(odds.expectedReturn).toEqual(written);
  expect(odds.rulesHash).toBe('5b68b87479226874dec815b26976404295daec5abc0c1e0c09cb18beda417e65');
});

test('the round of one seed never changes', () => {
  const ticks = simulateTetris('5a'.repeat(32), 'tetris-1');
  expect(ticks).toHaveLength(96);
  expect(ticks.at(-1)).toMatchObject({ score: 4660, lines: 35, level: 10, last: true });
  expect(hash('sha256', JSON.stringify(ticks))).toBe(
    '840bd23c18649021f963b2443cfaaf9706e1d148c9b1d69f9e45be921b215d44',
  );
});

test('every piece falls to a free place, full rows are removed, and nothing else changes', () => {
  fc.assert(
    fc.property(seed, (roundSeed) => {
      const ticks = simulateTetris(roundSeed, 'tetris-1');
      let [before, score, lines] = [emptyWell, 0, 0];
      for (const [i, one] of ticks.entries()) {
        expect(one.tick).toBe(i + 1);
        expect(one.last).toBe(i === ticks.length - 1);
        expect(one.level).toBe(1 + Math.floor(one.tick / 10));
        expect(one.cells).toHaveLength(4);
        expect(one.emptied).toBe(settle(before, one.piece) === null);
        if (one.emptied) before = emptyWell;
        const expected = before.map((row) => [...row]);
        for (const [x, y] of one.cells) {
          expect(expected[y]?.[x]).toBe(EMPTY);
          (expected[y] ?? [])[x] = one.piece;
        }
        expect(one.resting).toEqual(expected.map((row) => row.join('')));
        // It lies on the ground or on something.
        const own = new Set(one.cells.map(String));
        const held = one.cells.some(
          ([x, y]) => y === ROWS - 1 || (!own.has(`${x},${y + 1}`) && before[y + 1]?.[x] !== EMPTY),
        );
        expect(held).toBe(true);
        const full = one.resting.flatMap((row, y) => (row.includes(EMPTY) ? [] : [y]));
        expect(one.cleared).toEqual(full);
        expect(one.rows).toHaveLength(ROWS);
        const filled = (rows: readonly string[]) => rows.join('').replaceAll(EMPTY, '').length;
        expect(filled(one.rows)).toBe(filled(one.resting) - COLUMNS * full.length);
        lines += full.length;
        score += 10 + ([0, 100, 300, 500, 800][full.length] ?? 0);
        expect([one.lines, one.score]).toEqual([lines, score]);
        before = one.rows;
      }
    }),
    { numRuns: 30 },
  );
});

test('a piece without room is reported', () => {
  const full = Array.from({ length: ROWS }, (_, y) =>
    y === 0 ? `${EMPTY}IIIIIIIII` : '.IIIIIIIII',
  );
  for (const piece of PIECES) expect(settle(full, piece) !== null, piece).toBe(piece === 'I');
  expect(settle(emptyWell, 'O')?.cells).toEqual([
    [0, 18],
    [1, 18],
    [0, 19],
    [1, 19],
  ]);
});

test('unknown rules and invalid seeds are refused', () => {
  expect(() => simulateTetris('5a'.repeat(32), 'tetris-0')).toThrow('tetris-0');
  expect(() => simulateTetris('5a', 'tetris-1')).toThrow(RangeError);
});
