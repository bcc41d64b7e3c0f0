import type { CommandExecutor } from '@reelbook/event-store/execute';
import { assert } from '@reelbook/ledger/assert';
import { unit } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';

/** What the local chain's treasury opens with, on the chain and in the ledger: 1,000,000 BSM. */
export const OPENING_MINOR = 1_000_000n * unit('token');

/**
 * The opening observation of the local chain's treasury, so that exchange has cover. Once for ever: its idempotency key holds
 * however often Reelbook starts, and whatever was observed since.
 */
export async function openTreasury(executor: CommandExecutor): Promise<void> {
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: 'treasury:opening',
    request: null,
    meta: { correlation: 'treasury-opening', actor: 'system:standalone' },
    prepare: async () => ({
      command: {
        type: 'ObserveTreasury' as const,
        tokenMinor: OPENING_MINOR,
        source: 'local-chain',
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'an observation is never refused');
}
