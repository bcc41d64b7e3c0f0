import { DECIMALS } from '../money.ts';
import type { Rate } from '../rate.ts';

/** What operators set. Every bet and rate is decided under one version of it. */
export interface Config {
  readonly games: Readonly<Record<string, GameConfig>>;
  /** Points given to a new player; only the local chain may ask for more than 0. */
  readonly welcomePointsMinor: bigint;
  /** A recent big win pays at least this many times its stake. */
  readonly bigWinMultiple: number;
  readonly exchange: ExchangeConfig;
  readonly withdraw: WithdrawConfig;
  /** What one deposit may bring. */
  readonly deposit: { readonly minTokenMinor: bigint; readonly maxTokenMinor: bigint };
  readonly token: TokenConfig;
  /** Every so many minutes of play a reality check comes to players who chose no interval; null for none. */
  readonly protection: { readonly realityCheckMinutes: number | null };
  /** False: nobody stakes or exchanges, whatever stands below. What is open is settled, and withdrawals go on. */
  readonly play: { readonly enabled: boolean };
  readonly adjust: AdjustConfig;
}

/** What one operator may adjust alone, of a player's balances and on a day; above it takes two. */
export interface AdjustConfig {
  readonly singleOperatorMaxPointsMinor: bigint;
  readonly singleOperatorMaxTokenMinor: bigint;
  /** And of all players' together, on a day: above it another operator has to. */
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

/** Rates in whole units: token for a point, points for a token. Their product is never more than 1. */
export interface ExchangeConfig {
  readonly enabled: boolean;
  readonly pointsToToken: Rate;
  readonly tokenToPoints: Rate;
}

/** Bounds are of gross amounts. What is over one waits: it is not refused. */
export interface WithdrawConfig {
  /** Of the gross amount, rounded up, kept as a fee. */
  readonly feeRate: Rate;
  /** False: nothing is approved, signed or paid; what is asked for waits. */
  readonly enabled: boolean;
  /** The least that may be asked for: the treasury pays the chain's fee of each payment. */
  readonly minTokenMinor: bigint;
  /** Payments that one player gets within an hour without operators; those beyond it wait. */
  readonly playerHourMaxCount: number;
  /** Up to here the cashier approves by itself; above it takes two operators. */
  readonly automaticMaxTokenMinor: bigint;
  /** What it approves by itself within an hour and within 24, for one player and for all. */
  readonly playerHourMaxTokenMinor: bigint;
  readonly playerDayMaxTokenMinor: bigint;
  readonly hourMaxTokenMinor: bigint;
  readonly dayMaxTokenMinor: bigint;
  /** The least that is sent to a wallet whose token account has to be made, which costs SOL. */
  readonly newAccountMinTokenMinor: bigint;
  /** Above it the treasury, whose key is on a server, holds more than it should: console and audit warn. 0: no cap. */
  readonly hotWalletMaxTokenMinor: bigint;
  /** With less SOL than this in the treasury nothing is signed. */
  readonly lowWaterLamports: number;
}

export interface TokenConfig {
  /** Of the mint. The ledger counts in it, so it cannot be another. */
  readonly decimals: number;
  /** Address of the mint; null while there is no chain. */
  readonly contract: string | null;
  /** Address that deposits go to; null while there is no chain. */
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
  deposit: { minTokenMinor: 1_000_000_000n, maxTokenMinor: 1_000_000_000_000_000n },
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
