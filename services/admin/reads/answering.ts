import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@reelbook/http/refused';
import { CannotFold } from '@reelbook/inspection/stream-at';
import { Unanswerable } from '@reelbook/projections/entries/filter';
import { PositionNotReached } from '@reelbook/projections/projection';
import { JobRunning } from '../jobs/jobs.ts';

/** A read model that is a blink behind the ledger is waited for so often and so long. */
const TRIES_MAX = 8;
const TRY_AGAIN_MS = 150;

/** Turns what a read cannot answer into the catalogue's words; waits a moment for a read model that is behind. */
export async function answering<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof PositionNotReached && tries < TRIES_MAX) await sleep(TRY_AGAIN_MS);
      else throw refusalOf(error);
    }
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const why = error.message;
  if (error instanceof Unanswerable) {
    return new Refused({ failed: 'bad-input', detail: { problem: why } });
  }
  if (error instanceof PositionNotReached) {
    return new Refused({ failed: 'read-model-behind', detail: { why } });
  }
  if (error instanceof JobRunning) return new Refused({ failed: 'job-running', detail: { why } });
  if (error instanceof CannotFold) return new Refused({ failed: 'cannot-fold', detail: { why } });
  return error;
}
