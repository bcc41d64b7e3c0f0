import { type Decider, fold, type LedgerEvent } from '@reelbook/ledger/decider';
import { isRejection, type RejectionCode } from '@reelbook/ledger/rejections';
import { expect } from 'vitest';

/**
 * What a decider does, said in the order in which it happens:
 * `given(player, [registered]).when(placeBet).yields([betPlaced, betLost])`.
 */
export function given<S, C, E extends LedgerEvent>(
  decider: Decider<S, C, E>,
  history: readonly E[],
) {
  const state = fold(decider, history);
  return {
    when(command: C) {
      const decided = decider.decide(state, command);
      return {
        /** Exactly these events, in this order. */
        yields(events: readonly E[]) {
          expect(decided).toEqual(events);
        },
        rejects(code: RejectionCode) {
          expect(isRejection(decided) ? decided.rejected : decided).toBe(code);
        },
        /** The state after the decided events. */
        state(): S {
          if (isRejection(decided)) throw new Error(`rejected: ${decided.rejected}`);
          return fold(decider, decided, state);
        },
      };
    },
  };
}
