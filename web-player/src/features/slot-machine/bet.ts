import { points } from '@reelbook/web/format';

export const BET_STEP = 5;
export const QUICK_BETS = [1, 5, 10, 25, 50] as const;
/** Used before the configuration is loaded. */
export const BET_DEFAULT = 10;

/** The limits of the player's stake, in integer points. */
export interface BetLimits {
  min: number;
  /** Never below `min`: with fewer points the bet stays at the minimum, and SPIN shows what is missing. */
  max: number;
}

/** Why the typed bet cannot be staked: a text key with its figures. */
export type TypedFault =
  | { key: 'slot.typed.notInteger' }
  | { key: 'slot.typed.overHeld'; held: string }
  | { key: 'slot.error.minimum'; count: number }
  | { key: 'slot.error.maximum'; max: number };

/** The limits by configuration and balance (null: no player is signed in). */
export function betLimits(
  config: { min_bet: number; max_bet: number },
  pointsBalance: number | null,
): BetLimits {
  const held = pointsBalance === null ? config.max_bet : Math.floor(pointsBalance);
  return { min: config.min_bet, max: Math.max(config.min_bet, Math.min(config.max_bet, held)) };
}

/** The nearest bet that is allowed; the minimum if it is not a number. */
export function clampBet(bet: number, { min, max }: BetLimits): number {
  if (!Number.isFinite(bet)) return min;
  return Math.min(max, Math.max(min, Math.floor(bet)));
}

/** The typed bet exactly, or the reason why it cannot be staked; never another amount. */
export function readBet(
  typed: string,
  config: { min_bet: number; max_bet: number },
  held: number | null,
): number | TypedFault {
  if (!/^\s*\d+\s*$/.test(typed)) return { key: 'slot.typed.notInteger' };
  const bet = Number(typed);
  if (bet < config.min_bet) return { key: 'slot.error.minimum', count: config.min_bet };
  if (held !== null && bet > held) return { key: 'slot.typed.overHeld', held: points(held) };
  if (bet > config.max_bet) return { key: 'slot.error.maximum', max: config.max_bet };
  return bet;
}
