import { MINUTE_MS } from '../calendar.ts';
import { DECIMALS, type Rate } from '../money.ts';

/** The settings that operators change. Every bet and exchange is decided under one version. */
export interface Config {
  readonly games: Readonly<Record<string, GameConfig>>;
  /** Points given to a new player; more than 0 only with the local chain. */
  readonly welcomePointsMinor: bigint;
  /** A big win pays at least this many times its stake. */
  readonly bigWinMultiple: number;
  /** And at least this many points; ledgers configured before it have none: 0. */
  readonly bigWinMinMinor?: bigint;
  readonly exchange: ExchangeConfig;
  readonly withdraw: WithdrawConfig;
  readonly deposit: DepositConfig;
  readonly token: TokenConfig;
  /** Minutes of play between reality checks, for players who chose no interval; null for none. */
  readonly protection: { readonly realityCheckMinutes: number | null };
  /** False: no player stakes or exchanges, regardless of the other switches. Open rounds are settled and withdrawals continue. */
  readonly play: { readonly enabled: boolean };
  readonly adjust: AdjustConfig;
}

/** Limits of one deposit. */
export interface DepositConfig {
  readonly minTokenMinor: bigint;
  readonly maxTokenMinor: bigint;
  /**
   * Below it a stranger's transfer is the house's, in one event a day, and a player's is credited without a notification. By
   * default a hundredth of the smallest deposit. Ledgers configured before it have none: 0.
   */
  readonly dustBelowTokenMinor?: bigint;
}

/** The amounts that one operator may adjust alone per player and day; above them a second operator must approve. */
export interface AdjustConfig {
  readonly singleOperatorMaxPointsMinor: bigint;
  readonly singleOperatorMaxTokenMinor: bigint;
  /** And for all players together per day: above them another operator must do it. */
  readonly operatorDayMaxPointsMinor: bigint;
  readonly operatorDayMaxTokenMinor: bigint;
}

export interface GameConfig {
  readonly rules: string;
  readonly minStakeMinor: bigint;
  readonly maxStakeMinor: bigint;
  readonly maxLines: number;
  readonly enabled: boolean;
}

/** Rates between units: token for one point, points for one token. Their product is at most 1. */
export interface ExchangeConfig {
  readonly enabled: boolean;
  readonly pointsToToken: Rate;
  readonly tokenToPoints: Rate;
}

/** Limits apply to gross amounts. A withdrawal above one waits; it is not refused. */
export interface WithdrawConfig {
  /** The share of the gross amount that is kept as a fee, rounded up. */
  readonly feeRate: Rate;
  /** False: nothing is approved, signed or paid; requests wait. */
  readonly enabled: boolean;
  /** The smallest withdrawal: the treasury pays the chain's fee of each payment. */
  readonly minTokenMinor: bigint;
  /** Payments to one player within an hour without operators; further ones wait. */
  readonly playerHourMaxCount: number;
  /** The largest withdrawal that the cashier approves automatically; above it two operators approve. */
  readonly automaticMaxTokenMinor: bigint;
  /** The sums that it approves automatically within 1 hour and 24 hours, for one player and for all. */
  readonly playerHourMaxTokenMinor: bigint;
  readonly playerDayMaxTokenMinor: bigint;
  readonly hourMaxTokenMinor: bigint;
  readonly dayMaxTokenMinor: bigint;
  /** The smallest withdrawal to a wallet whose token account must be created, which costs SOL. */
  readonly newAccountMinTokenMinor: bigint;
  /** The cap of the treasury, whose key is on a server: above it console and audit warn. 0: no cap. */
  readonly hotWalletMaxTokenMinor: bigint;
  /** With less SOL in the treasury nothing is signed. */
  readonly lowWaterLamports: number;
}

export interface TokenConfig {
  /** Of the mint. The ledger counts in these decimals, so they cannot change. */
  readonly decimals: number;
  /** Address of the mint; null while there is no chain. */
  readonly contract: string | null;
  /** Address of the treasury, which receives deposits; null while there is no chain. */
  readonly projectWallet: string | null;
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
  bigWinMinMinor: 5_000n,
  exchange: {
    enabled: true,
    pointsToToken: { numerator: 1, denominator: 100 },
    tokenToPoints: { numerator: 100, denominator: 1 },
  },
  withdraw: {
    feeRate: { numerator: 5, denominator: 100 },
    enabled: true,
    minTokenMinor: 1_000_000_000n,
    automaticMaxTokenMinor: 1_000_000_000_000n,
    playerHourMaxCount: 10,
    playerHourMaxTokenMinor: 2_000_000_000_000n,
    playerDayMaxTokenMinor: 10_000_000_000_000n,
    hourMaxTokenMinor: 20_000_000_000_000n,
    dayMaxTokenMinor: 100_000_000_000_000n,
    newAccountMinTokenMinor: 1_000_000_000n,
    hotWalletMaxTokenMinor: 2_000_000_000_000_000n,
    lowWaterLamports: 50_000_000,
  },
  deposit: {
    minTokenMinor: 1_000_000_000n,
    maxTokenMinor: 1_000_000_000_000_000n,
    dustBelowTokenMinor: 10_000_000n,
  },
  token: { decimals: DECIMALS.token, contract: null, projectWallet: null },
  protection: { realityCheckMinutes: null },
  play: { enabled: true },
  adjust: {
    singleOperatorMaxPointsMinor: 100_000n,
    singleOperatorMaxTokenMinor: 10_000_000_000n,
    operatorDayMaxPointsMinor: 1_000_000n,
    operatorDayMaxTokenMinor: 100_000_000_000n,
  },
};

/** What the configuration allows, including the switch for all play. */

export function isGameOpen({ play, games }: Config, game: string): boolean {
  return play.enabled && games[game]?.enabled === true;
}

/** Undefined for a game that is not configured. */
export function gameInForce(config: Config, game: string): GameConfig | undefined {
  const found = config.games[game];
  return found && { ...found, enabled: isGameOpen(config, game) };
}

export function exchangeInForce({ play, exchange }: Config): ExchangeConfig {
  return play.enabled ? exchange : { ...exchange, enabled: false };
}

/** The operator's interval of reality checks in ms; null for none. */
export function realityCheckOf({ protection }: Config): number | null {
  const { realityCheckMinutes: minutes } = protection;
  return minutes === null ? null : minutes * MINUTE_MS;
}
