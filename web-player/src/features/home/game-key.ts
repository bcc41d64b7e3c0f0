const GAMES = ['slot_machine', 'tetris', 'snake', 'minesweeper'] as const;

/** Which text names the game of a win; `other` for one that this version does not know. */
export function gameKey(type: string): (typeof GAMES)[number] | 'other' {
  return GAMES.find((game) => game === type) ?? 'other';
}
