/** When which process dies, and for how long: the same seed gives the same schedule again. */

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
  /** Until it is started again. A backend comes back by itself. */
  readonly downMs: number;
}

/** Random numbers from 0 to below 1 that a seed repeats (mulberry32). */
export type Random = () => number;

const DOWN_MAX_MS = 3_000;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}

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
