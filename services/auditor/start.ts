import { Findings } from '@reelbook/audit/findings';
import { recordFindings } from '@reelbook/audit/record-findings';
import { ClockSkew, logClockFaults } from '@reelbook/event-store/clock';
import { isUnavailable } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { startLeasedWorker } from '@reelbook/event-store/leased-worker';
import { pause } from '@reelbook/runtime/alarm';
import { workerCheck } from '@reelbook/runtime/health';
import type { Logger } from '@reelbook/runtime/log';
import { observeCounter, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import { sealTermsOf } from '@reelbook/runtime/sealing';
import type { Service } from '@reelbook/runtime/service';
import type pg from 'pg';
import { ChainBroken, type SealTerms, sealDue } from './seal.ts';

/** Between checks whether a seal is due. */
const CHECK_EVERY_MS = 1_000;
/** Between log entries after a fault of the ledger, which an operator must resolve. */
const CHECK_AFTER_FAULT_MS = 30_000;

interface AuditorStatus {
  /** Set since its start. */
  readonly seals: number;
  /** Why it cannot seal, or null. */
  readonly failing: string | null;
}

/**
 * Seals the ledger until it is closed. Two at the same time are harmless: a range has one idempotency key. It waits for a
 * database that is away; a broken chain is reported and never sealed. `close` resolves when nothing is in progress.
 */
export function startAuditor(options: {
  /** Role app. The caller closes it. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly terms: SealTerms;
  /** Called after each seal: the publisher need not wait for its next check. */
  readonly onSealed?: () => void;
}): { status(): AuditorStatus; close(): Promise<void> } {
  const { pool, log, terms } = options;
  const executor = startExecutor({
    pool,
    onAppended: () => options.onSealed?.(),
    onClockFault: logClockFaults(log),
  });
  let seals = 0;
  /** Found before an audit runs: it stops automatic payments like a finding of one. */
  const recordBreak = async (error: unknown): Promise<never> => {
    if (error instanceof ChainBroken) {
      const findings = new Findings();
      findings.add('chain', error.position, error.message);
      await recordFindings(pool, { events: error.position, headHash: '', findings });
    }
    throw error;
  };
  const worker = startLeasedWorker({
    pool,
    log,
    timing: { retryMinMs: CHECK_EVERY_MS, retryMaxMs: CHECK_EVERY_MS },
    async turn({ signal, done }) {
      const sealed = await sealDue({ pool, executor, terms }).catch(recordBreak);
      done();
      if (!sealed) return await pause(CHECK_EVERY_MS, signal);
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
        'the chain is broken; sealing stopped. Run npm run reelbook -- audit',
      );
      return CHECK_AFTER_FAULT_MS;
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

/** The sealing auditor's metrics, read on request. */
export function measureAuditor(status: () => AuditorStatus): Registry {
  const registry = openMetrics('auditor');
  observeCounter(registry, {
    name: 'reelbook_auditor_seals_total',
    help: 'Seals appended',
    read: () => status().seals,
  });
  return registry;
}

/** The sealing of the ledger as a part of a service: in its own process, or in the standalone. `pool` has the role app. */
export function addAuditor(
  service: Service,
  options: { readonly pool: pg.Pool; readonly onSealed?: () => void },
): void {
  const { log, settings } = service;
  const { status, close } = startAuditor({ ...options, log, terms: sealTermsOf(settings) });
  service.add('auditor', {
    close,
    checks: [workerCheck('sealing', status)],
    registry: measureAuditor(status),
  });
  log.info('sealing');
}
