import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { postings } from '@reelbook/ledger/postings';
import { parseStream } from '@reelbook/ledger/streams';

/** What one event did to one account. */
export interface PostingRow {
  readonly account: string;
  readonly asset: Asset;
  readonly position: number;
  readonly deltaMinor: bigint;
  /** The sum of the account's deltas within the batch, this one included. */
  readonly runningMinor: bigint;
  /** Whether it is the account's first in the batch. */
  readonly isFirst: boolean;
}

/** One row for each account and asset that an event moves, in order of position. */
export function fold(events: readonly RecordedEvent[]): readonly PostingRow[] {
  const rows: PostingRow[] = [];
  const running = new Map<string, bigint>();
  for (const { event, stream, position } of events) {
    // An event may move an account by two legs (an amount and its fee); the account's row is their sum.
    const moved = new Map<string, Pick<PostingRow, 'account' | 'asset' | 'deltaMinor'>>();
    for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
      const key = `${account} ${asset}`;
      const before = moved.get(key)?.deltaMinor ?? 0n;
      moved.set(key, { account, asset, deltaMinor: before + deltaMinor });
    }
    for (const [key, row] of moved) {
      const before = running.get(key);
      const runningMinor = (before ?? 0n) + row.deltaMinor;
      running.set(key, runningMinor);
      rows.push({ ...row, position, runningMinor, isFirst: before === undefined });
    }
  }
  return rows;
}
