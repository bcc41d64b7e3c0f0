import { unreachable } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

const SLOT_MACHINE = 'slot-machine';

/** One settled round, as far as it counts for anything. */
export interface CountedRound {
  readonly wallet: string;
  readonly position: number;
  readonly at: string;
  readonly isSlot: boolean;
  readonly stakeMinor: bigint;
  readonly wonMinor: bigint;
}

export function fold(events: readonly RecordedEvent[]): readonly CountedRound[] {
  return events.flatMap(({ event, stream, position, time }) => {
    const settled = settledBy(event);
    if (!settled) return [];
    const { game, stakeMinor } = settled.data;
    return {
      wallet: parseStream(stream).id,
      position,
      at: time,
      isSlot: game === SLOT_MACHINE,
      stakeMinor,
      wonMinor: settled.type === 'BetWon' ? settled.data.payoutMinor : 0n,
    };
  });
}

function settledBy(event: RecordedEvent['event']): BetWon | BetLost | null {
  switch (event.type) {
    case 'BetWon':
    case 'BetLost':
      return event;
    case 'PlayerRegistered':
    case 'NicknameChanged':
    case 'WelcomeGranted':
    case 'SessionStarted':
    case 'SeedsCommitted':
    case 'ClientSeedChanged':
    case 'SeedRevealed':
    case 'BetPlaced':
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
