import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { RoundViewProps } from './game.ts';

/**
 * How each game shows a round that was played, loaded when first shown. Keys are the ids of
 * rules.ts.
 */
export const views: Readonly<Record<string, LazyExoticComponent<ComponentType<RoundViewProps>>>> = {
  'slot-machine': lazy(async () => ({
    default: (await import('./slot-machine/view.tsx')).SlotRound,
  })),
  tetris: lazy(async () => ({ default: (await import('./tetris/view.tsx')).TetrisRound })),
  snake: lazy(async () => ({ default: (await import('./snake/view.tsx')).SnakeRound })),
  minesweeper: lazy(async () => ({
    default: (await import('./minesweeper/view.tsx')).MinesweeperRound,
  })),
};
