import { unreachable } from './assert.ts';
import type { ConfigEvent } from './config/events.ts';
import { EVENT_TYPES } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import type { Asset } from './money.ts';
import type { OperatorEvent } from './operators/events.ts';

/** One leg of double entry. Positive: the account is owed more. Per asset the legs of an event sum to zero. */
export interface Posting {
  /** `player:<wallet>`, `house`, `fees`, `withdrawals` (held), `unmatched` or `chain`. */
  readonly account: string;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
}

/** The postings of one event. `owner` is the wallet of the stream it stands in; unused outside player streams. */
export function postings(event: AnyEvent, owner: string): readonly Posting[] {
  if (isOfOperators(event)) return [];
  switch (event.type) {
    case 'BalanceAdjusted': {
      const { asset, deltaMinor } = event.data;
      return move(asset, 'house', `player:${owner}`, deltaMinor);
    }
    case 'WelcomeGranted':
      return move('points', 'house', `player:${owner}`, event.data.pointsMinor);
    case 'BetPlaced':
      return move('points', `player:${owner}`, 'house', event.data.stakeMinor);
    case 'BetWon':
      return move('points', 'house', `player:${owner}`, event.data.payoutMinor);
    case 'BetVoided':
      return move('points', 'house', `player:${owner}`, event.data.stakeMinor);
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor } = event.data;
      return [
        ...move(fromAsset, `player:${owner}`, 'house', fromMinor),
        ...move(toAsset, 'house', `player:${owner}`, toMinor),
      ];
    }
    case 'DepositCredited':
    case 'WithdrawalRequested':
    case 'WithdrawalFinalized':
    case 'WithdrawalReleased':
    case 'UnmatchedDepositSeen':
    case 'UnmatchedDepositResolved':
      return paymentPostings(event, owner);
    case 'PlayerRegistered':
    case 'SessionStarted':
    case 'NicknameChanged':
    case 'SeedsCommitted':
    case 'ClientSeedChanged':
    case 'SeedRevealed':
    case 'BetLost':
    case 'NotificationsRead':
    case 'CommandDiscarded':
    case 'IdempotencyKeyRecorded':
    case 'LimitSet':
    case 'LimitChangeCancelled':
    case 'SelfExcluded':
    case 'RealityCheckSet':
    case 'RealityCheckAcknowledged':
    case 'PlayerSuspended':
    case 'PlayerReinstated':
    case 'PlayerNoted':
    case 'AdjustmentProposed':
    case 'VoidProposed':
    case 'VoidRefused':
    case 'AdjustmentRefused':
    case 'LedgerSealed':
    case 'TreasuryObserved':
    case 'SealAnchored':
    case 'UnmatchedDepositProposed':
    case 'WithdrawalApproved':
    case 'WithdrawalDenied':
    case 'WithdrawalSigned':
    case 'WithdrawalAttemptFailed':
      return [];
    default:
      return unreachable(event);
  }
}

/** Configuration and operators move no money. */
function isOfOperators(event: AnyEvent): event is ConfigEvent | OperatorEvent {
  return ['config', 'operators'].includes(EVENT_TYPES[event.type]);
}

type Payment = Extract<
  AnyEvent,
  {
    readonly type:
      | 'DepositCredited'
      | `Withdrawal${'Requested' | 'Finalized' | 'Released'}`
      | `UnmatchedDeposit${'Seen' | 'Resolved'}`;
  }
>;

/** Those of token that comes and goes over the chain. */
function paymentPostings(event: Payment, owner: string): readonly Posting[] {
  switch (event.type) {
    case 'DepositCredited': {
      const { from, amountMinor } = event.data;
      return move('token', from, `player:${owner}`, amountMinor);
    }
    case 'WithdrawalRequested': {
      const { netMinor, feeMinor } = event.data;
      return [
        ...move('token', `player:${owner}`, 'withdrawals', netMinor),
        ...move('token', `player:${owner}`, 'fees', feeMinor),
      ];
    }
    case 'WithdrawalFinalized':
      return move('token', 'withdrawals', 'chain', event.data.netMinor);
    case 'WithdrawalReleased': {
      const { netMinor, feeMinor } = event.data;
      return [
        ...move('token', 'withdrawals', `player:${owner}`, netMinor),
        ...move('token', 'fees', `player:${owner}`, feeMinor),
      ];
    }
    case 'UnmatchedDepositSeen':
      return move('token', 'chain', 'unmatched', event.data.amountMinor);
    case 'UnmatchedDepositResolved': {
      // A player's leaves the queue with its credit, in the stream of that player.
      const { to, amountMinor } = event.data;
      return to === 'house' ? move('token', 'unmatched', 'house', amountMinor) : [];
    }
  }
}

function move(asset: Asset, source: string, target: string, amountMinor: bigint): Posting[] {
  return [
    { account: source, asset, deltaMinor: -amountMinor },
    { account: target, asset, deltaMinor: amountMinor },
  ];
}
