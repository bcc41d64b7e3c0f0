import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '@reelbook/runtime/command';
import { addOperator } from '@reelbook/testing/operators';
import { createRandom } from '@reelbook/testing/random';
import { createWallet, type TestWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import type { Round, Timed } from '../client/journal.ts';
import { openReader } from '../client/lists.ts';
import { adjustBalances } from '../client/operator.ts';
import { Player } from '../client/player.ts';
import { buyPoints, examineTrips, type Trip, takeTrips } from '../client/trips.ts';
import { type Loss, planLosses } from '../faults/losses.ts';
import { until } from '../stages/cluster.ts';
import type { ClusterStage } from '../stages/cluster-site.ts';
import { examineAdjustments } from '../verdict/adjustments.ts';
import { readCommands } from '../verdict/ledger.ts';
import { examineOrder } from '../verdict/order.ts';
import type { Command } from '../verdict/spins.ts';
import { examineRounds } from './between.ts';
import { examineLedger } from './crash.ts';
import { answeredBy, describeSpins, playThrough } from './play-through.ts';

/** After the last loss: a node that was cut off may have to be copied again. */
const RECOVERY_TIMEOUT_MS = 150_000;
const LOOK_EVERY_MS = 50;
/** Between two losses, so that each hits a busy system. */
const BETWEEN_MS = 1_000;
/** Writes must be back within this time, also while what was lost is away: twice the goal of a lost machine. */
const BACK_MAX_MS = 90_000;
/** Of each of the two modes. */
const MEASURE_MS = 5_000;
/** Players with a write after which writes count as back. */
const BACK = 5;
/** Wallets that deposit and withdraw, at the same time. */
const TRAVELLERS = 2;
/** Players of the games that last, to whom an operator gives points. */
const LASTING_PLAYERS = 2;
/** Of a round that its player left, after the last loss: its ticks, and the sweep. */
const ROUNDS_TIMEOUT_MS = 240_000;
const LIST_EVERY_MS = 100;
const NAME_WIDTH = 34;

interface Run {
  readonly stage: ClusterStage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  readonly players: number;
}

/** On a fresh stage that is ready. @returns the faults. */
export async function runCluster(run: Run): Promise<readonly string[]> {
  const { stage, pool } = run;
  print(`seed ${run.seed}: ${run.kills} losses under load`);
  const [giveUp, stop] = [new AbortController(), new AbortController()];
  const options = { origins: stage.gateways, giveUp: giveUp.signal };
  let seed = run.seed * 1_000;
  const newPlayer = () => new Player({ ...options, seed: seed++ });
  const players = Array.from({ length: run.players }, newPlayer);
  const lasting = Array.from({ length: LASTING_PLAYERS }, newPlayer);
  await Promise.all([...players, ...lasting].map((player) => buyPoints(player, stage.chain)));
  const operator = createWallet(run.seed);
  await addOperator(pool, operator.address, 'operator');
  const faults: string[] = [];
  const travels = { chain: stage.chain, stop: stop.signal, faults, newPlayer };
  const travelling = Promise.all(Array.from({ length: TRAVELLERS }, () => takeTrips(travels)));
  const readList = openReader({ players, gateways: stage.counted, seed: run.seed });
  const reading = (async () => {
    for (; !stop.signal.aborted; await sleep(LIST_EVERY_MS)) await readList();
  })();
  const persistent = { stop: stop.signal, giveUp: giveUp.signal };
  const adjusting = adjustBalances({
    ...{ console: stage.console, operator, players: lasting, ...persistent },
    random: createRandom(run.seed),
  });
  const playingLasting = lasting.map((player) => player.playLasting(stop.signal));
  const settled = async () => {
    stop.abort();
    await Promise.all([travelling, reading, ...playingLasting]);
    faults.push(...(await adjusting));
  };
  const through = await playThrough({
    ...{ site: { ...stage, settled }, pool, players, giveUp, recoverMs: RECOVERY_TIMEOUT_MS },
    async act() {
      await measureCost(stage, players);
      print(`${'loss'.padEnd(NAME_WIDTH)} no write   503  no answer  leader`);
      for (const loss of planLosses({ count: run.kills, seed: run.seed })) {
        await sleep(BETWEEN_MS);
        faults.push(...(await suffer(stage, loss, players)));
      }
    },
  });
  const trips = (await travelling).flat();
  // At rest a standby has all, and the losses have not ended its use.
  await until('a list of a standby', async () => (await readList()) === 'standby' || null).catch(
    (error: unknown) => faults.push(String(error)),
  );
  const rounds = lasting.flatMap(({ journal }) => journal.rounds);
  const settledRounds = await examineRounds(pool, rounds, ROUNDS_TIMEOUT_MS);
  // The ledger is examined at rest.
  const appending = stage.services.filter(({ name }) => /^(auditor|cashier)/.test(name));
  await Promise.all(appending.map((service) => service.stop()));
  describeSpins(players);
  print(`recovered  ${through.recoveredS.toFixed(1)} s after the last loss`);
  print(
    `rounds     ${rounds.length} that last, each settled once, ${settledRounds.swept} by the sweep of a gateway: ` +
      `${settledRounds.faults.length} faults`,
  );
  return [
    ...faults,
    ...through.faults,
    ...lasting.flatMap(({ journal }) => journal.faults),
    ...settledRounds.faults,
    ...(await examineCalls(run, { players: [...players, ...lasting], trips, rounds, operator })),
  ];
}

/** Compares the ledger and the chain with what all of them know. @returns the faults. */
async function examineCalls(
  run: Run,
  o: {
    readonly players: readonly Player[];
    readonly trips: readonly Trip[];
    readonly rounds: readonly Round[];
    readonly operator: TestWallet;
  },
): Promise<readonly string[]> {
  const { stage, pool } = run;
  const { trips } = o;
  const unpaid = await examineTrips(stage.chain, trips);
  print(
    `payments   ${trips.length} deposits and withdrawals, on the chain: ${unpaid.length} faults`,
  );
  const journals = [...o.players, ...trips.map(({ player }) => player)].map(
    ({ journal }) => journal,
  );
  const commands = [...(await readCommands(pool)).values()];
  const unadjusted = examineAdjustments(commands, journals);
  const order = examineOrder(commands, journals);
  const lists = journals.flatMap((journal) => journal.lists);
  const copied = lists.filter(({ by }) => by === 'standby').length;
  print(
    `order      ${order.calls} calls and ${lists.length} lists, ${copied} of them of a standby, linearizable ` +
      `by player: ${order.faults.length} faults`,
  );
  const isExpected = (command: Command) =>
    isOfRound(command, o.rounds) || isOfOperator(command, o.operator.address);
  return [
    ...unadjusted,
    ...order.faults,
    ...unpaid,
    ...(await examineLedger(run, journals, isExpected)),
  ];
}

/** Begins and settlements of rounds that last, which are examined on their own. */
function isOfRound(command: Command, rounds: readonly Round[]): boolean {
  const ids = new Set(rounds.map(({ begun }) => begun.round_id));
  return command.every(({ event }) => 'round' in event.data && ids.has(String(event.data.round)));
}

const isOfOperator = ([first]: Command, address: string): boolean =>
  first?.meta.actor === `operator:${address}`;

/** What strict synchronous mode costs, by the spins of the same players with and without it. */
async function measureCost({ cluster }: ClusterStage, players: readonly Player[]): Promise<void> {
  const rate = async () => {
    const before = answeredBy(players);
    await sleep(MEASURE_MS);
    return ((answeredBy(players) - before) * 1_000) / MEASURE_MS;
  };
  await sleep(BETWEEN_MS);
  const strict = await rate();
  await cluster.synchronize(false);
  const alone = await rate();
  await cluster.synchronize(true);
  print(
    `cost       ${strict.toFixed(0)} spins/s in strict synchronous mode, ${alone.toFixed(0)} without: ` +
      `${(strict / alone).toFixed(2)}`,
  );
}

/** One loss, until writes and the cluster are back. Prints a row of the table. @returns the faults. */
async function suffer(
  stage: ClusterStage,
  loss: Loss,
  players: readonly Player[],
): Promise<readonly string[]> {
  const { cluster } = stage;
  const leader = await cluster.untilComplete();
  const before = unservedOf(players);
  const begunMs = performance.now();
  const undo = await loss.cause(stage, leader);
  const causedMs = performance.now();
  const faults: string[] = [];
  const lasting = sleep(loss.lastsMs ?? 0);
  if (!loss.blocks && !(await untilBack(players))) faults.push('no write until it was undone');
  await lasting;
  const written = writesOf(players).filter((one) => one.begunMs > causedMs);
  if (loss.blocks && written.length > 0)
    faults.push(`${written.length} writes were acknowledged meanwhile`);
  for (let next: unknown = undo; typeof next === 'function'; ) {
    next = await next();
    if (!(await untilBack(players))) faults.push('no write after it was undone');
  }
  const after = unservedOf(players);
  const longestS = longestGapOf(players, begunMs) / 1_000;
  const next = await cluster.untilComplete();
  const columns = [
    loss.name.padEnd(NAME_WIDTH),
    `${longestS.toFixed(1)} s`.padStart(8),
    String(after.busy - before.busy).padStart(5),
    String(after.silent - before.silent).padStart(10),
    ` ${leader.name} -> ${next.name}`,
    longestS > loss.goalS ? `, above the goal of ${loss.goalS} s` : '',
  ];
  print(columns.join(' '));
  return faults.map((fault) => `${loss.name}: ${fault}`);
}

function unservedOf(players: readonly Player[]) {
  const all = players.map(({ journal }) => journal.unserved);
  return {
    busy: all.reduce((sum, { busy }) => sum + busy, 0),
    silent: all.reduce((sum, { silent }) => sum + silent, 0),
  };
}

const writesOf = (players: readonly Player[]): readonly Timed[] =>
  players.flatMap(({ journal }) => journal.history.filter(({ writes }) => writes));

/** Waits for writes that begin from now on: others may have been acknowledged before the loss. @returns whether they came. */
async function untilBack(players: readonly Player[]): Promise<boolean> {
  const sinceMs = performance.now();
  const isBack = ({ journal }: Player) =>
    (journal.history.findLast(({ writes }) => writes)?.begunMs ?? 0) > sinceMs;
  const wanted = Math.min(BACK, players.length);
  while (players.filter(isBack).length < wanted) {
    if (performance.now() > sinceMs + BACK_MAX_MS) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** The longest time without an acknowledged write of any player. */
function longestGapOf(players: readonly Player[], sinceMs: number): number {
  const times = writesOf(players).map(({ endedMs }) => endedMs);
  const during = [sinceMs, ...times.filter((time) => time > sinceMs), performance.now()];
  during.sort((a, b) => a - b);
  return Math.max(...during.slice(1).map((time, index) => time - (during[index] ?? time)));
}
