import { ClockSkew, logClockFaults } from '@reelbook/event-store/clock';
import { isUnavailable } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { startLeasedWorker } from '@reelbook/event-store/leased-worker';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { type SealTerms, sealDue } from './seal.ts';

/** How often it is looked whether a seal is due. */
const LOOK_EVERY_MS = 1_000;
/** After a fault of the ledger: a person has to look at it, and hears of it again and again until then. */
const LOOK_AFTER_FAULT_MS = 30_000;

export interface AuditorStatus {
  /** Set since its start. */
  readonly seals: number;
  /** What keeps it from sealing, or null. */
  readonly failing: string | null;
}

/**
 * Seals the ledger for as long as it runs. Two at once are harmless: a range has one idempotency key. A database that is away is
 * waited for; a chain that is broken is told and never sealed. `close` resolves when nothing of it is under way.
 */
export function startAuditor(o: {
  /** Role app. Closed by whoever opened it. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly terms: SealTerms;
  /** Target after each seal: the publisher need not wait for its next look. */
  readonly onSealed?: () => void;
}): { status(): AuditorStatus; close(): Promise<void> } {
  const { pool, log, terms } = o;
  const executor = startExecutor({
    pool,
    onAppended: () => o.onSealed?.(),
    onClockFault: logClockFaults(log),
  });
  let seals = 0;
  const worker = startLeasedWorker({
    ...{ pool, log },
    timing: { retryMinMs: LOOK_EVERY_MS, retryMaxMs: LOOK_EVERY_MS },
    async turn({ signal, done }) {
      const sealed = await sealDue({ pool, executor, terms });
      done();
      if (!sealed) return await pause(LOOK_EVERY_MS, signal);
      const { seal, from, to, root } = sealed;
      seals++;
      log.info({ seal, from, to, root }, 'sealed');
    },
    onFailure(error) {
      if (isUnavailable(error) || error instanceof ClockSkew) {
        log.warn({ err: error }, 'the ledger takes no appends; sealing waits for it');
        return undefined;
      }
      log.error(
        { err: error },
        'the ledger cannot be sealed any further; run npm run reelbook -- audit',
      );
      return LOOK_AFTER_FAULT_MS;
    },
  });
  return {
    status: () => ({ seals, failing: worker.status().failing }),
    async close() {
      await worker.close();
      await executor.close();
    },
  };
}
