import { assert, unreachable } from '../assert.ts';
import type { PaymentEvent } from './payment-events.ts';

/** One that is neither paid nor released. */
export interface OpenWithdrawal {
  readonly withdrawal: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  readonly stage: 'requested' | 'approved' | 'signed';
  /** Who has approved it. */
  readonly approvedBy: readonly string[];
  /** Attempts ever signed. */
  readonly attempts: number;
  /** The attempt whose outcome is open; null when there is none. */
  readonly live: { readonly signature: string; readonly lastValidBlockHeight: number } | null;
  /** The last attempt, if it was taken for expired; `by` whom, where that was a person. */
  readonly expired?: { readonly signature: string; readonly by?: string };
}

/** A state without `withdrawals` is one whose player never asked for any. */
export interface Withdrawing {
  readonly withdrawals?: WithdrawalsState;
}

export interface WithdrawalsState {
  /** Ever asked for. */
  readonly count: number;
  readonly open: readonly OpenWithdrawal[];
}

const NONE: WithdrawalsState = { count: 0, open: [] };

export const withdrawalsOf = (state: Withdrawing): WithdrawalsState => state.withdrawals ?? NONE;

export function openOf(state: Withdrawing, withdrawal: string): OpenWithdrawal | null {
  return withdrawalsOf(state).open.find((one) => one.withdrawal === withdrawal) ?? null;
}

type WithdrawalEvent = Exclude<PaymentEvent, { type: 'DepositCredited' }>;

/** The state after an event of a withdrawal, but for balances and notifications. */
export function withWithdrawal<State extends Withdrawing>(
  state: State,
  event: WithdrawalEvent,
): State {
  const { count, open } = withdrawalsOf(state);
  if (event.type === 'WithdrawalRequested') {
    const { withdrawal, to, netMinor, feeMinor } = event.data;
    assert(withdrawal.endsWith(`-w${count + 1}`), 'withdrawals are numbered without gaps');
    const asked: OpenWithdrawal = {
      ...{ withdrawal, to, netMinor, feeMinor },
      ...{ stage: 'requested', approvedBy: [], attempts: 0, live: null },
    };
    return { ...state, withdrawals: { count: count + 1, open: [...open, asked] } };
  }
  const before = openOf(state, event.data.withdrawal);
  assert(before, `${event.type} is of a withdrawal that is open`);
  const next = after(before, event);
  const others = open.flatMap((one) => (one !== before ? [one] : next ? [next] : []));
  return { ...state, withdrawals: { count, open: others } };
}

/** What becomes of an open withdrawal; null when it is over. Throws for a step out of order. */
function after(
  open: OpenWithdrawal,
  event: Exclude<WithdrawalEvent, { type: 'WithdrawalRequested' }>,
): OpenWithdrawal | null {
  const { stage, live } = open;
  switch (event.type) {
    case 'WithdrawalApproved': {
      assert(stage === 'requested', 'what is approved was waiting');
      const { by, approvals, needed } = event.data;
      // It takes two: one more that is counted as the first is alone, for who was before may not act any more.
      const approvedBy = approvals === 1 ? [by] : [...open.approvedBy, by];
      assert(approvedBy.length === approvals, 'approvals are counted');
      const enough = approvals >= needed;
      return { ...open, approvedBy, stage: enough ? 'approved' : 'requested' };
    }
    case 'WithdrawalDenied':
      assert(stage !== 'signed', 'what may be on its way is not denied');
      return open;
    case 'WithdrawalSigned': {
      const { attempt, signature, lastValidBlockHeight } = event.data;
      assert(stage === 'approved' && live === null, 'what is signed was approved');
      assert(attempt === open.attempts + 1, 'attempts have no gaps');
      const { expired: _, ...rest } = open;
      return {
        ...rest,
        stage: 'signed',
        attempts: attempt,
        live: { signature, lastValidBlockHeight },
      };
    }
    case 'WithdrawalAttemptFailed': {
      const { signature, outcome, by } = event.data;
      assert(live?.signature === signature, 'what failed is the live attempt');
      const said = { signature, ...(by === undefined ? {} : { by }) };
      const expired = outcome === 'expired' ? { expired: said } : {};
      return { ...open, stage: 'approved', live: null, ...expired };
    }
    case 'WithdrawalFinalized':
      assert(isLastAttempt(open, event.data.signature), 'what is final is the last attempt');
      assertAmounts(open, event.data);
      return null;
    case 'WithdrawalReleased':
      assert(stage !== 'signed', 'what may be on its way is not released');
      assertAmounts(open, event.data);
      return null;
    default:
      return unreachable(event);
  }
}

/** The live attempt, or one taken for expired that the chain has after all: the chain is right. */
export function isLastAttempt({ live, expired }: OpenWithdrawal, signature: string): boolean {
  return [live?.signature, expired?.signature].includes(signature);
}

function assertAmounts(
  open: OpenWithdrawal,
  said: { readonly netMinor: bigint; readonly feeMinor: bigint },
): void {
  const same = open.netMinor === said.netMinor && open.feeMinor === said.feeMinor;
  assert(same, 'a withdrawal ends with the amounts that it began with');
}
