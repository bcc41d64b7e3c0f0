import { createRandom, pick } from '@reelbook/testing/random';
import type { Listed } from './journal.ts';
import type { Player } from './player.ts';

const TIMEOUT_MS = 2_000;

/** A gateway and its status port. */
export interface Counted {
  readonly origin: string;
  readonly status: string;
}

/**
 * Returns a function that reads the list of a random player at a random gateway into the player's journal, with who answered
 * it by the counters of the gateway: it must be the only reader of lists.
 */
export function openReader(o: {
  readonly players: readonly Player[];
  readonly gateways: readonly Counted[];
  readonly seed: number;
}): () => Promise<Listed['by']> {
  const random = createRandom(o.seed);
  const counts = new Map<string, Counts>();
  return async () => {
    const [player, { origin, status }] = [pick(random, o.players), pick(random, o.gateways)];
    const before = counts.get(status) ?? (await readCounts(status));
    const listed = await player.list(origin);
    const after = await readCounts(status);
    counts.set(status, after);
    if (!listed) return null;
    const isOne = after.standby + after.leader === before.standby + before.leader + 1;
    const who = after.standby > before.standby ? 'standby' : 'leader';
    const by = isOne ? who : null;
    player.journal.lists.push({ ...listed, by });
    return by;
  };
}

type Counts = Readonly<Record<'standby' | 'leader', number>>;

/** Reads since the start of the gateway; NaN without an answer. */
async function readCounts(status: string): Promise<Counts> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const text = await fetch(`${status}/metrics`, { signal })
    .then((response) => response.text())
    .catch(() => '');
  const of = (name: string) =>
    Number(new RegExp(`^reelbook_${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { standby: of('standby_reads'), leader: of('standby_reads_by_leader') };
}
