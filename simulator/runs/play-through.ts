import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '@reelbook/runtime/command';
import type pg from 'pg';
import { isAnswered } from '../client/journal.ts';
import type { Player } from '../client/player.ts';
import { type Patient, untilRecovered } from '../verdict/recovered.ts';

/** Spins of each player before an act and after it. */
const SPINS_AROUND = 10;
const LOOK_EVERY_MS = 20;

interface Through {
  /** Ms from the last spin of each player to its push; null where none came. */
  readonly received: readonly (number | null)[];
  readonly recoveredS: number;
  readonly faults: readonly string[];
}

/**
 * Players play while `act` does something to the site; then all services must recover, every last call be acknowledged, and
 * every player hear of one more spin.
 */
export async function playThrough(o: {
  readonly site: Patient & { settled(): Promise<void> };
  readonly pool: pg.Pool;
  readonly players: readonly Player[];
  /** Of these players: aborted when they have tried for `recoverMs` after the act. */
  readonly giveUp: AbortController;
  readonly recoverMs: number;
  act(): Promise<void>;
}): Promise<Through> {
  const { site, pool, players, giveUp, recoverMs } = o;
  const stop = new AbortController();
  const playing = Promise.all(players.map((player) => player.play(stop.signal)));
  try {
    await o.act();
  } finally {
    // Also of an act that failed: the next one is not to be played into.
    stop.abort();
  }
  const begun = performance.now();
  const late = setTimeout(() => giveUp.abort(), recoverMs);
  await site.settled();
  await playing;
  const ill = [...(await untilRecovered(site, pool, recoverMs))];
  const recoveredS = (performance.now() - begun) / 1_000;
  clearTimeout(late);
  const later = setTimeout(() => giveUp.abort(), recoverMs);
  const received = await Promise.all(players.map((player) => player.spinAndWait()));
  clearTimeout(later);
  for (const player of players) player.leave();
  ill.push(...(await untilRecovered(site, pool, recoverMs)));
  const faults = [
    ...ill,
    ...site.services.flatMap((service) => service.faults),
    ...players.flatMap(({ journal }) => journal.faults),
    ...received.flatMap((ms, index) => (ms === null ? [`player ${index} received no push`] : [])),
  ];
  return { received, recoveredS, faults };
}

/** Resolves when each of them was answered some more; rejects when one of them was refused or could not log in. */
export async function playMore(players: readonly Player[]): Promise<void> {
  const counts = () => players.map(({ journal }) => journal.spins.length);
  const wanted = counts().map((count) => count + SPINS_AROUND);
  while (counts().some((count, index) => count < (wanted[index] ?? 0))) {
    const ended = players.flatMap(({ journal: { spins, faults } }) => [
      ...faults,
      ...spins.flatMap(({ refusal }) => refusal ?? []),
    ]);
    if (ended.length > 0) throw new Error(`a player stopped: ${ended.join('; ')}`);
    await sleep(LOOK_EVERY_MS);
  }
}

export function answeredBy(players: readonly Player[]): number {
  return players.flatMap(({ journal }) => journal.spins).filter(isAnswered).length;
}

export function describeSpins(players: readonly Player[]): void {
  const spins = players.flatMap(({ journal }) => journal.spins);
  const tries = spins.reduce((total, spin) => total + spin.tries, 0);
  const longest = Math.max(0, ...spins.map(({ waitedMs }) => waitedMs)) / 1_000;
  print(
    `spins      ${answeredBy(players)} answered of ${spins.length}, in ${tries} tries; ` +
      `the longest wait for an answer was ${longest.toFixed(1)} s`,
  );
}
