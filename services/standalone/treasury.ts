import type { Spine } from '@reelbook/event-store/execute';
import { assert } from '@reelbook/ledger/assert';
import { toMinor } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';

/** What the local chain's treasury opens with. */
const OPENING_BSM = 1_000_000;

/**
 * The opening observation of the local chain's treasury, so that exchange has cover. Once for ever: its claim holds
 * however often Reelbook starts, and whatever was observed since.
 */
export async function openTreasury(spine: Spine): Promise<void> {
  const tokenMinor = toMinor('token', OPENING_BSM);
  assert(tokenMinor, 'the opening is an amount');
  const executed = await spine.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    claim: 'treasury:opening',
    request: null,
    meta: { correlation: 'treasury-opening', actor: 'system:standalone' },
    prepare: async () => ({
      command: { type: 'ObserveTreasury' as const, tokenMinor, source: 'local-chain' },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'an observation is never refused');
}
