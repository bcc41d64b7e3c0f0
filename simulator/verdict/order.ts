import { toNumber } from '@reelbook/ledger/money';
import { playerStream } from '@reelbook/ledger/streams';
import type { Journal, Listed, Timed } from '../client/journal.ts';
import { LISTED } from '../client/player.ts';
import type { Command } from './spins.ts';

/**
 * Whether the calls of each player are linearizable: in the order of the player's stream, a call that began after another
 * had ended comes after it, and each read is what the ledger has at its version. Each list is what the ledger has at a position
 * that is not later than that of its response, and of a standby not before what the player knew. @returns the faults.
 */
export function examineOrder(
  commands: readonly Command[],
  journals: readonly Journal[],
): { readonly calls: number; readonly faults: readonly string[] } {
  const points = pointsByVersion(commands);
  const rounds = roundsOf(commands);
  const faults: string[] = [];
  for (const { wallet, history, lists } of journals) {
    const stream = playerStream(wallet);
    for (const { version, points: answered } of history) {
      const kept = points.get(stream)?.get(version);
      if (kept !== answered) faults.push(`${stream} ${version}: ${answered} points, not ${kept}`);
    }
    const own = rounds.filter((one) => one.stream === stream);
    const unlike = lists.flatMap((one) => faultOfList(one, own) ?? []);
    faults.push(...[...outOfOrder(history), ...unlike].map((fault) => `${stream}: ${fault}`));
  }
  const calls = journals.reduce((sum, { history }) => sum + history.length, 0);
  return { calls, faults };
}

function outOfOrder(history: readonly Timed[]): readonly string[] {
  const faults: string[] = [];
  const ended = [...history].sort((a, b) => a.endedMs - b.endedMs);
  let [at, known] = [0, 0];
  for (const call of [...history].sort((a, b) => a.begunMs - b.begunMs)) {
    for (let one = ended[at]; one && one.endedMs < call.begunMs; one = ended[++at])
      known = Math.max(known, one.version);
    if (call.version > known || (call.version === known && !call.writes)) continue;
    faults.push(
      `a ${call.writes ? 'write' : 'read'} after version ${known} had version ${call.version}`,
    );
  }
  return faults;
}

interface Settled {
  readonly stream: string;
  readonly id: string;
  readonly position: number;
}

function roundsOf(commands: readonly Command[]): readonly Settled[] {
  return commands.flat().flatMap(({ stream, position, event }) => {
    const { type, data } = event;
    return type === 'BetWon' || type === 'BetLost' ? [{ stream, position, id: data.round }] : [];
  });
}

/** `settled`: the rounds of the player, oldest first. */
function faultOfList(one: Listed, settled: readonly Settled[]): string | null {
  const { known, position, rounds, by } = one;
  const name = `a list at ${position} by the ${by ?? 'leader or a standby'}, after ${known},`;
  if (position < known) return `${name} is of an earlier position`;
  const count = settled.findIndex(({ id }) => id === rounds[0]) + 1;
  const expected = settled.slice(Math.max(0, count - LISTED), count).map(({ id }) => id);
  if (rounds.join() !== expected.reverse().join()) return `${name} was never that of the ledger`;
  if ((settled[count - 1]?.position ?? 0) > position) return `${name} has a later round`;
  // The read models of the leader may be late.
  const isBehind = by === 'standby' && (settled[count]?.position ?? position + 1) <= known;
  return isBehind ? `${name} lacks a round` : null;
}

/** Points of each player after each event. */
function pointsByVersion(commands: readonly Command[]): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  for (const { stream, version, event } of commands.flat()) {
    const versions = all.get(stream) ?? new Map<number, number>();
    all.set(stream, versions);
    const { after } = event.data as { readonly after?: { readonly pointsMinor?: bigint } };
    const points = after?.pointsMinor;
    const before = versions.get(version - 1) ?? 0;
    versions.set(version, points === undefined ? before : toNumber('points', points));
  }
  return all;
}
