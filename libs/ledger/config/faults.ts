import { AMOUNT_MAX_MINOR, DECIMALS, unit } from '../money.ts';
import {
  isCheckInterval,
  REALITY_CHECK_MAX_MINUTES,
  REALITY_CHECK_MIN_MINUTES,
} from '../player/protection.ts';
import { gains, isRate, isShare, RATE_PART_MAX } from '../rate.ts';
import { WALLET_PATTERN } from '../streams.ts';
import type { Config, GameConfig } from './config.ts';

const BIG_WIN_MULTIPLE_MAX = 1_000;

/** Rules versions that this build can play, by game. */
export type KnownRules = Readonly<Record<string, readonly string[]>>;

/** Every fault of a proposed configuration in plain words. */
export function findFaults(
  before: Config | null,
  config: Config,
  knownRules: KnownRules,
): readonly string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  check(isAmount(config.welcomePointsMinor), 'welcome points must not be negative or too large');
  // A ledger is of play money from its first configuration on, or never: what is real stays so.
  check(
    !before || before.welcomePointsMinor > 0n || config.welcomePointsMinor <= 0n,
    'welcome points that were 0 stay 0: where points are worth something, they would be given away',
  );
  const { bigWinMultiple } = config;
  check(
    bigWinMultiple >= 1 && bigWinMultiple <= BIG_WIN_MULTIPLE_MAX,
    `the big win multiple must be from 1 to ${BIG_WIN_MULTIPLE_MAX}`,
  );
  for (const [name, game] of Object.entries(config.games)) {
    // Rules that are in force stay so, whether this build knows the game or another one does.
    const known = game.rules === before?.games[name]?.rules ? [game.rules] : knownRules[name];
    faults.push(...findGameFaults(game, known ?? []).map((fault) => `${name}: ${fault}`));
  }
  const minutes = config.protection.realityCheckMinutes;
  check(
    minutes === null || isCheckInterval(minutes),
    `a reality check comes every ${REALITY_CHECK_MIN_MINUTES} to ${REALITY_CHECK_MAX_MINUTES} whole minutes, or never (null)`,
  );
  check(
    Object.values(config.adjust).every(isAmount),
    'what one operator may adjust alone must not be negative or too large',
  );
  return [...faults, ...findMoneyFaults(config)];
}

const isAmount = (minor: bigint) => minor >= 0n && minor <= AMOUNT_MAX_MINOR;

function findMoneyFaults({ exchange, withdraw, deposit, token }: Config): readonly string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const { pointsToToken, tokenToPoints } = exchange;
  const rates = isRate(pointsToToken) && isRate(tokenToPoints);
  check(rates, `a rate is a fraction of whole numbers from 1 to ${RATE_PART_MAX}`);
  check(
    !rates || !gains(pointsToToken, tokenToPoints),
    'the exchange rates multiply to more than 1: going there and back would make money',
  );
  check(isShare(withdraw.feeRate), 'the withdrawal fee is a fraction from 0 to less than 1');
  const bounds = [
    withdraw.automaticMaxTokenMinor,
    withdraw.playerHourMaxTokenMinor,
    withdraw.playerDayMaxTokenMinor,
    withdraw.hourMaxTokenMinor,
    withdraw.dayMaxTokenMinor,
    withdraw.newAccountMinTokenMinor,
    withdraw.minTokenMinor,
    withdraw.hotWalletMaxTokenMinor,
  ];
  check(bounds.every(isAmount), 'bounds of withdrawals must not be negative or too large');
  check(
    Number.isSafeInteger(withdraw.playerHourMaxCount) && withdraw.playerHourMaxCount >= 0,
    'the payments of a player within an hour are a whole number',
  );
  const { lowWaterLamports } = withdraw;
  check(
    Number.isSafeInteger(lowWaterLamports) && lowWaterLamports >= 0,
    'the low-water mark is a whole number of lamports',
  );
  check(
    deposit.minTokenMinor >= 1n && deposit.maxTokenMinor >= deposit.minTokenMinor,
    'the smallest deposit must be above 0 and not above the largest',
  );
  check(deposit.maxTokenMinor <= AMOUNT_MAX_MINOR, 'the largest deposit is too large');
  check(
    token.decimals === DECIMALS.token,
    `the ledger counts token with ${DECIMALS.token} decimals`,
  );
  for (const address of [token.contract, token.projectWallet]) {
    check(address === null || WALLET_PATTERN.test(address), `no address: ${address}`);
  }
  return faults;
}

function findGameFaults(game: GameConfig, known: readonly string[]): readonly string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const { rules, minStakeMinor, maxStakeMinor, maxLines } = game;
  check(known.includes(rules), `unknown rules ${rules}; known: ${known.join(', ')}`);
  check(minStakeMinor >= unit('points'), 'the minimum bet must be at least 1 point');
  const whole = minStakeMinor % unit('points') === 0n && maxStakeMinor % unit('points') === 0n;
  check(whole, 'bet limits must be whole points');
  check(maxStakeMinor >= minStakeMinor, 'the maximum bet is below the minimum');
  check(maxStakeMinor <= AMOUNT_MAX_MINOR, 'the maximum bet is too large');
  check(
    Number.isInteger(maxLines) && maxLines >= 1 && maxLines <= 100,
    'lines must be from 1 to 100',
  );
  return faults;
}
