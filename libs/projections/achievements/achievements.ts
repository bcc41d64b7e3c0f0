/** Of every player, over all settled rounds unless stated otherwise. Amounts in hundredths of points. */
export interface Progress {
  readonly games: number;
  readonly wins: number;
  /** Rounds of the slot machine alone. */
  readonly slotGames: number;
  readonly wonMinor: bigint;
  readonly highestStakeMinor: bigint;
}

/** The achievements and the figures that earn them. A changed threshold needs a new version of the projection. */
export const ACHIEVEMENTS = [
  { name: 'first-win', counts: 'wins', from: 1n },
  { name: 'lucky-seven', counts: 'wins', from: 7n },
  { name: 'high-roller', counts: 'highestStakeMinor', from: 10_000n },
  { name: 'slot-master', counts: 'slotGames', from: 100n },
  { name: 'millionaire', counts: 'wonMinor', from: 100_000_000n },
  { name: 'veteran', counts: 'games', from: 1_000n },
] as const satisfies readonly {
  readonly name: string;
  readonly counts: keyof Progress;
  readonly from: bigint;
}[];

export type AchievementName = (typeof ACHIEVEMENTS)[number]['name'];
