import { loadState } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws, type RoundDraws } from '@reelbook/games/fairness/draw';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { assert } from '@reelbook/ledger/assert';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** Whether a player's next round of the slot machine wins: what an insider who opens sealed seeds would know. */
export async function winsNext(
  { pool, vault }: { readonly pool: pg.Pool; readonly vault: SeedVault },
  wallet: string,
): Promise<boolean> {
  const { state } = await loadState(pool, playerDecider, playerStream(wallet));
  assert(state.seeds, 'a registered player has seeds');
  const { activeHash, clientSeed, nonce } = state.seeds;
  const draws = createDraws({ serverSeed: await vault.open(activeHash), clientSeed, nonce });
  return slotMachine.draw({ rules: 'slot-1', stakeMinor: 100n, lines: 1, draws }).payoutMinor > 0n;
}

/** A client seed with which the rounds of a pair of seeds are wanted; `next` is the hash of its server seed. */
export async function clientSeedFor(
  vault: Pick<SeedVault, 'open'>,
  next: string,
  isWanted: (drawsOf: (nonce: number) => RoundDraws) => boolean,
): Promise<string> {
  const serverSeed = await vault.open(next);
  for (let n = 0; ; n++) {
    const clientSeed = `wanted-${n}`;
    if (isWanted((nonce) => createDraws({ serverSeed, clientSeed, nonce }))) return clientSeed;
  }
}
