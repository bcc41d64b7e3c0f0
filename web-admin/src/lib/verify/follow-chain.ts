import type { AdminData } from '@reelbook/contract/admin/routes';
import { findChainFault } from '@reelbook/games/proofs/chained-event';

type Chain = AdminData<'chain'>;

/** Before the first event stands this hash. */
const GENESIS = '0'.repeat(64);

export interface ChainProgress {
  /** The last event that holds. */
  readonly position: number;
  readonly hash: string;
  readonly head: number;
}

export interface ChainFault {
  readonly position: number;
  readonly message: string;
}

/**
 * Follows the whole chain from event 1: positions dense, every hash follows from the text and the hash before it. Stops
 * at the first fault, and at the head that stood when it began. `load` gives the events from a position on.
 */
export async function followChain(o: {
  load(from: number): Promise<Chain>;
  onProgress(progress: ChainProgress): void;
}): Promise<ChainProgress | ChainFault> {
  let previous = GENESIS;
  let next = 1;
  let until: { position: number; hash: string } | null = null;
  for (;;) {
    const { events, head } = await o.load(next);
    until ??= head;
    for (const { position, body, hash } of events) {
      if (position > until.position) break;
      const fault =
        position === next
          ? faultOf({ position, body, previous_hash: previous, hash })
          : `#${next} is missing: #${position} follows #${next - 1}`;
      if (fault !== null) return { position: next, message: fault };
      previous = hash;
      next = position + 1;
    }
    const reached = { position: next - 1, hash: previous, head: until.position };
    o.onProgress(reached);
    if (next > until.position) {
      if (previous === until.hash) return reached;
      return { position: until.position, message: 'the head names another hash than the chain' };
    }
    if (events.length === 0) return { position: next, message: `#${next} is missing` };
  }
}

function faultOf(event: Parameters<typeof findChainFault>[0]): string | null {
  try {
    return findChainFault(event);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
