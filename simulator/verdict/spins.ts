import { isDeepStrictEqual } from 'node:util';
import { hashKey } from '@reelbook/event-store/execution';
import { betAnswer } from '@reelbook/gateway/answers/player';
import type { DrawnFrom } from '@reelbook/gateway/commitments';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toMinor } from '@reelbook/ledger/money';
import { playerStream } from '@reelbook/ledger/streams';
import { isAnswered, type Journal, type Spin } from '../client/journal.ts';

/** The events of one command, in order. */
export type Command = readonly PlacedEvent[];

export interface Tally {
  /** Acknowledged spins that the ledger has once, with the acknowledged result. */
  readonly proven: number;
  readonly rotations: number;
  readonly logins: number;
}

/**
 * Compares the journals of the players with the ledger in both directions: each acknowledged command is in it once, as
 * acknowledged, and each command in it was requested by a player. @returns the counts and the faults.
 */
export function judge(
  commands: Iterable<Command>,
  journals: readonly Journal[],
): { tally: Tally; faults: readonly string[] } {
  const faults: string[] = [];
  const byKey = new Map<string, Command>();
  const pairs: Pairs = new Map();
  for (const command of commands) {
    follow(pairs, command);
    const key = command[0]?.meta.command ?? '';
    if (byKey.has(key))
      faults.push(`#${command[0]?.position}: its idempotency key was used before`);
    byKey.set(key, command);
  }
  let [proven, rotations, logins] = [0, 0, 0];
  for (const journal of journals) {
    const stream = playerStream(journal.wallet);
    for (const spin of journal.spins) {
      const key = hashKey(`${stream}:command:${spin.key}`);
      const fault = faultOfSpin(spin, byKey.get(key), { stream, pairs });
      if (fault === null) proven += spin.refusal === null ? 1 : 0;
      else faults.push(`${stream} ${spin.key}: ${fault}`);
      byKey.delete(key);
    }
    for (const timeMs of journal.loginsSent) {
      const key = hashKey(`${stream}:login:${timeMs}`);
      if (byKey.delete(key)) logins++;
    }
    // What is left of this player can only be rotations: they carry a key that the gateway drew.
    const left = [...byKey].filter(([, command]) => command[0]?.stream === stream);
    for (const [key, command] of left) {
      byKey.delete(key);
      if (command[0]?.event.type === 'SeedRevealed') continue;
      faults.push(`#${command[0]?.position}: no player requested this ${command[0]?.event.type}`);
    }
    const { sent, answered } = journal.rotations;
    const rotated = left.filter(([, command]) => command[0]?.event.type === 'SeedRevealed').length;
    if (rotated < answered || rotated > sent) {
      faults.push(
        `${stream}: ${sent} rotations sent, ${answered} answered, ${rotated} in the ledger`,
      );
    }
    rotations += rotated;
  }
  for (const [first] of byKey.values()) {
    const byHouse = first?.meta.actor.startsWith('system:') && !first.stream.startsWith('player-');
    if (!byHouse) faults.push(`#${first?.position}: no player requested this ${first?.event.type}`);
  }
  return { tally: { proven, rotations, logins }, faults };
}

/** Seeds by stream and number of the pair. */
type Pairs = Map<string, DrawnFrom>;

function follow(pairs: Pairs, command: Command): void {
  for (const { stream, event } of command) {
    if (event.type !== 'SeedsCommitted' && event.type !== 'ClientSeedChanged') continue;
    const key = `${stream} ${event.data.pair}`;
    const known = pairs.get(key) ?? { serverSeedHash: '', clientSeed: '' };
    const { data } = event;
    const seeds =
      'activeHash' in data ? { serverSeedHash: data.activeHash } : { clientSeed: data.clientSeed };
    pairs.set(key, { ...known, ...seeds });
  }
}

function faultOfSpin(
  spin: Spin,
  command: Command | undefined,
  { stream, pairs }: { readonly stream: string; readonly pairs: Pairs },
): string | null {
  const [answer, ...others] = spin.answers;
  if (!isAnswered(spin)) return `was never answered in ${spin.tries} tries`;
  if (spin.refusal !== null) {
    if (command || answer) return `was refused (${spin.refusal}) and happened all the same`;
    // The only thing that a player of this run can be refused for.
    return /insufficient points/.test(spin.refusal) ? null : `was refused: ${spin.refusal}`;
  }
  if (others.some((other) => !isDeepStrictEqual(other, answer))) return 'two tries, two answers';
  if (!command) return 'was answered and is not in the ledger';
  const [placed, ended, ...more] = command;
  const isSettled = ended?.event.type === 'BetWon' || ended?.event.type === 'BetLost';
  if (placed?.event.type !== 'BetPlaced' || !isSettled || more.length > 0) {
    return `#${placed?.position} is not a complete round`;
  }
  if (placed.stream !== stream) return `#${placed.position} is in ${placed.stream}`;
  if (placed.event.data.stakeMinor !== toMinor('points', spin.betAmount))
    return 'has another stake';
  const seeds = pairs.get(`${stream} ${placed.event.data.pair}`) ?? null;
  const expected = JSON.parse(JSON.stringify(betAnswer(command, seeds)));
  return isDeepStrictEqual(expected, answer)
    ? null
    : `#${placed.position} is not what was answered`;
}
