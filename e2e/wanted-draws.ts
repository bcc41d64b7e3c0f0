/** Rounds that a test needs, whatever the seeds are: the client seed is searched with the code that draws. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seeds } from '@reelbook/contract/player/fairness';
import { openPool } from '@reelbook/event-store/db';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { RoundDraws } from '@reelbook/games/fairness/draw';
import type { Game } from '@reelbook/games/game';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { findSeedKey, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { clientSeedFor } from '@reelbook/testing/next-draw';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Gives the player on this page a pair of seeds whose rounds, by nonce from 0, are wanted. Load the page again afterwards: it
 * does not know of the pair.
 */
export async function wantDraws(
  page: Page,
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
  isWanted: (drawsOf: (nonce: number) => RoundDraws) => boolean,
): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const call = async (path: string, body?: object): Promise<Seeds> => {
    const reply = await fetch(`${url}/api/v1/fairness/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()).data;
  };
  // The page of a new player rotates once.
  await expect.poll(async () => (await call('seeds')).active.client_seed_by).toBe('player');
  const { next } = await call('seeds');
  const key = findSeedKey({ seedKey: null, dataDir });
  if (!key) throw new Error('a standalone keeps its seed key');
  const database = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  const pool = openPool({ url: database, role: 'app', max: 1, name: 'e2e' });
  const vault = openSeedVault({ pool, key, keyId: seedKeyIdOf({ seedKeyId: null }, key) });
  const client_seed = await clientSeedFor(vault, next.server_seed_hash, isWanted).finally(() =>
    pool.end(),
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
