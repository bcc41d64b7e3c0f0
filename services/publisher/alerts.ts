import type { Condition } from '@reelbook/runtime/alerts/condition';
import type { PublisherStatus } from './publisher.ts';

const FAILING_AFTER_MS = 60_000;

/** A foreign stream waits for an operator; other failures are retried. */
export function publisherConditions(status: () => PublisherStatus): readonly Condition[] {
  const failing = (isForeign: boolean) => {
    const { failing: text, foreignStream } = status();
    return text !== null && foreignStream === isForeign ? [{ text }] : [];
  };
  return [
    { name: 'stream-ahead', find: () => failing(true) },
    { name: 'publishing', afterMs: FAILING_AFTER_MS, find: () => failing(false) },
  ];
}
