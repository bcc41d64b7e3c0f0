import type { AdjustConfig, ExchangeConfig, GameConfig } from '../config/config.ts';
import type { Asset } from '../money.ts';
import type { Agreed } from '../proposals.ts';
import type { BudgetTerms, Cost } from './budget.ts';
import type { Choice, Outcome, SignInKind } from './events.ts';
import type { OperatorAct } from './operator-acts.ts';
import type { PaymentCommand } from './payment-events.ts';
import type { ProtectionCommand } from './protection-events.ts';
import type { PlayTerms } from './protection-state.ts';

/** The gateway adds the terms of the budget to what players send. Missing: the act of an operator or the site. */
export type PlayerCommand = AnyCommand & { readonly budget?: BudgetTerms };

type AnyCommand =
  | StartSession
  | ChangeNickname
  | RotateSeeds
  | PlaceBet
  | StartRound
  | SettleRound
  | VoidRound
  | Exchange
  | ReadNotifications
  | DiscardCommand
  | RecordIdempotencyKey
  | PaymentCommand
  | ProtectionCommand
  | OperatorAct;

type SitesOwn = 'CreditDeposit' | 'VoidRound' | OperatorAct['type'];
type CashiersStep = Exclude<PaymentCommand['type'], 'CreditDeposit' | 'RequestWithdrawal'>;
type OfPlayer = Exclude<AnyCommand['type'], SitesOwn | CashiersStep>;

const FREE: Cost = { units: 1, days: 1, budget: 'freeMs' };
/** Acts that protect a player or lead money out: no person uses up seven days of them. */
const KEPT: Cost = { units: 1, days: 8, budget: 'budgetMs' };

/** `paid`: by a stake. `bounded`: by its own rules, so that it is never refused. */
export const COSTS: Readonly<Record<OfPlayer, Cost | 'paid' | 'bounded'>> = {
  ChangeNickname: FREE,
  // Three events and a sealed seed.
  RotateSeeds: { ...FREE, units: 4 },
  DiscardCommand: KEPT,
  RecordIdempotencyKey: KEPT,
  // There and back costs nothing where both rates agree.
  Exchange: KEPT,
  // Except a tightening to half: there are at most 60 until the next loosening, which takes a day.
  SetLimit: KEPT,
  // Except one where none is in force, and one that is longer by a day or permanent: each day allows five at most.
  ExcludeSelf: KEPT,
  SetRealityCheck: KEPT,
  // A denied one returns its fee.
  RequestWithdrawal: { ...KEPT, days: 9 },
  StartSession: { ...KEPT, days: 10 },
  PlaceBet: 'paid',
  StartRound: 'paid',
  SettleRound: 'paid',
  // A notification is read once, a pending change cancelled once, a check acknowledged when it is due.
  ReadNotifications: 'bounded',
  CancelLimitChange: 'bounded',
  AcknowledgeRealityCheck: 'bounded',
};

/** The cost of a command that the budget counts; null for any other. */
export function costOf(type: AnyCommand['type']): Cost | null {
  const cost = (COSTS as Readonly<Partial<Record<string, Cost | string>>>)[type];
  return typeof cost === 'object' ? cost : null;
}

/** Login. The registration part is used only when the player is new. */
export interface StartSession {
  readonly type: 'StartSession';
  readonly wallet: string;
  /** Keyed hash of the session's token. */
  readonly session: string;
  /** Missing: not checked by the wallet. */
  readonly signIn?: SignInKind;
  readonly registration: {
    readonly publicId: string;
    readonly welcomePointsMinor: bigint;
    readonly activeHash: string;
    readonly nextHash: string;
    readonly clientSeed: string;
  } | null;
}

export interface ChangeNickname {
  readonly type: 'ChangeNickname';
  readonly nickname: string;
}

/** Reveals the active seed, makes the next one active and commits to a new next seed. */
export interface RotateSeeds {
  readonly type: 'RotateSeeds';
  readonly serverSeedHash: string;
  readonly serverSeed: string;
  readonly nextHash: string;
  readonly clientSeed: { readonly text: string; readonly by: 'player' | 'site' };
}

/** The terms of a game in the configuration in force. */
export type StakeLimits = Pick<
  GameConfig,
  'enabled' | 'minStakeMinor' | 'maxStakeMinor' | 'maxLines'
>;

/** The player is notified of a win of at least this multiple of the stake and this many points. */
export interface BigWinTerms {
  readonly bigWinMultiple: number;
  readonly bigWinMinMinor?: bigint | undefined;
}

interface Stake {
  readonly game: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  readonly limits: StakeLimits;
  readonly rules: string;
  readonly pair: number;
  readonly nonce: number;
  /** Optional where `needsTime` is false. */
  readonly play?: PlayTerms;
}

/** A stake on a game that settles immediately. */
export interface PlaceBet extends Stake, BigWinTerms {
  readonly type: 'PlaceBet';
  readonly choice?: Choice | undefined;
  /** Draws the round from the seeds of `pair` and `nonce`. Pure; called once, after every guard. */
  readonly draw: () => { readonly outcome: Outcome; readonly payoutMinor: bigint };
}

/** A stake on a timed game. The seeds determine its outcome and when it may be settled. */
export interface StartRound extends Stake {
  readonly type: 'StartRound';
  /** Draws as in `PlaceBet`; returns how many ticks the round lasts. */
  readonly draw: () => { readonly ticks: number };
  readonly tickMs: number;
}

/** The end of a timed round. The draw was made in `prepare` from the seed that the round began with. */
export interface SettleRound extends BigWinTerms {
  readonly type: 'SettleRound';
  readonly game: string;
  readonly round: string;
  readonly outcome: Outcome;
  readonly payoutMinor: bigint;
  /** Since the round's BetPlaced was recorded, by the database's clock. */
  readonly elapsedMs: number;
  readonly play?: PlayTerms;
}

/** Only for operators: the seed of an open round shows its player the payout. */
export interface VoidRound {
  readonly type: 'VoidRound';
  readonly by: string;
  readonly round: string;
  readonly reason: string;
  readonly terms: AdjustConfig;
  /** Whether the operator's allowance of the day covers the stake; see operators/allowance.ts. */
  readonly isAllowed: boolean;
  readonly proposal?: Agreed;
  readonly nowMs: number;
  readonly play?: PlayTerms;
}

/** Exchanges one asset for the other at the rates of the configuration. */
export interface Exchange {
  readonly type: 'Exchange';
  readonly fromAsset: Asset;
  readonly toAsset: Asset;
  /** Of `fromAsset`. */
  readonly amountMinor: bigint;
  readonly terms: ExchangeConfig;
  /** As in `PlaceBet`. */
  readonly play?: PlayTerms;
}

/** The player has seen the n-th notification, or all of them. */
export interface ReadNotifications {
  readonly type: 'ReadNotifications';
  readonly which: number | 'all';
}

/** Uses the idempotency key of a command that was not executed, so that it never can be. */
export interface DiscardCommand {
  readonly type: 'DiscardCommand';
  readonly idempotencyKey: string;
}

/** Records the key of a command that came after its round was settled. */
export interface RecordIdempotencyKey {
  readonly type: 'RecordIdempotencyKey';
  readonly idempotencyKey: string;
  readonly round: string;
}
