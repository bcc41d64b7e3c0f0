/** What operators set. Every bet and rate is decided under one version of it. */
export interface Config {
  readonly games: Readonly<Record<string, GameConfig>>;
  /** Points given to a new player; only the local chain may ask for more than 0. */
  readonly welcomePointsMinor: bigint;
  /** A recent big win pays at least this many times its stake. */
  readonly bigWinMultiple: number;
}

export interface GameConfig {
  readonly rules: string;
  readonly minStakeMinor: bigint;
  readonly maxStakeMinor: bigint;
  readonly maxLines: number;
  readonly enabled: boolean;
}

export const WELCOME_POINTS_MINOR = 100_000n;

export const defaultConfig: Config = {
  games: {
    'slot-machine': {
      rules: 'slot-1',
      minStakeMinor: 100n,
      maxStakeMinor: 100_000n,
      maxLines: 25,
      enabled: true,
    },
  },
  welcomePointsMinor: 0n,
  bigWinMultiple: 4,
};
