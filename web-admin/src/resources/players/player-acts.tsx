import type { PlayerData } from './player.tsx';

/** What may be done with a player. */
export function PlayerActs(_: { player: PlayerData }) {
  return null;
}
