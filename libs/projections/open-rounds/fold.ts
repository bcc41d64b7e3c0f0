import { unreachable } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';

/** A round that was begun and is not over. `dueAt` is when its last tick ends, ISO 8601 in UTC. */
export interface OpenRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly position: number;
  readonly dueAt: string;
}

export interface OpenRoundsChanges {
  readonly begun: readonly OpenRound[];
  /** Rounds of earlier batches that ended; rounds that were never open are among them. */
  readonly ended: readonly { readonly round: string }[];
}

export function fold(events: readonly RecordedEvent[]): OpenRoundsChanges {
  const begun = new Map<string, OpenRound>();
  const ended: { round: string }[] = [];
  for (const recorded of events) {
    const { event } = recorded;
    switch (event.type) {
      case 'BetPlaced': {
        const { round, game, timed } = event.data;
        if (!timed) break;
        const { stream, position, time } = recorded;
        const dueAt = new Date(Date.parse(time) + timed.ticks * timed.tickMs).toISOString();
        begun.set(round, { round, wallet: parseStream(stream).id, game, position, dueAt });
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const { round } = event.data;
        if (!begun.delete(round)) ended.push({ round });
        break;
      }
      case 'WithdrawalApproved':
      case 'WithdrawalSigned':
      case 'WithdrawalAttemptFailed':
      case 'WithdrawalFinalized':
      case 'WithdrawalReleased':
      case 'WithdrawalRequested':
      case 'WithdrawalDenied':
      case 'DepositCredited':
      case 'PlayerRegistered':
      case 'WelcomeGranted':
      case 'SessionStarted':
      case 'NicknameChanged':
      case 'SeedsCommitted':
      case 'ClientSeedChanged':
      case 'SeedRevealed':
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
      case 'UnmatchedDepositSeen':
      case 'UnmatchedDepositResolved':
        break;
      default:
        unreachable(event);
    }
  }
  return { begun: [...begun.values()], ended };
}
