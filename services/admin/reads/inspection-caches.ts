import { openProver, type Prover } from '@reelbook/inspection/prover';
import { openTimeTravel, type TimeTravel } from '@reelbook/inspection/stream-at';
import type { Admin } from '../context.ts';

/** Caches between calls: Merkle trees of seals, and intermediate states of folds. */
export interface InspectionCaches {
  readonly prover: Prover;
  readonly travel: TimeTravel;
}

export function openInspectionCaches({ pool }: Pick<Admin, 'pool'>): InspectionCaches {
  return { prover: openProver(pool), travel: openTimeTravel(pool) };
}
