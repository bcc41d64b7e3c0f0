import { assert, unreachable } from '../assert.ts';
import type { BetPlaced, PlayerEvent } from './events.ts';
import { withNotice, withRead } from './notices.ts';
import { isPaymentEvent, type PaymentEvent } from './payment-events.ts';
import {
  withDeposit,
  withPayout,
  withProtection,
  withStake,
  withTime,
} from './protection-state.ts';
import { isStandingEvent, type StandingEvent, withStanding, withVoidAlone } from './standing.ts';
import {
  type PlayerState,
  type SeedState,
  withOpenRound,
  withRoundEnded,
  withVoidProposal,
} from './state.ts';
import { withWithdrawal } from './withdrawals.ts';

/** Applies one event. Money comes from the event's own `after`, which the audit compares with the postings. */
export function evolve(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'PlayerRegistered':
      return { ...state, wallet: event.data.wallet, publicId: event.data.publicId };
    case 'SessionStarted':
    case 'CommandDiscarded':
    case 'IdempotencyKeyRecorded':
      return state;
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
    case 'VoidProposed':
    case 'VoidRefused':
      return withVoidProposal(state, event);
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
  return withStanding(noticed, event);
}

function seedsOf(state: PlayerState): SeedState {
  assert(state.seeds, 'the player has committed seeds');
  return state.seeds;
}
