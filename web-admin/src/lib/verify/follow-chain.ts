import type { AdminData } from '@reelbook/contract/admin/routes';
import { findChainFault } from '@reelbook/games/proofs/chained-event';

type Chain = AdminData<'chain'>;

/** Previous hash of the first event. */
const GENESIS = '0'.repeat(64);

export interface ChainProgress {
  /** The last verified event. */
  readonly position: number;
  readonly hash: string;
  readonly head: number;
}

export interface ChainFault {
  readonly position: number;
  readonly message: string;
}

/**
 * Verifies the hash chain from event 1: positions are dense, each hash matches the body and the previous hash. Stops at the
 * first fault, or at the head of the first page. `load` returns the events from a position.
 */
export async function followChain({
  load,
  onProgress,
}: {
  load(from: number): Promise<Chain>;
  onProgress(progress: ChainProgress): void;
}): Promise<ChainProgress | ChainFault> {
  let previous = GENESIS;
  let next = 1;
  let until: { position: number; hash: string } | null = null;
  for (;;) {
    const { events, head } = await load(next);
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
    onProgress(reached);
    if (next > until.position) {
      if (previous === until.hash) return reached;
      return { position: until.position, message: 'the hash of the head differs from the chain' };
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
