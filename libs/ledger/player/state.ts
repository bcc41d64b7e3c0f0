import { assert, unreachable } from '../assert.ts';
import type { Balances } from './balances.ts';
import type { Budgeted } from './budget.ts';
import type { BetPlaced, PlayerEvent } from './events.ts';
import { type Noticed, withNotice, withRead } from './notices.ts';
import { isPaymentEvent, type PaymentEvent } from './payment-events.ts';
import {
  type Protected,
  withDeposit,
  withPayout,
  withProtection,
  withStake,
  withTime,
} from './protection-state.ts';
import {
  isStandingEvent,
  type Standing,
  type StandingEvent,
  withStatus,
  withVoidAlone,
} from './standing.ts';
import { type Withdrawing, withWithdrawal } from './withdrawal-state.ts';

/** The pair of seeds in use. `nonce` is the next unused one. */
export interface SeedState {
  readonly pair: number;
  readonly activeHash: string;
  readonly nextHash: string;
  readonly clientSeed: string;
  /** Only after the first pair; see `clientSeedBy`. */
  readonly clientSeedBy?: 'site';
  readonly nonce: number;
}

/** Who chose the client seed of the pair in use. For the first pair it is always the site. */
export function clientSeedBy({ pair, clientSeedBy: by }: SeedState): 'player' | 'site' {
  return pair === 1 || by === 'site' ? 'site' : 'player';
}

/** The player's latest round of a timed game, and whether it is still open. */
export interface TimedRound {
  readonly round: string;
  readonly rules: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly ticks: number;
  readonly tickMs: number;
  readonly open: boolean;
}

export interface PlayerState extends Balances, Budgeted, Noticed, Protected, Standing, Withdrawing {
  /** Empty before registration. */
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
  readonly seeds: SeedState | null;
  /** Of an event of earlier builds; nothing reads it. */
  readonly walletCheckedOnly?: boolean;
  /** The number of rounds; the next round has number `rounds + 1`. */
  readonly rounds: number;
  /** By game; missing if the player never played a timed game. */
  readonly timed?: Readonly<Record<string, TimedRound>>;
}

export const initialPlayer: PlayerState = {
  wallet: '',
  publicId: '',
  nickname: null,
  pointsMinor: 0n,
  tokenMinor: 0n,
  seeds: null,
  rounds: 0,
};

export function isRegistered(state: PlayerState): boolean {
  return state.wallet !== '';
}

export function balancesOf(state: Balances): Balances {
  return { pointsMinor: state.pointsMinor, tokenMinor: state.tokenMinor };
}

/** The open round of a game; null if there is none. */
export function openRoundOf(state: PlayerState, game: string): TimedRound | null {
  const round = state.timed?.[game];
  return round?.open ? round : null;
}

/** All open rounds, by game. */
export function openRounds(state: PlayerState): readonly (readonly [string, TimedRound])[] {
  return Object.entries(state.timed ?? {}).filter(([, { open }]) => open);
}

/** The state after a timed round has begun. */
function withOpenRound(state: PlayerState, placed: BetPlaced['data']): PlayerState {
  const { game, timed } = placed;
  if (!timed) return state;
  const { seeds } = state;
  assert(seeds, 'a round is drawn from the pair in use');
  assert(!openRoundOf(state, game), 'a player has one open round of a game');
  const { round, rules, stakeMinor, lines, nonce } = placed;
  const drawnFrom = { serverSeedHash: seeds.activeHash, clientSeed: seeds.clientSeed, nonce };
  const bet = { round, rules, stakeMinor, lines, ...drawnFrom };
  return { ...state, timed: { ...state.timed, [game]: { ...bet, ...timed, open: true } } };
}

/** The state after a round was settled or voided; unchanged for a round that was never open. */
function withRoundEnded(
  state: PlayerState,
  { game, round }: { readonly game: string; readonly round: string },
): PlayerState {
  const begun = state.timed?.[game];
  if (begun?.round !== round) return state;
  assert(begun.open, 'a round ends once');
  return { ...state, timed: { ...state.timed, [game]: { ...begun, open: false } } };
}

/** Applies one event. Balances come from the event's own `after`, which the audit compares with the postings. */
export function evolve(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'PlayerRegistered':
      return { ...state, wallet: event.data.wallet, publicId: event.data.publicId };
    case 'SessionStarted':
    case 'CommandDiscarded':
    case 'IdempotencyKeyRecorded':
      return state;
    case 'SignInPolicySet':
      return { ...state, walletCheckedOnly: event.data.walletCheckedOnly };
    case 'NicknameChanged':
      return { ...state, nickname: event.data.nickname };
    case 'SeedsCommitted':
      return { ...state, seeds: { ...event.data, clientSeed: '', nonce: 0 } };
    case 'ClientSeedChanged': {
      const { pair, clientSeed, by } = event.data;
      const chosen = { clientSeed, ...(pair > 1 && by === 'site' ? { clientSeedBy: by } : {}) };
      return { ...state, seeds: { ...seedsOf(state), ...chosen } };
    }
    case 'SeedRevealed':
      return withNotice({ ...state, seeds: null }, event.data.notice);
    case 'BetPlaced':
      return withBet(state, event.data);
    case 'BetLost':
      return withRoundEnded({ ...state, ...event.data.after }, event.data);
    case 'BetWon': {
      const paid = withRoundEnded({ ...state, ...event.data.after }, event.data);
      return withNotice(withPayout(paid, event.data), event.data.notice);
    }
    case 'BetVoided': {
      const { stakeMinor: payoutMinor, notice } = event.data;
      const ended = withRoundEnded({ ...state, ...event.data.after }, event.data);
      const back = withVoidAlone(ended, event.data);
      return withNotice(withPayout(back, { ...event.data, payoutMinor }), notice);
    }
    case 'Exchanged': {
      const exchanged = { ...state, ...event.data.after };
      return withNotice(withTime(exchanged, event.data.atMs), event.data.notice);
    }
    case 'WelcomeGranted':
      return withNotice({ ...state, ...event.data.after }, event.data.notice);
    case 'NotificationsRead':
      return withRead(state, event.data);
    case 'SelfExcluded':
    case 'LimitSet':
      return withNotice(withProtection(state, event), event.data.notice);
    case 'LimitChangeCancelled':
    case 'RealityCheckSet':
    case 'RealityCheckAcknowledged':
      return withProtection(state, event);
    default:
      if (isPaymentEvent(event)) return withPayment(state, event);
      if (isStandingEvent(event)) return withOperatorAct(state, event);
      return unreachable(event);
  }
}

function withBet(state: PlayerState, data: BetPlaced['data']): PlayerState {
  const { pair, nonce, after } = data;
  const seeds = seedsOf(state);
  assert(pair === seeds.pair && nonce === seeds.nonce, 'nonces of a pair have no gaps');
  const used = { ...seeds, nonce: nonce + 1 };
  const placed = { ...state, ...after, seeds: used, rounds: state.rounds + 1 };
  return withOpenRound(withStake(placed, data), data);
}

function withPayment(state: PlayerState, event: PaymentEvent): PlayerState {
  switch (event.type) {
    case 'DepositCredited': {
      const { amountMinor: tokenMinor, atMs, after, notice } = event.data;
      const credited = { tokenMinor, ...(atMs === undefined ? {} : { atMs }) };
      return withNotice(withDeposit({ ...state, ...after }, credited), notice);
    }
    case 'WithdrawalRequested':
    case 'WithdrawalReleased': {
      const moved = { ...withWithdrawal(state, event), ...event.data.after };
      return withNotice(moved, event.data.notice);
    }
    case 'WithdrawalApproved':
    case 'WithdrawalSigned':
    case 'WithdrawalFinalized':
      return withNotice(withWithdrawal(state, event), event.data.notice);
    case 'WithdrawalDenied':
    case 'WithdrawalAttemptFailed':
      return withWithdrawal(state, event);
  }
}

function withOperatorAct(state: PlayerState, event: StandingEvent): PlayerState {
  const { data } = event;
  const moved = 'after' in data ? { ...state, ...data.after } : state;
  const noticed = withNotice(moved, 'notice' in data ? data.notice : undefined);
  return withStatus(noticed, event);
}

function seedsOf(state: PlayerState): SeedState {
  assert(state.seeds, 'the player has committed seeds');
  return state.seeds;
}
