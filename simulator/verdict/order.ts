import { toNumber } from '@reelbook/ledger/money';
import { playerStream } from '@reelbook/ledger/streams';
import type { Journal, Timed } from '../client/journal.ts';
import type { Command } from './spins.ts';

/**
 * Whether the calls of each player are linearizable: in the order of the player's stream, a call that began after another
 * had ended comes after it, and each read is what the ledger has at its version. @returns the faults.
 */
export function examineOrder(
  commands: Iterable<Command>,
  journals: readonly Journal[],
): { readonly calls: number; readonly faults: readonly string[] } {
  const points = pointsByVersion(commands);
  const faults: string[] = [];
  for (const { wallet, history } of journals) {
    const stream = playerStream(wallet);
    for (const { version, points: answered } of history) {
      const kept = points.get(stream)?.get(version);
      if (kept !== answered) faults.push(`${stream} ${version}: ${answered} points, not ${kept}`);
    }
    faults.push(...outOfOrder(history).map((fault) => `${stream}: ${fault}`));
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

/** Points of each player after each event. */
function pointsByVersion(commands: Iterable<Command>): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  for (const { stream, version, event } of [...commands].flat()) {
    const versions = all.get(stream) ?? new Map<number, number>();
    all.set(stream, versions);
    const { after } = event.data as { readonly after?: { readonly pointsMinor?: bigint } };
    const points = after?.pointsMinor;
    const before = versions.get(version - 1) ?? 0;
    versions.set(version, points === undefined ? before : toNumber('points', points));
  }
  return all;
}
