import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createDraws } from './fairness/draw.ts';
import { minesweeper } from './minesweeper/rules.ts';
import { Minefield, MinesweeperRound } from './minesweeper/view.tsx';
import { snake } from './snake/rules.ts';
import { SnakeBoard, SnakeRound, movesOf as snakeMoves } from './snake/view.tsx';
import { tetris } from './tetris/rules.ts';
import { TetrisRound, TetrisWell } from './tetris/view.tsx';

const SEED = '5a'.repeat(32);
const seeds = { serverSeed: '33'.repeat(32), clientSeed: 'view', nonce: 4 };

const labelOf = (markup: string) => /aria-label="([^"]*)"/.exec(markup)?.[1];

test('before the first tick a field is empty, and its label is that of the tick or of the page', () => {
  const none = { tick: null, next: null, ending: null };
  const label = (View: Parameters<typeof createElement>[0], view: object) =>
    labelOf(renderToStaticMarkup(createElement(View, view)));
  expect(label(TetrisWell as never, none)).toBe('empty well');
  expect(label(SnakeBoard as never, none)).toBe('empty board');
  expect(label(Minefield as never, none)).toBe('hidden field');
  const tick = snakeMoves(SEED, 'snake-1')[6] ?? null;
  const shown = { ...none, tick };
  expect(label(SnakeBoard as never, shown)).toBe(`length ${tick?.length}, score ${tick?.score}`);
  expect(label(SnakeBoard as never, { ...shown, label: 'a label' })).toBe('a label');
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
