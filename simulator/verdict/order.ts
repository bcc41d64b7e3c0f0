import { toNumber } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { playerStream } from '@reelbook/ledger/streams';
import type { Journal, Listed, Timed } from '../client/journal.ts';
import { LISTED } from '../client/player.ts';
import type { Command } from './spins.ts';

/**
 * Whether the calls of each player are linearizable: in the order of the player's stream, a call that began after another
 * had ended comes after it, and each response has the balances that the ledger has at its version. Each list is what the
 * ledger has at a position that is not later than that of its response, and of a standby not before what the player knew.
 * @returns the faults.
 */
export function examineOrder(
  commands: readonly Command[],
  journals: readonly Journal[],
): { readonly calls: number; readonly faults: readonly string[] } {
  const streams = readStreams(commands);
  const rounds = roundsOf(commands);
  const faults: string[] = [];
  for (const { wallet, history, lists } of journals) {
    const stream = playerStream(wallet);
    const kept = streams.get(stream) ?? newStream();
    const calls = history.flatMap((call) => {
      const version = versionOf(call, kept);
      if (version === null) faults.push(`${stream}: nothing has ${JSON.stringify(call.version)}`);
      return version === null ? [] : [{ ...call, version }];
    });
    faults.push(
      ...[
        ...calls.flatMap((call) => faultOfBalances(call, kept) ?? []),
        ...outOfOrder(calls),
        ...lists.flatMap(
          (one) =>
            faultOfList(
              one,
              rounds.filter((round) => round.stream === stream),
            ) ?? [],
        ),
      ].map((fault) => `${stream}: ${fault}`),
    );
  }
  const calls = journals.reduce((sum, { history }) => sum + history.length, 0);
  return { calls, faults };
}

interface Call extends Timed {
  readonly version: number;
}

function versionOf({ version }: Timed, { pairs, reasons }: Stream): number | null {
  if (typeof version === 'number') return version;
  const found = 'pair' in version ? pairs.get(version.pair) : reasons.get(version.reason);
  return found ?? null;
}

function faultOfBalances({ version, points, tokens }: Call, { balances }: Stream): string | null {
  const kept = balances.get(version);
  if (!kept) return `version ${version} is not in the ledger`;
  const isKept = [kept.points, null].includes(points) && [kept.tokens, null].includes(tokens);
  if (isKept) return null;
  return `version ${version} had ${points} points and ${tokens} BSM, not ${kept.points} and ${kept.tokens}`;
}

function outOfOrder(history: readonly Call[]): readonly string[] {
  const faults: string[] = [];
  const ended = [...history].sort((a, b) => a.endedMs - b.endedMs);
  const written = new Set<number>();
  let [at, known] = [0, 0];
  for (const call of [...history].sort((a, b) => a.begunMs - b.begunMs)) {
    for (let one = ended[at]; one && one.endedMs < call.begunMs; one = ended[++at])
      known = Math.max(known, one.version);
    const { version, writes } = call;
    if (writes && written.has(version)) faults.push(`version ${version} is of two writes`);
    else if (version < known || (version === known && writes))
      faults.push(`a ${writes ? 'write' : 'read'} after version ${known} had version ${version}`);
    if (writes) written.add(version);
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

/** What the ledger has of a player. */
interface Stream {
  /** After each version. */
  readonly balances: Map<number, { readonly points: number; readonly tokens: number }>;
  /** Last versions of the commands with that pair of seeds, or that reason. */
  readonly pairs: Map<number, number>;
  readonly reasons: Map<string, number>;
}

const newStream = (): Stream => ({ balances: new Map(), pairs: new Map(), reasons: new Map() });

function readStreams(commands: readonly Command[]): ReadonlyMap<string, Stream> {
  const all = new Map<string, Stream>();
  for (const command of commands) {
    for (const { stream, version, event } of command) {
      const one = all.get(stream) ?? newStream();
      all.set(stream, one);
      const { after = {} } = event.data as { readonly after?: Partial<Balances> };
      const before = one.balances.get(version - 1) ?? { points: 0, tokens: 0 };
      const { pointsMinor, tokenMinor } = after;
      one.balances.set(version, {
        points: pointsMinor === undefined ? before.points : toNumber('points', pointsMinor),
        tokens: tokenMinor === undefined ? before.tokens : toNumber('token', tokenMinor),
      });
      const last = command.at(-1)?.version ?? version;
      if (event.type === 'SeedsCommitted') one.pairs.set(event.data.pair, last);
      if (event.type === 'BalanceAdjusted') one.reasons.set(event.data.reason, last);
    }
  }
  return all;
}
