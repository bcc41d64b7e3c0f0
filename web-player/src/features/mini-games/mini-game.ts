/** The arcade games, by their ids, which are also their addresses. */
export const MINI_GAMES = ['tetris', 'snake', 'minesweeper'] as const;
export type MiniGame = (typeof MINI_GAMES)[number];
