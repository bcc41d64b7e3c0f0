import { unreachable } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { SeedRevealed } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

export type Revealed = SeedRevealed['data'] & {
  readonly wallet: string;
  readonly position: number;
  readonly revealedAt: string;
};

export function fold(events: readonly RecordedEvent[]): readonly Revealed[] {
  const revealed: Revealed[] = [];
  for (const { event, stream, position, time } of events) {
    const seed = revealedBy(event);
    if (!seed) continue;
    revealed.push({ ...seed, wallet: parseStream(stream).id, position, revealedAt: time });
  }
  return revealed;
}

function revealedBy(event: RecordedEvent['event']): SeedRevealed['data'] | null {
  switch (event.type) {
    case 'SeedRevealed':
      return event.data;
    case 'PlayerRegistered':
    case 'WelcomeGranted':
    case 'SessionStarted':
    case 'NicknameChanged':
    case 'SeedsCommitted':
    case 'ClientSeedChanged':
    case 'BetPlaced':
    case 'BetWon':
    case 'BetLost':
    case 'BetVoided':
    case 'Exchanged':
    case 'NotificationsRead':
    case 'LimitSet':
    case 'LimitChangeCancelled':
    case 'SelfExcluded':
    case 'RealityCheckSet':
    case 'RealityCheckAcknowledged':
    case 'PlayerSuspended':
    case 'PlayerReinstated':
    case 'PlayerNoted':
    case 'AdjustmentProposed':
    case 'AdjustmentRefused':
    case 'BalanceAdjusted':
    case 'ConfigChanged':
    case 'LedgerSealed':
    case 'OperatorAdded':
    case 'OperatorRoleChanged':
    case 'OperatorRevoked':
    case 'OperatorSignedIn':
    case 'OperatorRefused':
    case 'TreasuryObserved':
    case 'SealAnchored':
    case 'DepositCredited':
    case 'WithdrawalRequested':
    case 'WithdrawalReleased':
    case 'WithdrawalApproved':
    case 'WithdrawalDenied':
    case 'WithdrawalSigned':
    case 'WithdrawalAttemptFailed':
    case 'WithdrawalFinalized':
    case 'UnmatchedDepositSeen':
    case 'UnmatchedDepositResolved':
      return null;
    default:
      return unreachable(event);
  }
}
