import { setTimeout as sleep } from 'node:timers/promises';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/refused';
import { type OverdueRound, readOverdueRounds } from '@reelbook/projections/open-rounds/read';
import { isTimed, settleRound } from './commands/settle-round.ts';
import type { Gateway } from './context.ts';

/** How often a gateway looks for rounds that were left open, and how many it settles at a time. */
const SWEEP_EVERY_MS = 2_000;
const ROUNDS_A_SWEEP = 200;
/** Time for the page of a player who is still there to end the round itself. */
const GRACE_MS = 5_000;

/**
 * Settles what players left open: whoever closed the page, excluded themselves, lost the network, or whose gateway
 * died. Every gateway sweeps; the claim of a round makes it settle once. Nobody's act gives a stake back.
 */
export function startSweep(gateway: Gateway): { close(): Promise<void> } {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        const settled = await sweepOnce(gateway, { graceMs: GRACE_MS });
        if (settled === ROUNDS_A_SWEEP) continue;
      } catch (error) {
        gateway.log.warn({ err: error }, 'open rounds not swept; tried again');
      }
      await sleep(SWEEP_EVERY_MS * (0.5 + Math.random()), null, {
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

/** One look. @returns how many rounds it ended, or found ended by another gateway. */
export async function sweepOnce(
  gateway: Gateway,
  o: { readonly graceMs: number },
): Promise<number> {
  const overdue = await readOverdueRounds(gateway.pool, { ...o, limit: ROUNDS_A_SWEEP });
  let settled = 0;
  for (const round of overdue) settled += (await settleOne(gateway, round)) ? 1 : 0;
  return settled;
}

async function settleOne(gateway: Gateway, { round, wallet, game: id }: OverdueRound) {
  const game = findGame(id, gateway.games);
  if (!game || !isTimed(game)) return false; // another build's
  try {
    const correlation = `sweep-${round}`;
    await settleRound(gateway, { wallet, correlation, actor: 'system:gateway', game, round });
    return true;
  } catch (error) {
    // Voided a moment ago: the projection has not come so far.
    if (error instanceof Refused) return false;
    gateway.log.warn({ err: error, round }, 'an open round was not settled; tried again');
    return false;
  }
}
