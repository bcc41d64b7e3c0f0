import { assert } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { AMOUNT_MAX_MINOR, DECIMALS, unit } from '../money.ts';
import {
  isCheckInterval,
  REALITY_CHECK_MAX_MINUTES,
  REALITY_CHECK_MIN_MINUTES,
} from '../player/protection.ts';
import { gains, isRate, isShare, RATE_PART_MAX } from '../rate.ts';
import { type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { Config, GameConfig, WithdrawConfig } from './config.ts';

export const BIG_WIN_MULTIPLE_MAX = 1_000;

/** The whole configuration before and after, so that each event shows what changed without a look at another. */
export interface ConfigChanged {
  readonly type: 'ConfigChanged';
  readonly data: {
    readonly before: Config | null;
    readonly after: Config;
    readonly reason: string;
  };
}

export interface ChangeConfig {
  readonly type: 'ChangeConfig';
  readonly config: Config;
  readonly reason: string;
  /** Rules versions that this build can play, by game. */
  readonly knownRules: Readonly<Record<string, readonly string[]>>;
}

/** `version` counts changes; 0 is "never configured". It equals the stream's version. */
export interface ConfigState {
  readonly version: number;
  readonly config: Config | null;
}

export const configDecider: Decider<ConfigState, ChangeConfig, ConfigChanged> = {
  kind: 'config',
  stateSchema: 3,
  initial: { version: 0, config: null },
  decide,
  evolve: (state, event) => ({ version: state.version + 1, config: event.data.after }),
};

function decide(state: ConfigState, command: ChangeConfig): readonly ConfigChanged[] | Rejection {
  const fault = findFault(state, command);
  if (fault) return reject('config-invalid', { fault });
  assert(state.version >= 0, 'versions count from 0');
  const { config: after, reason } = command;
  return [{ type: 'ConfigChanged', data: { before: state.config, after, reason } }];
}

/** The first fault of a proposed configuration in plain words, or null. */
function findFault(
  { config: before }: ConfigState,
  { config, reason, knownRules }: ChangeConfig,
): string | null {
  if (!isReason(reason)) {
    return `a reason of 1 to ${REASON_MAX_LENGTH} characters is needed`;
  }
  if (config.welcomePointsMinor < 0n || config.welcomePointsMinor > AMOUNT_MAX_MINOR) {
    return 'welcome points must not be negative';
  }
  // A book is of play money from its first configuration on, or never: what is real stays so.
  if (before && before.welcomePointsMinor === 0n && config.welcomePointsMinor > 0n) {
    return 'welcome points that were 0 stay 0: where points are worth something, they would be given away';
  }
  const { bigWinMultiple } = config;
  if (!(bigWinMultiple >= 1 && bigWinMultiple <= BIG_WIN_MULTIPLE_MAX)) {
    return `the big win multiple must be from 1 to ${BIG_WIN_MULTIPLE_MAX}`;
  }
  for (const [name, game] of Object.entries(config.games)) {
    // Rules that are in force stay so, whether this build knows the game or another one does.
    const known = game.rules === before?.games[name]?.rules ? [game.rules] : knownRules[name];
    const fault = findGameFault(game, known ?? []);
    if (fault) return `${name}: ${fault}`;
  }
  const minutes = config.protection.realityCheckMinutes;
  if (minutes !== null && !isCheckInterval(minutes)) {
    return `a reality check comes every ${REALITY_CHECK_MIN_MINUTES} to ${REALITY_CHECK_MAX_MINUTES} whole minutes, or never (null)`;
  }
  return findMoneyFault(config);
}

function findMoneyFault(config: Config): string | null {
  const { exchange, withdraw, deposit, token } = config;
  const { pointsToToken, tokenToPoints } = exchange;
  for (const rate of [pointsToToken, tokenToPoints]) {
    if (!isRate(rate)) return `a rate is a fraction of whole numbers from 1 to ${RATE_PART_MAX}`;
  }
  if (gains(pointsToToken, tokenToPoints)) {
    return 'the exchange rates multiply to more than 1: going there and back would make money';
  }
  if (!isShare(withdraw.feeRate)) return 'the withdrawal fee is a fraction from 0 to less than 1';
  const withdrawFault = findWithdrawFault(withdraw);
  if (withdrawFault) return withdrawFault;
  if (deposit.minTokenMinor < 1n || deposit.maxTokenMinor < deposit.minTokenMinor) {
    return 'the smallest deposit must be above 0 and not above the largest';
  }
  if (deposit.maxTokenMinor > AMOUNT_MAX_MINOR) return 'the largest deposit is too large';
  if (token.decimals !== DECIMALS.token) {
    return `the book counts token with ${DECIMALS.token} decimals`;
  }
  for (const address of [token.contract, token.projectWallet]) {
    if (address !== null && !WALLET_PATTERN.test(address)) return `no address: ${address}`;
  }
  return null;
}

function findWithdrawFault(withdraw: WithdrawConfig): string | null {
  const bounds = [
    withdraw.automaticMaxTokenMinor,
    withdraw.playerHourMaxTokenMinor,
    withdraw.playerDayMaxTokenMinor,
    withdraw.hourMaxTokenMinor,
    withdraw.dayMaxTokenMinor,
    withdraw.newAccountMinTokenMinor,
  ];
  if (bounds.some((minor) => minor < 0n || minor > AMOUNT_MAX_MINOR)) {
    return 'bounds of withdrawals must not be negative or too large';
  }
  const { lowWaterLamports } = withdraw;
  if (!Number.isSafeInteger(lowWaterLamports) || lowWaterLamports < 0) {
    return 'the low-water mark is a whole number of lamports';
  }
  return null;
}

function findGameFault(game: GameConfig, known: readonly string[]): string | null {
  if (!known.includes(game.rules)) return `unknown rules ${game.rules}; known: ${known.join(', ')}`;
  if (game.minStakeMinor < unit('points')) return 'the minimum bet must be at least 1 point';
  if (game.minStakeMinor % unit('points') !== 0n || game.maxStakeMinor % unit('points') !== 0n) {
    return 'bet limits must be whole points';
  }
  if (game.maxStakeMinor < game.minStakeMinor) return 'the maximum bet is below the minimum';
  if (game.maxStakeMinor > AMOUNT_MAX_MINOR) return 'the maximum bet is too large';
  if (!(Number.isInteger(game.maxLines) && game.maxLines >= 1 && game.maxLines <= 100)) {
    return 'lines must be from 1 to 100';
  }
  return null;
}
