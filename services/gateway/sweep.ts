import { setTimeout as sleep } from 'node:timers/promises';
import { ClockSkew } from '@reelbook/event-store/clock';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/routes';
import { type OverdueRound, readOverdueRounds } from '@reelbook/projections/open-rounds/projection';
import { isTimed, settleRound } from './commands/rounds.ts';
import type { Gateway, SweepTiming } from './context.ts';

const TIMING: SweepTiming = { everyMs: 2_000, graceMs: 5_000 };
const ROUNDS_PER_PAGE = 200;

/**
 * Settles abandoned rounds: the page was closed, the player was excluded or lost the network, or the gateway died. Every
 * gateway sweeps; the idempotency key of a round settles it only once. A sweep never returns a stake.
 */
export function startSweep(gateway: Gateway): { close(): Promise<void> } {
  const stop = new AbortController();
  const timing = gateway.sweep ?? TIMING;
  const run = async () => {
    let after: OverdueRound | null = null;
    while (!stop.signal.aborted) {
      try {
        after = await sweepPage(gateway, timing, after);
        if (after) continue;
      } catch (error) {
        after = null;
        gateway.log.warn({ err: error }, 'sweep of open rounds failed; will be retried');
      }
      await sleep(timing.everyMs * (0.5 + Math.random()), null, {
        signal: stop.signal,
        ref: false,
      }).catch(() => {});
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

/**
 * Settles one page of overdue rounds. @returns the round to continue after, so that a failing round does not block the
 * others; null after the last page.
 */
async function sweepPage(
  gateway: Gateway,
  { graceMs }: SweepTiming,
  after: OverdueRound | null,
): Promise<OverdueRound | null> {
  const page = { graceMs, limit: ROUNDS_PER_PAGE, after };
  const overdue = await readOverdueRounds(gateway.pool, page);
  // Concurrent gateways start with different rounds.
  const first = Math.floor(Math.random() * overdue.length);
  for (const round of [...overdue.slice(first), ...overdue.slice(0, first)]) {
    await settleOne(gateway, round);
  }
  return overdue.length === ROUNDS_PER_PAGE ? (overdue.at(-1) ?? null) : null;
}

async function settleOne(gateway: Gateway, { round, wallet, game: id }: OverdueRound) {
  const game = findGame(id, gateway.games);
  if (!game || !isTimed(game)) return; // a game of another build
  try {
    const correlation = `sweep-${round}`;
    await settleRound(gateway, { wallet, correlation, actor: 'system:gateway', game, round });
  } catch (error) {
    // Just voided: the projection lags.
    if (error instanceof Refused) return;
    // Every further round would be refused as well.
    if (error instanceof ClockSkew) throw error;
    gateway.log.warn({ err: error, round }, 'open round not settled; will be retried');
  }
}
