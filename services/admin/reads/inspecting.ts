import { openProver, type Prover } from '@reelbook/inspection/prover';
import { openTimeTravel, type TimeTravel } from '@reelbook/inspection/stream-at';
import type { Admin } from '../context.ts';

/** What the reads keep between calls: trees of seals, and stops of folds. */
export interface Inspecting {
  readonly prover: Prover;
  readonly travel: TimeTravel;
}

export function openInspecting({ pool }: Pick<Admin, 'pool'>): Inspecting {
  return { prover: openProver(pool), travel: openTimeTravel(pool) };
}
