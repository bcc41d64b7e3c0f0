import {
  AMOUNT_MAX_MINOR,
  DECIMALS,
  gains,
  isRate,
  isShare,
  RATE_PART_MAX,
  unit,
} from '../money.ts';
import {
  isCheckInterval,
  REALITY_CHECK_MAX_MINUTES,
  REALITY_CHECK_MIN_MINUTES,
} from '../player/protection.ts';
import type { LedgerKind } from '../proposals.ts';
import { WALLET_PATTERN } from '../streams.ts';
import type { Config, GameConfig } from './config.ts';
import type { ConfigFault } from './fault-codes.ts';

const BIG_WIN_MULTIPLE_MAX = 1_000;
const LINES_MAX = 100;

/** Rules versions that this build can play, by game. */
export type KnownRules = Readonly<Record<string, readonly string[]>>;

/** What must be true, and the fault where it is not. */
type Check = readonly [passes: boolean, fault: ConfigFault];

/** Every fault of a proposed configuration. `kind`: of the ledger; null before its first configuration. */
export function findFaults(
  before: Config | null,
  config: Config,
  knownRules: KnownRules,
  kind: LedgerKind | null = null,
): readonly ConfigFault[] {
  const games = Object.entries(config.games).flatMap(([name, game]) => {
    // Rules that are in force stay valid even if this build does not have them.
    const known = game.rules === before?.games[name]?.rules ? [game.rules] : knownRules[name];
    return checkGame(name, game, known ?? []);
  });
  return [...checkPlay(kind, config), ...games, ...checkMoney(before, config)].flatMap(
    ([passes, fault]) => (passes ? [] : [fault]),
  );
}

const isAmount = (minor: bigint) => minor >= 0n && minor <= AMOUNT_MAX_MINOR;
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

function checkPlay(kind: LedgerKind | null, config: Config): readonly Check[] {
  const { welcomePointsMinor, bigWinMultiple, adjust } = config;
  const minutes = config.protection.realityCheckMinutes;
  const interval = { min: REALITY_CHECK_MIN_MINUTES, max: REALITY_CHECK_MAX_MINUTES };
  return [
    [isAmount(welcomePointsMinor), { code: 'welcome-points-out-of-range', facts: {} }],
    [kind !== 'real' || welcomePointsMinor <= 0n, { code: 'welcome-points-stay-zero', facts: {} }],
    [
      bigWinMultiple >= 1 && bigWinMultiple <= BIG_WIN_MULTIPLE_MAX,
      { code: 'big-win-multiple-out-of-range', facts: { max: BIG_WIN_MULTIPLE_MAX } },
    ],
    [isAmount(config.bigWinMinMinor ?? 0n), { code: 'big-win-minimum-out-of-range', facts: {} }],
    [
      minutes === null || isCheckInterval(minutes),
      { code: 'reality-check-out-of-range', facts: interval },
    ],
    [Object.values(adjust).every(isAmount), { code: 'adjustment-limit-out-of-range', facts: {} }],
  ];
}

function checkGame(game: string, config: GameConfig, known: readonly string[]): readonly Check[] {
  const { rules, minStakeMinor, maxStakeMinor, maxLines } = config;
  const point = unit('points');
  return [
    [
      known.includes(rules),
      { code: 'rules-unknown', facts: { game, rules, known: known.join(', ') } },
    ],
    [minStakeMinor >= point, { code: 'bet-minimum-too-small', facts: { game } }],
    [
      minStakeMinor % point === 0n && maxStakeMinor % point === 0n,
      { code: 'bet-limits-not-integer', facts: { game } },
    ],
    [maxStakeMinor >= minStakeMinor, { code: 'bet-maximum-below-minimum', facts: { game } }],
    [maxStakeMinor <= AMOUNT_MAX_MINOR, { code: 'bet-maximum-too-large', facts: { game } }],
    [
      Number.isInteger(maxLines) && maxLines >= 1 && maxLines <= LINES_MAX,
      { code: 'lines-out-of-range', facts: { game, max: LINES_MAX } },
    ],
  ];
}

function checkMoney(
  before: Config | null,
  { exchange, withdraw, deposit, token }: Config,
): readonly Check[] {
  const { pointsToToken, tokenToPoints } = exchange;
  const areRates = isRate(pointsToToken) && isRate(tokenToPoints);
  const limits = [
    withdraw.automaticMaxTokenMinor,
    withdraw.playerHourMaxTokenMinor,
    withdraw.playerDayMaxTokenMinor,
    withdraw.hourMaxTokenMinor,
    withdraw.dayMaxTokenMinor,
    withdraw.newAccountMinTokenMinor,
    withdraw.minTokenMinor,
    withdraw.hotWalletMaxTokenMinor,
  ];
  return [
    [areRates, { code: 'rate-invalid', facts: { max: RATE_PART_MAX } }],
    [!areRates || !gains(pointsToToken, tokenToPoints), { code: 'rates-gain', facts: {} }],
    [isShare(withdraw.feeRate), { code: 'withdrawal-fee-invalid', facts: {} }],
    [limits.every(isAmount), { code: 'withdrawal-limit-out-of-range', facts: {} }],
    [isCount(withdraw.playerHourMaxCount), { code: 'withdrawal-count-invalid', facts: {} }],
    [isCount(withdraw.lowWaterLamports), { code: 'low-water-mark-invalid', facts: {} }],
    [
      deposit.minTokenMinor >= 1n && deposit.maxTokenMinor >= deposit.minTokenMinor,
      { code: 'deposit-minimum-invalid', facts: {} },
    ],
    [
      deposit.minTokenMinor < 1n || (deposit.dustBelowTokenMinor ?? 0n) <= deposit.minTokenMinor,
      { code: 'dust-bound-too-large', facts: {} },
    ],
    [deposit.maxTokenMinor <= AMOUNT_MAX_MINOR, { code: 'deposit-maximum-too-large', facts: {} }],
    [
      token.decimals === DECIMALS.token,
      { code: 'token-decimals-unsupported', facts: { decimals: DECIMALS.token } },
    ],
    ...(['contract', 'projectWallet'] as const).map((name): Check => {
      const address = token[name];
      // One that was set is not removed: the shell alone could set another one.
      const isValid = address === null ? !before?.token[name] : WALLET_PATTERN.test(address);
      return [isValid, { code: 'address-invalid', facts: { address: String(address) } }];
    }),
  ];
}
