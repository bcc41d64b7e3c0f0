import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, print } from '@reelbook/runtime/command';
import { observeTreasury } from '@reelbook/testing/treasury';
import type pg from 'pg';
import { type HostileKind, type Lives, sendHostile } from '../client/hostile.ts';
import { LASTING, Player } from '../client/player.ts';
import { isMoney } from '../client/purse.ts';
import { createRandom } from '../random.ts';
import type { Stage } from '../stages/processes.ts';
import { conclude } from '../verdict/conclude.ts';
import { examineLedger } from '../verdict/examine.ts';
import { untilRecovered } from '../verdict/recovered.ts';
import type { Command } from '../verdict/spins.ts';
import { auditStage } from './crash.ts';
import { describeSamples, quantile, type Sampled, sampleMetrics, slopeOf } from './samples.ts';

const READY_TIMEOUT_MS = 60_000;
/** Average pause of a player. */
const THINK_MS = 1_500;
/** Half-open requests in addition to the sockets. */
const CONNECTIONS = 90;
/** Of every this many turns of a player, one is an exchange and a timed round. */
const TURNS = 10;
const EXCHANGED_POINTS = 1;
/** The cover of exchanges: there is no chain. */
const TREASURY_MINOR = 1_000_000_000_000_000n;
/** Of one attempt, and of a call. A slow machine stays below them; a call that the site drops does not. */
const TIMEOUT_MS = 60_000;
const PATIENCE_MS = 120_000;
/** Each waits some seconds for the last push. */
const LAST_PUSH_ATTEMPTS = 8;
/**
 * Resident memory of a gateway above that of its start, which depends on whether it compiled its code. Measured: about 230 MB, half
 * of it heap. Unbounded queues grow by gigabytes.
 */
const GROWTH_MAX_MB = 500;
/** Decides only in a long run: the heap of a short one still grows. */
const SLOPE_MAX_MB_PER_HOUR = 500;
const SLOPE_DECIDES_FROM_MS = 10 * 60_000;
/** Two heartbeats are 30 s, the timeout of a request and its check 20 s; the rest is for a slow machine. */
const LIFE_MAX_MS = 120_000;
const ORDERLY = { twice: 0, impatient: 0, rotates: 0, leaves: 0 };

export interface Soak {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly players: number;
  readonly sockets: number;
  readonly spanMs: number;
  readonly seed: number;
}

interface Played {
  readonly latenciesMs: number[];
  exchanges: number;
  /** Spins whose push took more than 15 s. */
  late: number;
  readonly faults: string[];
}

/** Players play among hostile clients. @returns whether every check passed. */
export async function runSoak(run: Soak): Promise<boolean> {
  const { stage, pool } = run;
  const ill = await untilRecovered(stage, pool, READY_TIMEOUT_MS);
  if (ill.length > 0) throw new Error(`the start failed: ${ill.join('; ')}`);
  await observeTreasury(pool, TREASURY_MINOR);
  const [stop, end] = [new AbortController(), new AbortController()];
  // Each hostile client listens to the end of the run.
  setMaxListeners(0, stop.signal);
  const players = Array.from(
    { length: run.players },
    (_, index) =>
      new Player({
        ...{ origins: stage.gateways, patienceMs: PATIENCE_MS, timeoutMs: TIMEOUT_MS },
        ...{ seed: run.seed * 1_000 + index, habits: ORDERLY },
      }),
  );
  const sampled = stage.gateways.map((): Sampled => ({ samples: [], closed: {}, missed: 0 }));
  const sampling = sampled.map((into, index) =>
    sampleMetrics(statusUrlOf(stage, `gateway-${index + 1}`), into, end.signal),
  );
  const tokens: string[] = [];
  for (const player of players) {
    tokens.push(await player.enter());
    player.listen();
    if (!(await player.subscribed())) throw new Error('a live channel did not open');
  }
  const played: Played = { latenciesMs: [], exchanges: 0, late: 0, faults: [] };
  const playing = players.map((player) => play(player, played, stop.signal));
  const hostile = sendHostile({
    ...{ tokens, stop: stop.signal, origins: stage.gateways, random: createRandom(run.seed) },
    ...{ sockets: Math.max(0, run.sockets - run.players), connections: CONNECTIONS },
  });
  await waitFor(run.spanMs, () => describeMinute(players, sampled));
  stop.abort();
  await Promise.all([...playing, hostile.done]);
  const late = await Promise.all(players.map(receivesAll));
  end.abort();
  await Promise.all(sampling);
  for (const player of players) player.leave();
  describe(played, { players, sampled, lives: hostile.lives });
  const faults = [
    ...played.faults,
    ...late.flatMap((received, index) => (received ? [] : [`player ${index} misses a push`])),
    ...players.flatMap((player, index) => faultsOf(player, index)),
    ...stage.services.flatMap((service) => service.faults),
    ...[...hostile.lives].flatMap(([kind, lives]) => faultsOfLives(kind, lives)),
    ...sampled.flatMap((one, index) => faultsOfMemory(`gateway-${index + 1}`, one, run.spanMs)),
    ...(await untilRecovered(stage, pool, READY_TIMEOUT_MS)),
    ...(await examineAll(run, players)),
    ...(await auditStage(stage)),
  ];
  const summary = `${run.players} players, ${run.sockets} sockets, ${run.spanMs / 60_000} minutes`;
  return conclude(summary, 'no push missed, no call failed, memory bounded', faults);
}

/** Spins and the stream. Players compare their timed rounds with the responses; the audit proves rounds and exchanges. */
function examineAll({ pool, stage }: Soak, players: readonly Player[]) {
  const journals = players.map(({ journal }) => journal);
  const timed = new Set(journals.flatMap(({ rounds }) => rounds.map((one) => one.begun.round_id)));
  const isOther = (command: Command) =>
    isMoney(command) ||
    command.some(({ event: { data } }) => 'round' in data && timed.has(data.round));
  return examineLedger({ pool, natsUrl: stage.natsUrl, journals, isOther });
}

function statusUrlOf(stage: Stage, name: string): string {
  const line = stage
    .logOf(name)
    .split('\n')
    .find((text) => text.includes('status port open'));
  return (JSON.parse(line ?? '{}') as { url: string }).url;
}

/** Spins and waits for the push of each; from time to time an exchange and a timed round. */
async function play(player: Player, played: Played, stop: AbortSignal): Promise<void> {
  try {
    for (let turn = 0; !stop.aborted; turn++) {
      await sleep(THINK_MS * 2 * player.random(), undefined, { signal: stop }).catch(() => {});
      if (turn % TURNS === TURNS - 1) await exchangeAndBegin(player, played, turn);
      const latencyMs = await player.spinAndWait();
      if (latencyMs !== null) played.latenciesMs.push(latencyMs);
      // Out of points: bad luck.
      else if (player.journal.spins.at(-1)?.refusal?.includes('insufficient')) return;
      else played.late++;
    }
  } catch (error) {
    played.faults.push(String(error));
  }
}

async function exchangeAndBegin(player: Player, played: Played, turn: number): Promise<void> {
  const answer = await player.insist('/transaction/exchange', {
    body: { from_type: 'points', to_type: 'token', amount: EXCHANGED_POINTS },
    key: `exchange-${turn}`,
  });
  if (answer.status === 200) played.exchanges++;
  else if (!answer.message.includes('insufficient')) played.faults.push(answer.message);
  const game = LASTING[Math.floor(turn / TURNS) % LASTING.length];
  if (!game) return;
  const begun = await player.begin(game);
  if (typeof begun !== 'string') await player.end(begun.round);
  else if (!begun.includes('insufficient')) played.faults.push(begun);
}

async function receivesAll(player: Player): Promise<boolean> {
  for (let n = 0; n < LAST_PUSH_ATTEMPTS; n++) if (await player.received()) return true;
  return false;
}

/** Calls `report` each minute. */
async function waitFor(spanMs: number, report: () => void): Promise<void> {
  const endMs = performance.now() + spanMs;
  for (let leftMs = spanMs; leftMs > 0; leftMs = endMs - performance.now()) {
    await sleep(Math.min(60_000, leftMs));
    report();
  }
}

function describeMinute(players: readonly Player[], sampled: readonly Sampled[]): void {
  const spins = players.reduce((sum, { journal }) => sum + journal.spins.length, 0);
  const memory = sampled.map(({ samples }) => {
    const last = samples.at(-1);
    return `${last?.residentMb.toFixed(0)} MB, ${last?.sockets} sockets`;
  });
  print(`${new Date().toISOString().slice(11, 19)}   ${count(spins)} spins; ${memory.join('; ')}`);
}

function describe(
  { latenciesMs, exchanges, late }: Played,
  o: {
    readonly players: readonly Player[];
    readonly sampled: readonly Sampled[];
    readonly lives: ReadonlyMap<HostileKind, Lives>;
  },
): void {
  const journals = o.players.map(({ journal }) => journal);
  const sum = (read: (journal: Player['journal']) => number) =>
    journals.reduce((total, journal) => total + read(journal), 0);
  const [spins, rounds] = [sum((one) => one.spins.length), sum((one) => one.rounds.length)];
  print(
    `calls      ${count(spins)} spins, ${count(rounds)} timed rounds, ${count(exchanges)} exchanges; ` +
      `${sum((one) => one.unserved.busy)} refused as busy, ${sum((one) => one.unserved.silent)} without response`,
  );
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(latenciesMs, share).toFixed(0));
  print(
    `pushes     ${count(sum((one) => one.pushes.results))} results; from spin to push p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; ${late} later than 15 s`,
  );
  for (const [index, one] of o.sampled.entries()) {
    for (const line of describeSamples(`gateway-${index + 1}`, one)) print(line);
  }
  for (const [kind, { opened, closed, longestMs }] of o.lives) {
    print(
      `hostile    ${kind}: ${count(opened)} opened, ${count(closed)} closed, the longest after ${(longestMs / 1_000).toFixed(1)} s`,
    );
  }
}

function faultsOf({ journal }: Player, index: number): readonly string[] {
  const { spins, rounds, pushes, unserved } = journal;
  const ended = rounds.filter((round) => round.ended !== null).length;
  const results = spins.reduce((sum, { answers }) => sum + answers.length, 0) + ended;
  const unexpected = unserved.busy + unserved.silent;
  return [
    ...journal.faults,
    ...(pushes.results === results
      ? []
      : [`player ${index} received ${pushes.results} pushes of ${results} results`]),
    ...(pushes.sockets === 1 ? [] : [`player ${index} needed ${pushes.sockets} sockets`]),
    ...(unexpected === 0 ? [] : [`player ${index}: ${unexpected} calls were not served`]),
  ];
}

function faultsOfLives(kind: HostileKind, { opened, closed, longestMs }: Lives): readonly string[] {
  return [
    ...(opened > 0 && closed === 0 ? [`no ${kind} was closed`] : []),
    ...(longestMs > LIFE_MAX_MS ? [`a ${kind} was open for ${Math.round(longestMs)} ms`] : []),
  ];
}

function faultsOfMemory(name: string, { samples }: Sampled, spanMs: number): readonly string[] {
  if (samples.length === 0) return [`${name}: no metrics`];
  const resident = samples.map(({ residentMb }) => residentMb);
  const grewMb = Math.max(...resident) - (resident[0] ?? 0);
  const slope = slopeOf(samples, ({ residentMb }) => residentMb);
  const grows = spanMs >= SLOPE_DECIDES_FROM_MS && slope > SLOPE_MAX_MB_PER_HOUR;
  return [
    ...(grewMb > GROWTH_MAX_MB ? [`${name}: memory grew by ${Math.round(grewMb)} MB`] : []),
    ...(grows ? [`${name}: memory grows by ${Math.round(slope)} MB per hour`] : []),
  ];
}
