import { assert, unreachable } from '../assert.ts';
import { readConfirmation } from './confirmation.ts';
import type { PaymentEvent } from './payment-events.ts';

/** A withdrawal that is neither paid nor released. */
export interface OpenWithdrawal {
  readonly withdrawal: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  /** The address is the player's own wallet, or the player's signature names it. */
  readonly confirmed: boolean;
  readonly stage: 'requested' | 'approved' | 'signed';
  /** The actors who approved it. */
  readonly approvedBy: readonly string[];
  /** The number of signed attempts. */
  readonly attempts: number;
  /** The attempt whose outcome is open; null when there is none. */
  readonly live: { readonly signature: string; readonly lastValidBlockHeight: number } | null;
  /** The last attempt, if it was recorded as expired; `by` is the person who stated it, if any. */
  readonly expired?: { readonly signature: string; readonly by?: string };
  /** The number of its last notification to the player. */
  readonly notice?: number;
}

/** A state without `withdrawals` is of a player who never requested one. */
export interface Withdrawing {
  readonly withdrawals?: WithdrawalsState;
}

interface WithdrawalsState {
  /** The number of requested withdrawals. */
  readonly count: number;
  readonly open: readonly OpenWithdrawal[];
  /** The time in the last confirmation. The next one must be later, so that each counts once. */
  readonly confirmedMs?: number;
}

const NONE: WithdrawalsState = { count: 0, open: [] };

export const withdrawalsOf = (state: Withdrawing): WithdrawalsState => state.withdrawals ?? NONE;

export function openOf(state: Withdrawing, withdrawal: string): OpenWithdrawal | null {
  return withdrawalsOf(state).open.find((one) => one.withdrawal === withdrawal) ?? null;
}

type WithdrawalEvent = Exclude<PaymentEvent, { type: 'DepositCredited' }>;

/** The state after an event of a withdrawal, except balances and notifications. */
export function withWithdrawal<State extends Withdrawing & { readonly wallet: string }>(
  state: State,
  event: WithdrawalEvent,
): State {
  const { count, open, ...last } = withdrawalsOf(state);
  if (event.type === 'WithdrawalRequested') {
    const { withdrawal, to, netMinor, feeMinor, confirmation, notice } = event.data;
    assert(withdrawal.endsWith(`-w${count + 1}`), 'withdrawals are numbered without gaps');
    const requested: OpenWithdrawal = {
      withdrawal,
      to,
      netMinor,
      feeMinor,
      confirmed: to === state.wallet || confirmation !== undefined,
      stage: 'requested',
      approvedBy: [],
      attempts: 0,
      live: null,
      ...(notice && { notice: notice.n }),
    };
    const atMs = confirmation && readConfirmation(confirmation.message)?.atMs;
    const confirmed = atMs === undefined ? last : { confirmedMs: atMs };
    const withdrawals = { count: count + 1, open: [...open, requested], ...confirmed };
    return { ...state, withdrawals };
  }
  const before = openOf(state, event.data.withdrawal);
  assert(before, `${event.type} is of an open withdrawal`);
  const notice = 'notice' in event.data ? event.data.notice : undefined;
  const step = after(before, event);
  const next = step && notice ? { ...step, notice: notice.n } : step;
  const others = open.flatMap((one) => (one !== before ? [one] : next ? [next] : []));
  return { ...state, withdrawals: { count, open: others, ...last } };
}

/** The next state of an open withdrawal; null when it is over. Throws for a step out of order. */
function after(
  open: OpenWithdrawal,
  event: Exclude<WithdrawalEvent, { type: 'WithdrawalRequested' }>,
): OpenWithdrawal | null {
  const { stage, live } = open;
  switch (event.type) {
    case 'WithdrawalApproved': {
      assert(stage === 'requested', 'an approved withdrawal was requested');
      const { by, approvals, needed } = event.data;
      // A second approval that counts as the first replaces one of an operator who may not act any more.
      const approvedBy = approvals === 1 ? [by] : [...open.approvedBy, by];
      assert(approvedBy.length === approvals, 'approvals are counted');
      const enough = approvals >= needed;
      return { ...open, approvedBy, stage: enough ? 'approved' : 'requested' };
    }
    case 'WithdrawalDenied':
      assert(stage !== 'signed', 'a signed withdrawal is not denied');
      return open;
    case 'WithdrawalSigned': {
      const { attempt, signature, lastValidBlockHeight } = event.data;
      assert(stage === 'approved' && live === null, 'a signed withdrawal was approved');
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
      assert(live?.signature === signature, 'the failed attempt is the live one');
      const attempt = { signature, ...(by === undefined ? {} : { by }) };
      const expired = outcome === 'expired' ? { expired: attempt } : {};
      return { ...open, stage: 'approved', live: null, ...expired };
    }
    case 'WithdrawalFinalized':
      assert(isLastAttempt(open, event.data.signature), 'the final attempt is the last one');
      assertAmounts(open, event.data);
      return null;
    case 'WithdrawalReleased':
      assert(stage !== 'signed', 'a signed withdrawal is not released');
      assertAmounts(open, event.data);
      return null;
    default:
      return unreachable(event);
  }
}

/** The live attempt, or one recorded as expired that is on the chain. */
export function isLastAttempt({ live, expired }: OpenWithdrawal, signature: string): boolean {
  return [live?.signature, expired?.signature].includes(signature);
}

function assertAmounts(
  open: OpenWithdrawal,
  amounts: { readonly netMinor: bigint; readonly feeMinor: bigint },
): void {
  const same = open.netMinor === amounts.netMinor && open.feeMinor === amounts.feeMinor;
  assert(same, 'a withdrawal ends with the amounts that it began with');
}
