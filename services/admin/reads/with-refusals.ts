import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@reelbook/http/refused';
import { CannotFold } from '@reelbook/inspection/stream-at';
import { Unanswerable } from '@reelbook/projections/entries/filter';
import { PositionNotReached } from '@reelbook/projections/projection';
import { JobRunning } from '../jobs/jobs.ts';

/** Retries while a projection lags behind the ledger. */
const TRIES_MAX = 8;
const RETRY_AFTER_MS = 150;

/** Maps errors of a read to refusals of the catalogue; retries while a projection lags. */
export async function withRefusals<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof PositionNotReached && tries < TRIES_MAX) await sleep(RETRY_AFTER_MS);
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
