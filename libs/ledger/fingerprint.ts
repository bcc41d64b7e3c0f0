import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonical } from './codec.ts';
import { changedValues } from './config/edit.ts';
import { postings } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import type { Proposed } from './operators/proposals.ts';
import { PROPOSAL_RULES } from './proposals.ts';
import { parseStream } from './streams.ts';

/** What an operator types after the dry run, and what follows from the time or from other events of the stream. */
const VARIABLE = new Set(['reason', 'note', 'evidence', 'notice', 'day', 'adjustment', 'number']);

/**
 * The hash of an effect, SHA-256 in hex. Balances before and after a movement are left out: they change with each bet of the
 * player, and the movement is compared. Of the configuration, the values that change.
 */
export function fingerprintOf(stream: string, events: readonly AnyEvent[]): string {
  const owner = parseStream(stream).id;
  const compared = events.map((event) => {
    const { type, data } = event;
    if (type === 'ConfigChanged') return { type, data: changedValues(data.before, data.after) };
    const { before, after, ...moved } = data as Readonly<Record<string, unknown>>;
    return { type, data: postings(event, owner).length > 0 ? moved : data };
  });
  return bytesToHex(sha256(utf8ToBytes(canonical([stream, constant(compared)]))));
}

/** Whether an effect is what was approved, by a command as this build has it. */
export function isAsApproved(
  { target, kind, schema, fingerprint }: Proposed['data'],
  events: readonly AnyEvent[],
): boolean {
  return schema === PROPOSAL_RULES[kind].schema && fingerprintOf(target, events) === fingerprint;
}

function constant(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(constant);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const isTime = key.endsWith('Ms') && typeof inner === 'number';
      // Who approved it.
      const isPeople = key === 'proposal' && typeof inner === 'object';
      return isTime || isPeople || VARIABLE.has(key) ? [] : [[key, constant(inner)]];
    }),
  );
}
