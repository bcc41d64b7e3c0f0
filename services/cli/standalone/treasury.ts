import type { CommandExecutor } from '@reelbook/event-store/execute';
import { assert } from '@reelbook/ledger/assert';
import { unit } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';

/** Opening balance of the local chain's treasury, on the chain and in the ledger: 1,000,000 BSM. */
export const OPENING_MINOR = 1_000_000n * unit('token');

/**
 * Records the opening balance of the local chain's treasury, so that exchange has cover. The idempotency key makes later
 * starts a no-op.
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
