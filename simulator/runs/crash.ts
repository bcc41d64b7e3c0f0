import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@reelbook/runtime/command';
import { programPath } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { isAnswered } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import { type Kill, planKills, type Victim } from '../faults/schedule.ts';
import { createRandom, type Random } from '../random.ts';
import type { Stage } from '../stages/processes.ts';
import { audit, conclude } from '../verdict/conclude.ts';
import { examineStream, untilHealed } from '../verdict/healed.ts';
import { readCommands } from '../verdict/ledger.ts';
import { judge } from '../verdict/spins.ts';

const READY_TIMEOUT_MS = 60_000;
/** All that was killed must be well again, and everybody answered, within this time after the last kill. */
const HEAL_TIMEOUT_MS = 90_000;
/** Before the first kill, so that it meets a system at work. */
const WARM_UP_MS = 1_500;
const FIND_VICTIM_EVERY_MS = 50;

interface Run {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  readonly players: number;
  readonly spanMs: number;
}

/** The whole run on a stage that was just set. @returns whether everything holds. */
export async function runCrash(run: Run): Promise<boolean> {
  const { stage, pool } = run;
  say(`seed ${run.seed}: ${run.kills} kills among ${stage.victims.join(', ')}`);
  if (!stage.victims.includes('nats')) {
    say(
      'LEFT OUT: NATS is not killed, for there is no nats-server on the PATH (or NATS_URL is set).',
    );
  }
  const notReady = await untilHealed(stage, pool, READY_TIMEOUT_MS);
  if (notReady.length > 0) {
    const why = [...stage.services.flatMap(({ faults }) => faults.slice(0, 1)), ...notReady];
    throw new Error(`the start failed: ${why.join('; ')}`);
  }

  const [stop, giveUp] = [new AbortController(), new AbortController()];
  const player = { origins: stage.gateways, giveUp: giveUp.signal };
  const players = Array.from(
    { length: run.players },
    (_, index) => new Player({ ...player, seed: run.seed * 1_000 + index }),
  );
  const playing = Promise.all(players.map((one) => one.play(stop.signal)));
  await sleep(WARM_UP_MS);
  const killed = await killAll(run, players);
  stop.abort();
  const healing = performance.now();
  const late = setTimeout(() => giveUp.abort(), HEAL_TIMEOUT_MS);
  await stage.settled();
  await playing;
  const ill = [...(await untilHealed(stage, pool, HEAL_TIMEOUT_MS))];
  const healedS = (performance.now() - healing) / 1_000;
  const heard = await Promise.all(players.map((one) => one.spinAndHear()));
  clearTimeout(late);
  ill.push(...(await untilHealed(stage, pool, HEAL_TIMEOUT_MS)));
  for (const one of players) one.leave();

  describePlay(run, players, killed, healedS, heard);
  const faults = [
    ...ill,
    ...stage.services.flatMap((service) => service.faults),
    ...players.flatMap(({ journal }) => journal.faults),
    ...heard.flatMap((ms, index) => (ms === null ? [`player ${index} heard of no push`] : [])),
    ...(await examineBook(run, players)),
  ];
  faults.push(...(await auditStage(stage)));
  const told = `seed ${run.seed}, ${run.kills} kills`;
  return conclude(told, 'nothing lost, doubled or left half', faults);
}

async function killAll(run: Run, players: readonly Player[]): Promise<Map<Victim, number>> {
  const { stage } = run;
  const random = createRandom(run.seed);
  const killed = new Map<Victim, number>();
  const begun = performance.now();
  let n = 0;
  for (const kill of planKills({ ...run, victims: stage.victims })) {
    await sleep(kill.pauseMs);
    const victim = await killOne(stage, kill, random);
    killed.set(victim, (killed.get(victim) ?? 0) + 1);
    n++;
    const spins = players.flatMap(({ journal }) => journal.spins);
    const answered = spins.filter(isAnswered).length;
    const at = ((performance.now() - begun) / 1_000).toFixed(1).padStart(6);
    const back = victim === 'backend' ? '' : `, back in ${(kill.downMs / 1_000).toFixed(1)} s`;
    say(
      `${at} s  ${String(n).padStart(3)}/${run.kills}  kill -9 ${victim}${back}; ` +
        `${answered} spins answered, ${spins.length - answered} wait`,
    );
  }
  return killed;
}

/** Who is down already cannot die: then the next in the row does. */
async function killOne(stage: Stage, kill: Kill, random: Random): Promise<Victim> {
  const first = stage.victims.indexOf(kill.victim);
  const row = [...stage.victims.slice(first), ...stage.victims.slice(0, first)];
  for (;;) {
    for (const victim of row) if (await stage.kill(victim, kill.downMs, random)) return victim;
    await sleep(FIND_VICTIM_EVERY_MS);
  }
}

function describePlay(
  { stage }: Run,
  players: readonly Player[],
  killed: ReadonlyMap<Victim, number>,
  healedS: number,
  heard: readonly (number | null)[],
): void {
  const journals = players.map(({ journal }) => journal);
  const spins = journals.flatMap((journal) => journal.spins);
  const sum = (of: (journal: (typeof journals)[number]) => number) =>
    journals.reduce((total, journal) => total + of(journal), 0);
  const longest = Math.max(0, ...spins.map(({ waitedMs }) => waitedMs)) / 1_000;
  const tries = spins.reduce((total, spin) => total + spin.tries, 0);
  const badStarts = stage.services.reduce((total, service) => total + service.badStarts(), 0);
  const [quick = 0, slow = 0] = [0.5, 1].map((share) => {
    const told = heard.filter((ms) => ms !== null).sort((a, b) => a - b);
    return told[Math.ceil(share * told.length) - 1] ?? 0;
  });
  const kinds = [...killed].sort(([a], [b]) => (a < b ? -1 : 1));
  const early = badStarts === 0 ? '' : `; ${badStarts} starts lost their database and began anew`;
  say(`killed     ${kinds.map(([victim, count]) => `${victim} ${count}`).join(', ')}${early}`);
  say(
    `spins      ${spins.filter(isAnswered).length} answered of ${spins.length}, in ${tries} tries; ` +
      `the longest wait for an answer was ${longest.toFixed(1)} s`,
  );
  say(
    `healed     ${healedS.toFixed(1)} s after the last kill: all up, all read models at the head`,
  );
  say(
    `pushes     ${sum((one) => one.pushes.results)} results over ${sum((one) => one.pushes.sockets)} sockets; ` +
      `resumed, ${quick.toFixed(0)} ms from spin to push (median; slowest ${slow.toFixed(0)})`,
  );
}

/** Compares the book and the stream with what the players know. */
async function examineBook(run: Run, players: readonly Player[]): Promise<readonly string[]> {
  const { pool, stage } = run;
  const commands = await readCommands(pool);
  const journals = players.map(({ journal }) => journal);
  const { tally, faults } = judge(commands.values(), journals);
  say(
    `book       ${tally.proven} spins stand in it once, exactly as they were answered; ` +
      `${tally.rotations} rotations, ${tally.logins} logins, nothing that nobody asked for`,
  );
  if (stage.natsUrl === null) return faults;
  const stream = await examineStream(stage.natsUrl, pool);
  say(`stream     ${stream.commands} of ${commands.size} commands, in order, to the head`);
  const once = stream.first === 1 && stream.commands === commands.size;
  return [...faults, ...stream.faults, ...(once ? [] : ['the stream is not the ledger, once'])];
}

/** In the operator mode, read models and all. */
export function auditStage({ databaseUrl, seedKey }: Stage): Promise<readonly string[]> {
  const env = { PATH: programPath().join(':'), DATABASE_URL: databaseUrl, SEED_KEY: seedKey };
  return audit(['--mode', 'operator'], env);
}
