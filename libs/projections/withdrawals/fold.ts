import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';

export type WithdrawalStatus = 'requested' | 'approved' | 'signed' | 'finalized' | 'released';

/** A withdrawal that was requested in the batch. */
export interface NewWithdrawal {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  readonly requestedAt: string;
  readonly position: number;
}

/** One event's changes of a withdrawal; null: unchanged. Applied in order. */
export interface Step {
  readonly withdrawal: string;
  /** Numbers the steps of one withdrawal within the batch, from 1: a statement applies one step of each. */
  readonly rank: number;
  readonly position: number;
  readonly at: string;
  readonly status: WithdrawalStatus | null;
  readonly approvedBy: string | null;
  /** Approvals that count with it: 1 if earlier ones no longer count. */
  readonly approvals: number | null;
  readonly automatic: boolean;
  readonly attempt: number | null;
  readonly signature: string | null;
  readonly transaction: string | null;
  readonly lastValidBlockHeight: number | null;
  readonly slot: number | null;
  readonly reason: string | null;
}

export interface WithdrawalsChanges {
  readonly requested: readonly NewWithdrawal[];
  readonly steps: readonly Step[];
}

export function fold(events: readonly RecordedEvent[]): WithdrawalsChanges {
  const requested: NewWithdrawal[] = [];
  const steps: Step[] = [];
  const ranks = new Map<string, number>();
  for (const { event, stream, position, time: at } of events) {
    if (event.type === 'WithdrawalRequested') {
      const { withdrawal, to, netMinor, feeMinor } = event.data;
      const wallet = parseStream(stream).id;
      requested.push({ withdrawal, wallet, to, netMinor, feeMinor, requestedAt: at, position });
      continue;
    }
    const step = stepBy(event);
    if (!step) continue;
    const rank = (ranks.get(step.withdrawal) ?? 0) + 1;
    ranks.set(step.withdrawal, rank);
    steps.push({ ...NOTHING, ...step, rank, position, at });
  }
  return { requested, steps };
}

const NOTHING = {
  status: null,
  approvedBy: null,
  approvals: null,
  automatic: false,
  attempt: null,
  signature: null,
  transaction: null,
  lastValidBlockHeight: null,
  slot: null,
  reason: null,
} as const;

type StepChange = Partial<Step> & Pick<Step, 'withdrawal'>;

function stepBy(event: RecordedEvent['event']): StepChange | null {
  switch (event.type) {
    case 'WithdrawalApproved': {
      const { withdrawal, by: approvedBy, approvals, needed } = event.data;
      const status = approvals < needed ? null : ('approved' as const);
      return {
        withdrawal,
        approvedBy,
        approvals,
        status,
        automatic: approvedBy.startsWith('system:'),
      };
    }
    case 'WithdrawalSigned': {
      const { notice: _, ...signed } = event.data;
      return { status: 'signed', ...signed };
    }
    case 'WithdrawalAttemptFailed': {
      const { withdrawal, evidence: reason } = event.data;
      return { withdrawal, status: 'approved', reason };
    }
    case 'WithdrawalFinalized':
      return { withdrawal: event.data.withdrawal, status: 'finalized' };
    case 'WithdrawalReleased': {
      const { withdrawal, reason } = event.data;
      return { withdrawal, status: 'released', reason };
    }
    default:
      return null;
  }
}
