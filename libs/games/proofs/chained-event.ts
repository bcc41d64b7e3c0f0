import { eventHash } from '../fairness/commit.ts';

/** An event as it is sealed into the chain: `hash` is SHA-256(previous hash || body). Hashes are 64 hex digits. */
export interface ChainedEvent {
  readonly position: number;
  /** The sealed text. */
  readonly body: string;
  readonly previous_hash: string;
  readonly hash: string;
}

const HASH_PATTERN = /^[0-9a-f]{64}$/;

/** The fault of an event's hash; null when it follows from its body and the previous hash. */
export function findChainFault(event: ChainedEvent): string | null {
  const place = `#${event.position}`;
  // With a shorter hash, part of the text could be moved into the hash: both together would give the same bytes.
  if (!HASH_PATTERN.test(event.previous_hash)) return `the hash before ${place} is invalid`;
  if (eventHash(event.previous_hash, event.body) !== event.hash) {
    return `the hash of ${place} does not follow from its text and the hash before it`;
  }
  const position = readPosition(event.body);
  return position === event.position ? null : `the text of ${place} has position #${position}`;
}

function readPosition(body: string): unknown {
  return (JSON.parse(body) as { position?: unknown }).position;
}
