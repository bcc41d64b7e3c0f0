import { randomUUID } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { type Scan, sumMovements } from '@reelbook/payments/movements';
import { type Cashier, metaOf } from './context.ts';

/** Looks that must see less than the scan explains before it is believed: a signature may be listed a moment late. */
const MISSING_LOOKS = 10;

/** Looks that see more than the scan explains, after which a person hears of it, again and again: the cover waits. */
const UNEXPLAINED_LOOKS = 60;

/** Looks one after the other that saw less, or more, than is explained. */
export interface Looks {
  missing: number;
  unexplained: number;
}

/**
 * Tells the ledger what the treasury holds, and how much of it passes through, both at one slot. It says so only where
 * the transactions gone through explain the balance to the last unit: then neither a deposit nor a payment can be on
 * one side alone. More than is explained is no cover, so it waits for the scan; less, again and again, is believed.
 */
export async function observe(cashier: Cashier, scan: Scan, looks: Looks): Promise<void> {
  const { chain, pool, executor } = cashier;
  const { tokenMinor, slot } = await chain.treasury();
  if (slot < scan.openingSlot) return;
  const { allMinor, netDepositsMinor } = await sumMovements(pool, scan.tokenAccount, slot);
  const unexplainedMinor = tokenMinor - (scan.openingMinor + allMinor);
  looks.missing = unexplainedMinor < 0n ? looks.missing + 1 : 0;
  looks.unexplained = unexplainedMinor > 0n ? looks.unexplained + 1 : 0;
  if (looks.unexplained > 0 && looks.unexplained % UNEXPLAINED_LOOKS === 0) {
    const more = { unexplainedMinor: unexplainedMinor.toString(), slot };
    cashier.log.warn(more, 'the treasury holds more than its transactions say; the cover waits');
  }
  if (unexplainedMinor > 0n || (unexplainedMinor < 0n && looks.missing < MISSING_LOOKS)) return;
  if (unexplainedMinor < 0n) {
    const missing = { unexplainedMinor: unexplainedMinor.toString(), slot };
    cashier.log.error(missing, 'the treasury holds less than its transactions say');
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
