import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createDraws } from './fairness/draw.ts';
import { minesweeper, simulateMinesweeper } from './minesweeper/rules.ts';
import { Minefield, MinesweeperRound } from './minesweeper/view.tsx';
import { simulateSnake, snake } from './snake/rules.ts';
import { SnakeBoard, SnakeRound } from './snake/view.tsx';
import { simulateTetris, tetris } from './tetris/rules.ts';
import { TetrisRound, TetrisWell } from './tetris/view.tsx';

const SEED = '5a'.repeat(32);
const seeds = { serverSeed: '33'.repeat(32), clientSeed: 'view', nonce: 4 };

const count = (markup: string, what: string) => markup.split(what).length - 1;
const labelOf = (markup: string) => /aria-label="([^"]*)"/.exec(markup)?.[1];

describe('a view shows only the given tick', () => {
  test('tetris', () => {
    const ticks = simulateTetris(SEED, 'tetris-1');
    const full = ticks.find(({ cleared }) => cleared.length > 0);
    if (!full) throw new Error('no row was filled');
    const cells = (resting: boolean) => {
      const markup = renderToStaticMarkup(createElement(TetrisWell, { tick: full, resting }));
      return count(markup, '<g ');
    };
    expect(cells(true) - cells(false)).toBe(10 * full.cleared.length);
    const empty = renderToStaticMarkup(createElement(TetrisWell, { tick: null }));
    expect(labelOf(empty)).toBe('empty well');
  });

  test('snake', () => {
    const tick = simulateSnake(SEED, 'snake-1')[6] ?? null;
    const markup = renderToStaticMarkup(createElement(SnakeBoard, { tick }));
    expect(/points="([^"]*)"/.exec(markup)?.[1]?.split(' ')).toHaveLength(tick?.length ?? 0);
    expect(labelOf(markup)).toBe(`length ${tick?.length}, score ${tick?.score}`);
  });

  test('minesweeper', () => {
    const tick = simulateMinesweeper(SEED, 'minesweeper-1')[9] ?? null;
    const markup = renderToStaticMarkup(createElement(Minefield, { tick }));
    expect(count(markup, '<g ')).toBe(144);
    expect(labelOf(markup)).toBe(`${tick?.minesFound} mines found, score ${tick?.score}`);
  });
});

describe.each([
  [tetris, TetrisRound],
  [snake, SnakeRound],
  [minesweeper, MinesweeperRound],
] as const)('a round of $id from the ledger', (game, View) => {
  const rules = game.rulesIds[0] ?? '';
  const draws = createDraws(seeds);
  const { outcome } = game.draw({ rules, stakeMinor: 1_000n, lines: 1, draws });

  test('is shown at its end, or at any tick', () => {
    const at = (tick?: number) =>
      renderToStaticMarkup(
        createElement(View, tick === undefined ? { outcome } : { outcome, tick }),
      );
    expect(at()).toContain('data-last="true"');
    expect(at()).toBe(at(game.timed?.ticksOf(outcome)));
    expect(at(1)).not.toBe(at());
  });

  test('of another game is refused', () => {
    const other = { outcome: { symbols: [1, 2, 3] } };
    expect(() => renderToStaticMarkup(createElement(View, other))).toThrow();
  });
});
