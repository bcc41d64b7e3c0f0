const TAIL_LENGTH = 5;
/** Maximum length of names in characters: at the sides of the podium, which is that of "User83f5h", in its middle, and in the list. */
export const NAME_MAX = { side: 9, first: 10, list: 15 } as const;

/** The nickname, else the name by the public id. */
export function fullName(leader: { nickname: string | null; public_id: string }): string {
  return leader.nickname ?? `User${leader.public_id.slice(-TAIL_LENGTH)}`;
}

/** Display name of a player on the leaderboard, shortened to fit its place. */
export function leaderName(
  leader: { nickname: string | null; public_id: string },
  place: keyof typeof NAME_MAX,
): string {
  const name = [...fullName(leader)];
  const max = NAME_MAX[place];
  return name.length > max ? `${name.slice(0, max).join('')}…` : name.join('');
}

/** A number from 0 to 9,972 for a player, always the same for the same player. */
export function markOf({ public_id }: { public_id: string }): number {
  let sum = 0;
  for (const letter of public_id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return sum;
}
