import type { PlayerData } from './data.ts';

/** Whether an operator has suspended the player. The flag is in the state of the stream. */
export function isSuspended({ state }: PlayerData): boolean {
  if (typeof state !== 'object' || state === null || !('standing' in state)) return false;
  const { standing } = state;
  return typeof standing === 'object' && standing !== null && 'suspended' in standing
    ? standing.suspended === true
    : false;
}
