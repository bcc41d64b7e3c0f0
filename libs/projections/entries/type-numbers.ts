import type { EventType } from '@reelbook/ledger/event-types';
import type { StreamKind } from '@reelbook/ledger/streams';

/**
 * Types as the table has them: by kind of stream from its hundred on, in this order. A new type is added at the end of
 * its kind. The indexes of `table.sql` name 3 and 100: up to 3 are the three of every bet, from 100 on what is no
 * player's.
 */
const TYPES: Readonly<Record<StreamKind, string>> = {
  player: `BetPlaced BetWon BetLost BetVoided VoidProposed PlayerRegistered WelcomeGranted
    SessionStarted NicknameChanged SeedsCommitted ClientSeedChanged SeedRevealed Exchanged
    NotificationsRead CommandDiscarded LimitSet LimitChangeCancelled SelfExcluded RealityCheckSet
    RealityCheckAcknowledged PlayerSuspended PlayerReinstated PlayerNoted AdjustmentProposed
    AdjustmentRefused BalanceAdjusted DepositCredited WithdrawalRequested WithdrawalReleased
    WithdrawalApproved WithdrawalDenied WithdrawalSigned WithdrawalAttemptFailed
    WithdrawalFinalized VoidRefused IdempotencyKeyRecorded`,
  config: 'ConfigChanged ConfigChangeProposed ConfigChangeApproved ConfigChangeWithdrawn',
  operators: `OperatorAdded OperatorRoleChanged OperatorRevoked RoleProposed RoleApproved
    RoleWithdrawn OperatorSignedIn OperatorAccessDenied AllowanceUsed ReadModelOperationStarted
    ReadModelOperationCancelled ReadModelOperationFinished`,
  seals: 'LedgerSealed',
  treasury: `TreasuryObserved SealAnchored UnmatchedDepositSeen UnmatchedDepositProposed
    UnmatchedDepositResolved`,
};

export const KINDS = Object.keys(TYPES) as readonly StreamKind[];

/** A test holds it complete. */
export const TYPE_NUMBERS = Object.fromEntries(
  Object.values(TYPES).flatMap((types, kind) =>
    types.split(/\s+/).map((type, index) => [type, kind * 100 + index + 1]),
  ),
) as Readonly<Record<EventType, number>>;

/** A condition on `type` for some types, as a list of numbers. */
export function numbersOf(types: readonly EventType[]): string {
  return types.map((type) => TYPE_NUMBERS[type]).join(', ');
}
