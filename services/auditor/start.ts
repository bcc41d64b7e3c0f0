import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '@reelbook/event-store/db';
import { startSpine } from '@reelbook/event-store/execute';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { type SealTerms, sealDue } from './seal.ts';

/** How often it is looked whether a seal is due. */
const LOOK_EVERY_MS = 1_000;
/** After a fault of the book: a person has to look at it, and hears of it again and again until then. */
const LOOK_AFTER_FAULT_MS = 30_000;

export interface AuditorStatus {
  /** Set since its start. */
  readonly seals: number;
  /** What keeps it from sealing, or null. */
  readonly failing: string | null;
}

/**
 * Seals the book for as long as it runs. Two at once are harmless: a range has one claim. A database that is away is
 * waited for; a chain that is broken is told and never sealed. `close` resolves when nothing of it is under way.
 */
export function startAuditor(o: {
  /** Role app. Closed by whoever opened it. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly terms: SealTerms;
  /** Told after each seal: the publisher need not wait for its next look. */
  readonly onSealed?: () => void;
}): { status(): AuditorStatus; close(): Promise<void> } {
  const { pool, log, terms } = o;
  const spine = startSpine({ pool, onAppended: () => o.onSealed?.() });
  const controller = new AbortController();
  const { signal } = controller;
  let status: AuditorStatus = { seals: 0, failing: null };

  async function sealAllDue(): Promise<void> {
    while (!signal.aborted) {
      const sealed = await sealDue({ pool, spine, terms });
      if (!sealed) return;
      const { seal, from, to, root } = sealed;
      status = { seals: status.seals + 1, failing: null };
      log.info({ seal, from, to, root }, 'sealed');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = LOOK_EVERY_MS;
      try {
        await sealAllDue();
        status = { ...status, failing: null };
      } catch (error) {
        status = { ...status, failing: error instanceof Error ? error.message : String(error) };
        if (isUnavailable(error))
          log.warn({ err: error }, 'the book is away; sealing waits for it');
        else {
          pauseMs = LOOK_AFTER_FAULT_MS;
          log.error(
            { err: error },
            'the book cannot be sealed any further; run npm run reelbook -- audit',
          );
        }
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    status: () => status,
    async close() {
      controller.abort();
      await running;
      await spine.close();
    },
  };
}
