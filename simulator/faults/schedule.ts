/** When which process dies, and for how long: the same seed gives the same schedule again. */
import { createRandom, pick } from '@reelbook/testing/random';

export const VICTIMS = [
  'gateway-1',
  'gateway-2',
  'publisher',
  'projector',
  'nats',
  'postgres',
  'backend',
] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Kill {
  /** After the kill before it; from none at all, so that some hit a system that is still getting up. */
  readonly pauseMs: number;
  readonly victim: Victim;
  /** Until it is started again. A backend is replaced by Postgres. */
  readonly downMs: number;
}

const DOWN_MAX_MS = 3_000;

/** `kills` deaths among `victims`, spread over about `spanMs`; everyone dies before anyone dies again. */
export function planKills(o: {
  readonly kills: number;
  readonly seed: number;
  readonly spanMs: number;
  readonly victims: readonly Victim[];
}): readonly Kill[] {
  const random = createRandom(o.seed);
  const meanPauseMs = o.spanMs / o.kills;
  let round: Victim[] = [];
  return Array.from({ length: o.kills }, () => {
    if (round.length === 0) round = [...o.victims];
    const victim = pick(random, round);
    round = round.filter((one) => one !== victim);
    return {
      victim,
      pauseMs: Math.round(random() * 2 * meanPauseMs),
      downMs: Math.round(random() ** 2 * DOWN_MAX_MS),
    };
  });
}
