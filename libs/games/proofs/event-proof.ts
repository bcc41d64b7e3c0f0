import { hexToBytes } from '@noble/hashes/utils.js';
import { isIncluded } from '../fairness/merkle.ts';
import type { AnchorProof } from './anchor.ts';
import { type ChainedEvent, findChainFault } from './chained-event.ts';

/**
 * Proves that an event is under the root of a seal. It is leaf `position - from` of a tree of `to - from + 1` leaves;
 * `siblings` go from the leaf to the root. `seal_event` is the event of the seal in the ledger.
 */
export interface Inclusion {
  readonly seal: number;
  readonly from: number;
  readonly to: number;
  readonly root: string;
  readonly siblings: string[];
  readonly seal_event: ChainedEvent;
  /** Where the seal's root is on the chain; missing or null if it is not there yet. */
  readonly anchor?: AnchorProof | null;
}

/** One event and its proof. `inclusion` is null while no seal covers it. */
export interface EventProof extends ChainedEvent {
  readonly status: 'sealed' | 'not sealed yet';
  readonly inclusion: Inclusion | null;
  /** Only of a BetPlaced that is proved on its own: SeedsCommitted and ClientSeedChanged of its pair. */
  readonly commitment?: EventProof[];
}

/** The events in the proof of one event, in order: those of a bet's commitment, and itself. */
export function eventsOf(event: EventProof): readonly EventProof[] {
  return [...(event.commitment ?? []), event];
}

/** False for a text that cannot be read. */
export function isBet({ body }: Pick<EventProof, 'body'>): boolean {
  try {
    return (JSON.parse(body) as { readonly type?: unknown } | null)?.type === 'BetPlaced';
  } catch {
    return false;
  }
}

/** One sibling per level: more than any tree of events has. */
const SIBLINGS_MAX = 64;

/** The fault of an inclusion; null when the event is under the root that the seal names. */
export function findInclusionFault(event: ChainedEvent, inclusion: Inclusion): string | null {
  const { seal, from, to, root, siblings, seal_event: sealEvent } = inclusion;
  const place = `#${event.position}`;
  if (siblings.length > SIBLINGS_MAX) return `too many hashes prove ${place}`;
  const leaf = { index: event.position - from, size: to - from + 1 };
  const path = { ...leaf, siblings: siblings.map(hexToBytes) };
  if (!isIncluded(hexToBytes(event.hash), path, hexToBytes(root))) {
    return `${place} is not under the root of seal ${seal}`;
  }
  const fault = findChainFault(sealEvent);
  if (fault) return `seal ${seal}: ${fault}`;
  const { type, data } = JSON.parse(sealEvent.body) as { type: unknown; data: SealData };
  const same =
    type === 'LedgerSealed' &&
    data.seal === seal &&
    data.from === from &&
    data.to === to &&
    data.root === root;
  return same ? null : `the event at #${sealEvent.position} is not seal ${seal} with this root`;
}

interface SealData {
  readonly seal?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly root?: unknown;
}
