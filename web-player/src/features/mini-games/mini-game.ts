import type { ReactNode } from 'react';

/** The arcade games, by their ids, which are also their addresses. */
export const MINI_GAMES = ['tetris', 'snake', 'minesweeper'] as const;
export type MiniGame = (typeof MINI_GAMES)[number];

/** What every simulated tick has. */
export interface Tick {
  readonly tick: number;
  readonly score: number;
  readonly last: boolean;
}

/** What one game is to the page that all three share. */
export interface MiniGameParts<T extends Tick> {
  readonly game: MiniGame;
  /** The whole round from its seed: the very code that the server decides by. */
  simulate(roundSeed: string, rules: string): readonly T[];
  /** What is reported when the round is over, as the specification names it. */
  report(end: T): Readonly<Record<string, number | boolean>>;
  /** The field at a tick; null before the first. */
  draw(tick: T | null, label: string): ReactNode;
  /** The figures beside the field, each with the key of its name. */
  figures(tick: T | null): readonly (readonly [FigureKey, number])[];
  /** Width over height of the field. */
  readonly aspect: number;
}

export type FigureKey = 'score' | 'lines' | 'level' | 'length' | 'minesFound';
