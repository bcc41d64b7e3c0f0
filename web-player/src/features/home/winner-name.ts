const NAME_MAX_LENGTH = 20;
const TAIL_LENGTH = 5;

/** Display name of a winner: the nickname, else "User" and the end of nickname or id; null without both. */
export function winnerName(win: { user_nickname: string | null; user_id: string }): string | null {
  const nickname = win.user_nickname ?? '';
  if (nickname !== '' && [...nickname].length <= NAME_MAX_LENGTH) return nickname;
  const known = nickname || win.user_id;
  return known === '' ? null : `User${[...known].slice(-TAIL_LENGTH).join('')}`;
}
