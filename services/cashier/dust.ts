/**
 * Dust: arrivals below `deposit.dustBelowTokenMinor` that no player can be credited for. An attacker can send thousands an hour,
 * so they are recorded together: in one event a day, and in one whenever `DUST_TRANSFERS_MAX` of them wait. Each is read from
 * the chain like any arrival, and then kept in memory; the table is only a place to look.
 */
import { type Clock, openClock } from '@reelbook/event-store/clock';
import { foldedState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { DUST_TRANSFERS_MAX, isDust, isDustDue } from '@reelbook/ledger/treasury/dust';
import type { DustTransfer } from '@reelbook/ledger/treasury/events';
import { findNoDust, hasNewDust, markDust } from '@reelbook/payments/dust';
import { readConfig } from '@reelbook/payments/review';
import { type Cashier, metaOf } from './context.ts';

/** Dust that was read from the chain under this lease and waits for its event, by signature. */
export type Dust = Map<string, DustTransfer & { readonly sender: string | null }>;

type Recorder = Pick<Cashier, 'pool' | 'terms' | 'executor' | 'log' | 'hold' | 'at'>;

/** Records the dust that waits, if it is due. */
export async function recordDust(cashier: Recorder, dust: Dust): Promise<void> {
  const { pool, terms, executor, log } = cashier;
  const { tokenAccount } = terms;
  const clock = openClock(pool);
  if (dust.size === 0 || !(await isDue(cashier, dust, clock))) return;
  await cashier.hold();
  const execution = {
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: null,
    request: null,
    meta: metaOf('dust'),
    async prepare() {
      const configVersion = await sortOut(cashier, dust);
      const transfers = [...dust.values()]
        .slice(0, DUST_TRANSFERS_MAX)
        .map(({ sender: _, ...transfer }) => transfer);
      const nowMs = await clock.agreedMs();
      const command = { type: 'RecordDust' as const, tokenAccount, transfers, nowMs };
      return { command, configVersion };
    },
  };
  const executed = await executor.execute(execution).catch((error) => {
    // It may be recorded: all is read again, so that nothing is counted twice.
    dust.clear();
    throw error;
  });
  assert(executed.kind === 'done', 'dust is never refused');
  const [recorded] = executed.events;
  if (recorded?.event.type !== 'DustReceived') return;
  const { transfers, amountMinor } = recorded.event.data;
  const signatures = transfers.map(({ signature }) => signature);
  for (const signature of signatures) dust.delete(signature);
  await cashier.at('dust-appended');
  await markDust(pool, { tokenAccount, signatures });
  log.info({ count: transfers.length, amountMinor: amountMinor.toString() }, 'dust is recorded');
  await cashier.at('dust-recorded');
}

async function isDue(cashier: Recorder, dust: Dust, clock: Clock): Promise<boolean> {
  const { pool, terms } = cashier;
  await sortOut(cashier, dust);
  if (dust.size >= DUST_TRANSFERS_MAX) return true;
  const { state } = await foldedState(pool, treasuryDecider, TREASURY_STREAM);
  if (!isDustDue(state, { count: dust.size, nowMs: await clock.agreedMs() })) return false;
  // What else arrived belongs to the same event.
  const { tokenAccount } = terms;
  return !(await hasNewDust(pool, { tokenAccount, signatures: [...dust.keys()] }));
}

/** Drops what the ledger has after all, whose sender has registered, or what is no dust by now: it is read again. */
async function sortOut({ pool, terms }: Recorder, dust: Dust): Promise<number> {
  const { config, version } = await readConfig(pool);
  const waiting = [...dust.values()];
  const none = await findNoDust(pool, terms.tokenAccount, waiting);
  for (const { signature, amountMinor } of waiting) {
    if (none.has(signature) || !isDust(amountMinor, config.deposit)) dust.delete(signature);
  }
  return version;
}
