import { Refused } from '@reelbook/http/routes';
import { Unanswerable } from '@reelbook/projections/entries/filter';

/** A read with a filter of the caller: what it cannot answer is bad input. */
export async function answerable<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Unanswerable)) throw error;
    throw new Refused({ failed: 'bad-input', detail: { problem: error.message } });
  }
}
