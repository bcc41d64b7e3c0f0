/** Rounds that a test needs, whatever the seeds are: the client seed is searched with the code that draws. */
import type { Seeds } from '@reelbook/contract/player/fairness';
import type { RoundDraws } from '@reelbook/games/fairness/draw';
import type { Game } from '@reelbook/games/game';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { clientSeedFor } from '@reelbook/testing/next-draw';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Site } from './site.ts';

/**
 * Gives the player on this page a pair of seeds whose rounds, by nonce from 0, are wanted. Load the page again afterwards: it
 * does not know of the pair.
 */
export async function wantDraws(
  page: Page,
  site: Site,
  isWanted: (drawsOf: (nonce: number) => RoundDraws) => boolean,
): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const call = async (path: string, body?: object): Promise<Seeds> => {
    const reply = await fetch(`${site.url}/api/v1/fairness/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()).data;
  };
  // The page of a new player rotates once.
  await expect.poll(async () => (await call('seeds')).active.client_seed_by).toBe('player');
  const { next } = await call('seeds');
  const client_seed = await site.withPool((pool) =>
    clientSeedFor(site.openVault(pool), next.server_seed_hash, isWanted),
  );
  await call('rotate', { client_seed });
}

/** The symbols of a slot round. */
export const reelsOf = (draws: RoundDraws): readonly number[] =>
  slotMachine.draw({ rules: slotMachine.defaults.rules, stakeMinor: 100n, lines: 25, draws })
    .outcome.symbols;

/** Whether a slot round pays this multiple of its stake. */
export const paysMultiple = (multiple: bigint) => (draws: RoundDraws) =>
  slotMachine.draw({ rules: slotMachine.defaults.rules, stakeMinor: 100n, lines: 25, draws })
    .payoutMinor ===
  multiple * 100n;

/** Whether a round of a timed game pays, its number of ticks and its outcome. */
export function timedRound(
  { defaults, draw, timed }: Game,
  draws: RoundDraws,
): { readonly isWon: boolean; readonly ticks: number; readonly outcome: object } {
  const { rules, minStakeMinor: stakeMinor } = defaults;
  const { outcome, payoutMinor } = draw({ rules, stakeMinor, lines: 1, draws });
  return { isWon: payoutMinor > 0n, ticks: timed?.ticksOf(outcome) ?? 0, outcome };
}
