import type { Executed } from '@reelbook/event-store/execution';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { Refused } from './refused.ts';

type Done<State, Event> = Extract<Executed<State, Event>, { kind: 'done' }>;

/** The result of an executed command; throws `Refused` for a refused one. */
export function settled<State, Event extends LedgerEvent>(
  executed: Executed<State, Event>,
): Done<State, Event> {
  switch (executed.kind) {
    case 'done':
      return executed;
    case 'refused':
      throw new Refused(executed.rejection);
    case 'key-reused':
      throw new Refused({ failed: 'idempotency-key-reused' });
  }
}
