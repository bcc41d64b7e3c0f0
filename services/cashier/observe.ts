import { randomUUID } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { type Scan, sumMovements } from '@reelbook/payments/movements';
import { type Cashier, metaOf } from './context.ts';

/** Consecutive observations below the scan's sum before one is recorded: a signature may be listed late. */
const MISSING_MAX = 10;

/** A warning is logged after every so many consecutive observations above the scan's sum. */
const UNEXPLAINED_PER_WARNING = 60;

/** Consecutive observations below or above the scan's sum. */
export interface Mismatches {
  missing: number;
  unexplained: number;
}

/**
 * Records the treasury's balance and net deposits, both at one slot, if the scanned transactions explain the balance
 * exactly: then no deposit or payment is on one side only. An unexplained surplus is no cover and waits for the scan; a
 * repeated deficit is recorded.
 */
export async function observe(cashier: Cashier, scan: Scan, mismatches: Mismatches): Promise<void> {
  const { chain, pool, executor } = cashier;
  const { tokenMinor, slot } = await chain.treasury();
  if (slot < scan.openingSlot) return;
  const { allMinor, netDepositsMinor } = await sumMovements(pool, scan.tokenAccount, slot);
  const unexplainedMinor = tokenMinor - (scan.openingMinor + allMinor);
  mismatches.missing = unexplainedMinor < 0n ? mismatches.missing + 1 : 0;
  mismatches.unexplained = unexplainedMinor > 0n ? mismatches.unexplained + 1 : 0;
  if (mismatches.unexplained > 0 && mismatches.unexplained % UNEXPLAINED_PER_WARNING === 0) {
    const more = { unexplainedMinor: unexplainedMinor.toString(), slot };
    cashier.log.warn(more, 'the treasury holds more than its transactions explain; not recorded');
  }
  if (unexplainedMinor > 0n || (unexplainedMinor < 0n && mismatches.missing < MISSING_MAX)) return;
  if (unexplainedMinor < 0n) {
    const missing = { unexplainedMinor: unexplainedMinor.toString(), slot };
    cashier.log.error(missing, 'the treasury holds less than its transactions explain');
  }
  await cashier.at('before-observation');
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: `treasury:observed:${randomUUID()}`,
    request: null,
    meta: metaOf(`slot-${slot}`),
    prepare: async () => ({
      command: {
        type: 'ObserveTreasury' as const,
        ...{ tokenMinor, netDepositsMinor, slot, source: 'chain' },
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'an observation is never refused');
  await cashier.at('observed');
}
