import type { Clock } from '@reelbook/event-store/clock';
import type { Config } from '@reelbook/ledger/config/config';
import { realityCheckOf } from '@reelbook/ledger/config/in-force';
import { needsTime, type PlayTerms } from '@reelbook/ledger/player/protection';
import type { Protected } from '@reelbook/ledger/player/protection-state';

/** What a stake is decided by beside the state. The time is looked up only for players for whom it counts. */
export async function playTermsOf(
  { clock }: { readonly clock: Clock },
  config: Config,
  state: Protected,
): Promise<PlayTerms> {
  const realityCheckMs = realityCheckOf(config);
  const nowMs = needsTime(state, realityCheckMs) ? await clock.nowMs() : null;
  return { nowMs, realityCheckMs };
}
