export const BET_STEP = 5;
export const QUICK_BETS = [1, 5, 10, 25, 50] as const;
/** Before the configuration is known. */
export const BET_DEFAULT = 10;

/** What the player may stake now, in whole points. */
export interface BetLimits {
  min: number;
  /** Never below `min`: with fewer points the bet stays at the minimum, and SPIN says what is missing. */
  max: number;
}

/** The limits of the configuration and of what the player holds (null: nobody is signed in). */
export function betLimits(
  config: { min_bet: number; max_bet: number },
  pointsBalance: number | null,
): BetLimits {
  const held = pointsBalance === null ? config.max_bet : Math.floor(pointsBalance);
  return { min: config.min_bet, max: Math.max(config.min_bet, Math.min(config.max_bet, held)) };
}

/** The nearest bet that is allowed; anything that is no number becomes the minimum. */
export function clampBet(bet: number, { min, max }: BetLimits): number {
  if (!Number.isFinite(bet)) return min;
  return Math.min(max, Math.max(min, Math.floor(bet)));
}
