import { Bug } from './assert.ts';
import type { AnyEvent } from './events.ts';
import type { StreamKind } from './streams.ts';

export type EventType = AnyEvent['type'];

/** Every type of event and the kind of stream that it stands in: the compiler sees to it that none is missing. */
export const EVENT_TYPES: Readonly<Record<EventType, StreamKind>> = {
  PlayerRegistered: 'player',
  WelcomeGranted: 'player',
  SessionStarted: 'player',
  NicknameChanged: 'player',
  SeedsCommitted: 'player',
  ClientSeedChanged: 'player',
  SeedRevealed: 'player',
  BetPlaced: 'player',
  BetWon: 'player',
  BetLost: 'player',
  VoidProposed: 'player',
  VoidRefused: 'player',
  BetVoided: 'player',
  Exchanged: 'player',
  NotificationsRead: 'player',
  CommandDiscarded: 'player',
  IdempotencyKeyRecorded: 'player',
  LimitSet: 'player',
  LimitChangeCancelled: 'player',
  SelfExcluded: 'player',
  RealityCheckSet: 'player',
  RealityCheckAcknowledged: 'player',
  PlayerSuspended: 'player',
  PlayerReinstated: 'player',
  PlayerNoted: 'player',
  AdjustmentProposed: 'player',
  AdjustmentRefused: 'player',
  BalanceAdjusted: 'player',
  ConfigChanged: 'config',
  ConfigChangeProposed: 'config',
  ConfigChangeApproved: 'config',
  ConfigChangeWithdrawn: 'config',
  LedgerSealed: 'seals',
  OperatorAdded: 'operators',
  OperatorRoleChanged: 'operators',
  OperatorRevoked: 'operators',
  RoleProposed: 'operators',
  RoleApproved: 'operators',
  RoleWithdrawn: 'operators',
  OperatorSignedIn: 'operators',
  OperatorAccessDenied: 'operators',
  AllowanceUsed: 'operators',
  ReadModelOperationStarted: 'operators',
  ReadModelOperationCancelled: 'operators',
  ReadModelOperationFinished: 'operators',
  TreasuryObserved: 'treasury',
  SealAnchored: 'treasury',
  DepositCredited: 'player',
  WithdrawalRequested: 'player',
  WithdrawalReleased: 'player',
  WithdrawalApproved: 'player',
  WithdrawalDenied: 'player',
  WithdrawalSigned: 'player',
  WithdrawalAttemptFailed: 'player',
  WithdrawalFinalized: 'player',
  UnmatchedDepositSeen: 'treasury',
  UnmatchedDepositProposed: 'treasury',
  UnmatchedDepositResolved: 'treasury',
};

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_TYPES, type);
}

/**
 * A fold passes over the types that say nothing to it. So a type that this build does not know must never come to one:
 * it is an event of a newer build, and nobody here can say whether it matters. Throws `Bug`.
 */
export function assertKnown(type: string, position: number): void {
  if (isEventType(type)) return;
  throw new Bug(`position ${position} is a ${type}, which this build does not know`);
}
