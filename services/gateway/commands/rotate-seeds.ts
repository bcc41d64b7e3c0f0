import { REVEALED_MAX, type Seeds } from '@reelbook/contract/player/fairness';
import { drawBytes } from '@reelbook/event-store/random';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import { playerDecider, refuseBudget, refuseRotation } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { revealedAnswer, seedsAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';
import { readRevealed } from '../reads/seeds.ts';

const CLIENT_SEED_BYTES = 8;

/** A random client seed, for players who send none. */
export function drawClientSeed(wallet: string): string {
  return drawBytes(CLIENT_SEED_BYTES, 'client seed', wallet).toString('hex');
}

/** Reveals the active server seed, activates the next one and commits to a new next one. */
export async function rotateSeeds(
  gateway: Gateway,
  options: Caller & { readonly clientSeed: string | undefined },
): Promise<{ data: Seeds; position: number }> {
  const { wallet } = options;
  const actor = `player:${wallet}`;
  const clientSeed =
    options.clientSeed === undefined
      ? { text: drawClientSeed(wallet), by: 'site' as const }
      : { text: options.clientSeed, by: 'player' as const };
  let nextHash: string | null = null;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: null,
    request: { command: 'rotate-seeds', clientSeed },
    meta: { correlation: options.correlation, actor },
    async prepare(state) {
      const refused =
        refuseRotation(state, clientSeed.text) ??
        refuseBudget(state, 'RotateSeeds', await gateway.budget());
      if (refused) return refused;
      assert(state.seeds, 'a registered player has seeds');
      const serverSeedHash = state.seeds.activeHash;
      const serverSeed = await gateway.vault.open(serverSeedHash);
      nextHash ??= (await gateway.vault.create(wallet)).hash;
      const command = { type: 'RotateSeeds' as const, serverSeedHash, serverSeed, clientSeed };
      return { command: { ...command, nextHash }, configVersion: null };
    },
  });
  const { state, events, position } = settled(executed);
  const seeds = (state ?? (await readPlayer(gateway, wallet)).state).seeds;
  const first = events[0];
  assert(seeds && first?.event.type === 'SeedRevealed', 'a rotation reveals a seed');
  // The projection may not contain the event yet.
  const latest = revealedAnswer({
    ...first.event.data,
    position: first.position,
    revealedAt: first.time,
  });
  const earlier = await readRevealed(gateway, wallet);
  const revealed = [latest, ...earlier.filter(({ pair }) => pair < latest.pair)];
  return { data: seedsAnswer(seeds, revealed.slice(0, REVEALED_MAX)), position };
}
