import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createDraws } from './fairness/draw.ts';
import { MINES, minesAround, minesweeper } from './minesweeper/rules.ts';
import {
  looksOf,
  Minefield,
  MinesweeperRound,
  movesOf as minesweeperMoves,
} from './minesweeper/view.tsx';
import { LENGTH_AT_FIRST, SIDE, snake } from './snake/rules.ts';
import { SnakeBoard, SnakeRound, movesOf as snakeMoves } from './snake/view.tsx';
import { COLUMNS, EMPTY, tetris } from './tetris/rules.ts';
import { sourceOf, TetrisRound, TetrisWell, movesOf as tetrisMoves } from './tetris/view.tsx';

/** For many rounds: no picture contradicts the figures of its tick, the order of ticks, or the payout. */

const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
/** Its stack reaches the top row. */
const HIGH_STACK = '6f'.padStart(64, '0');
const count = (markup: string, what: string) => markup.split(what).length - 1;
const filled = (rows: readonly string[]) => rows.join('').replaceAll(EMPTY, '').length;

describe('the well', () => {
  test('has the cells of the pieces so far, less the lines, and every row moves down once', () => {
    fc.assert(
      fc.property(seed, (roundSeed) => {
        let [cells, lines] = [0, 0];
        for (const tick of tetrisMoves(roundSeed, 'tetris-1')) {
          if (tick.emptied) cells = 0;
          cells += 4 - COLUMNS * tick.cleared.length;
          lines += tick.cleared.length;
          expect([filled(tick.rows), tick.lines]).toEqual([cells, lines]);
          for (const [y, row] of tick.rows.entries()) {
            const source = sourceOf(y, tick.cleared);
            expect(tick.resting[source] ?? EMPTY.repeat(COLUMNS)).toBe(row);
          }
          if (tick.tick % 20 !== 0 && tick.cleared.length < 2) continue;
          const markup = renderToStaticMarkup(
            createElement(TetrisWell, { tick, next: null, ending: null }),
          );
          expect(count(markup, 'data-cell')).toBe(cells + COLUMNS * tick.cleared.length);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('lets a piece fall through free cells only, steered above the stack or out of sight', () => {
    fc.assert(
      fc.property(seed, (roundSeed) => {
        let shown: readonly string[] = [];
        for (const { before, cells, fall, emptied, resting } of tetrisMoves(
          roundSeed,
          'tetris-1',
        )) {
          expect(fall.enters).toBeLessThanOrEqual(fall.steered);
          expect(fall.steered).toBeLessThanOrEqual(0);
          for (let above = fall.steered; above <= 0; above++) {
            for (const [x, y] of cells) {
              if (y + above >= 0) expect(before[y + above]?.[x]).toBe(EMPTY);
            }
          }
          const top = Math.min(...cells.map(([, y]) => y)) + fall.steered;
          const free = emptied ? 0 : shown.findIndex((row) => filled([row]) > 0);
          if (top > -4 && free >= 0) expect(top + 4).toBeLessThanOrEqual(free);
          shown = resting;
        }
      }),
      { numRuns: 20, examples: [[HIGH_STACK]] },
    );
  });
});

describe('the snake', () => {
  test('has its length, moves by one cell from where it was, and crashes into something ahead', () => {
    fc.assert(
      fc.property(seed, (roundSeed) => {
        const moves = snakeMoves(roundSeed, 'snake-1');
        for (const [i, tick] of moves.entries()) {
          const before = moves[i - 1];
          expect(tick.from).toHaveLength(before?.length ?? LENGTH_AT_FIRST);
          expect(tick.from).toEqual(before?.body ?? tick.from);
          expect(tick.body.slice(1)).toEqual(tick.from.slice(0, tick.length - 1));
          if (tick.tick % 4 > 1) continue;
          const view = { tick, next: moves[i + 1] ?? null, ending: null };
          const markup = renderToStaticMarkup(createElement(SnakeBoard, view));
          expect(markup).toContain(`data-cells="${tick.length}"`);
          expect(markup).toContain(`data-meal="${tick.meal}"`);
          expect(markup).not.toContain('data-obstacle');
        }
        const tick = moves.at(-1) ?? null;
        const end = { tick, next: null, ending: 'lost' as const };
        const crash = renderToStaticMarkup(createElement(SnakeBoard, end));
        const [, obstacle] = /data-obstacle="(\w+)"/.exec(crash) ?? [];
        expect(crash).not.toContain('data-meal');
        const [head = 0, neck = 0] = tick?.body ?? [];
        const ahead = 2 * head - neck;
        const isOutside =
          ahead < 0 ||
          ahead >= SIDE * SIDE ||
          (Math.abs(head - neck) === 1 && Math.floor(ahead / SIDE) !== Math.floor(head / SIDE));
        const expected = isOutside ? 'wall' : tick?.body.includes(ahead) ? 'body' : 'stone';
        expect(obstacle).toBe(expected);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the minefield', () => {
  const looks = (markup: string) =>
    [...markup.matchAll(/data-look="(.)"/g)].map(([, look]) => look);

  test('shows a flag for each mine found at every tick, and the end only at the end', () => {
    fc.assert(
      fc.property(seed, (roundSeed) => {
        const moves = minesweeperMoves(roundSeed, 'minesweeper-1');
        for (const [i, tick] of moves.entries()) {
          const shown = looksOf(tick, false);
          expect(shown.filter((look) => look === 'F')).toHaveLength(tick.minesFound);
          expect(shown.filter((look) => '*MDX'.includes(look ?? '')).length).toBe(0);
          const opened = shown.filter((look) => look !== '#').length;
          const before = moves[i - 1];
          const others = [...(before?.played ?? '')].filter((look) => look !== '#').length;
          expect(opened - others).toBe(tick.own === null ? 0 : 1);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('at the end has all mines, digits that count them, and a hit mine exactly if it was lost', () => {
    fc.assert(
      fc.property(seed, fc.constantFrom('won', 'lost'), (roundSeed, ending) => {
        const tick = minesweeperMoves(roundSeed, 'minesweeper-1').at(-1);
        if (!tick || (ending === 'won' && !tick.completed)) return;
        const view = { tick, next: null, ending: ending as 'won' | 'lost' };
        const shown = looks(renderToStaticMarkup(createElement(Minefield, view)));
        const of = (kinds: string) =>
          shown.flatMap((look, cell) => (kinds.includes(look ?? '') ? [cell] : []));
        expect(of('FX')).toHaveLength(tick.minesFound);
        expect(of('FXDM*')).toHaveLength(MINES);
        expect(of('*X')).toHaveLength(tick.completed ? 0 : 1);
        // Mint only where it pays.
        if (ending === 'lost') expect(of('D')).toEqual([]);
        for (const cell of of('012345678')) {
          expect(minesAround(cell, of('FXDM*'))).toBe(Number(shown[cell]));
        }
      }),
      { numRuns: 60 },
    );
  });
});

test.each([
  { game: tetris, View: TetrisRound },
  { game: snake, View: SnakeRound },
  { game: minesweeper, View: MinesweeperRound },
])('$game.id: the picture is that of a win exactly if the round pays', ({ game, View }) => {
  const [rules = ''] = game.rulesIds;
  const seen = new Set<string>();
  for (let nonce = 0; nonce < 40; nonce++) {
    const draws = createDraws({ serverSeed: '44'.repeat(32), clientSeed: 'pictures', nonce });
    const { outcome, payoutMinor } = game.draw({ rules, stakeMinor: 1_000n, lines: 1, draws });
    const markup = renderToStaticMarkup(createElement(View, { outcome }));
    const ending = payoutMinor > 0n ? 'won' : 'lost';
    expect(markup).toContain(`data-ending="${ending}"`);
    seen.add(ending);
    const ticks = game.timed?.ticksOf(outcome) ?? 0;
    if (ticks < 2) continue;
    const earlier = renderToStaticMarkup(createElement(View, { outcome, tick: ticks - 1 }));
    expect(earlier).not.toContain('data-ending');
  }
  expect(seen.size).toBe(2);
});
