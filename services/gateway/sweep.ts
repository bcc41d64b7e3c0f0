import { setTimeout as sleep } from 'node:timers/promises';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/refused';
import { type OverdueRound, readOverdueRounds } from '@reelbook/projections/open-rounds/read';
import { isTimed, settleRound } from './commands/settle-round.ts';
import type { Gateway, SweepTiming } from './context.ts';

const TIMING: SweepTiming = { everyMs: 2_000, graceMs: 5_000 };
/** How many it takes up at a time. */
const ROUNDS_A_PAGE = 200;

/**
 * Settles what players left open: whoever closed the page, excluded themselves, lost the network, or whose gateway
 * died. Every gateway sweeps; the idempotency key of a round makes it settle once. NoOne's act gives a stake back.
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
        gateway.log.warn({ err: error }, 'open rounds not swept; tried again');
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
 * Ends some of the rounds that are overdue. @returns the round to go on behind, so that none that cannot be ended keeps
 * the others waiting; null behind the last.
 */
async function sweepPage(
  gateway: Gateway,
  { graceMs }: SweepTiming,
  after: OverdueRound | null,
): Promise<OverdueRound | null> {
  const page = { graceMs, limit: ROUNDS_A_PAGE, after };
  const overdue = await readOverdueRounds(gateway.pool, page);
  // Gateways that sweep at the same time begin with different ones.
  const first = Math.floor(Math.random() * overdue.length);
  for (const round of [...overdue.slice(first), ...overdue.slice(0, first)]) {
    await settleOne(gateway, round);
  }
  return overdue.length === ROUNDS_A_PAGE ? (overdue.at(-1) ?? null) : null;
}

async function settleOne(gateway: Gateway, { round, wallet, game: id }: OverdueRound) {
  const game = findGame(id, gateway.games);
  if (!game || !isTimed(game)) return; // another build's
  try {
    const correlation = `sweep-${round}`;
    await settleRound(gateway, { wallet, correlation, actor: 'system:gateway', game, round });
  } catch (error) {
    // Voided a moment ago: the projection has not come so far.
    if (error instanceof Refused) return;
    gateway.log.warn({ err: error, round }, 'an open round was not settled; tried again');
  }
}
