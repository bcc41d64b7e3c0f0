import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { readCommands } from './book.ts';
import { examineStream, untilHealed } from './heal.ts';
import { isAnswered } from './journal.ts';
import { createPlayer, type Player } from './player.ts';
import { createRandom, type Kill, planKills, type Random, type Victim } from './schedule.ts';
import type { Stage } from './stage.ts';
import { judge } from './verdict.ts';

const READY_TIMEOUT_MS = 60_000;
/** All that was killed must be well again, and everybody answered, within this time after the last kill. */
const HEAL_TIMEOUT_MS = 90_000;
/** Before the first kill, so that it meets a system at work. */
const WARM_UP_MS = 1_500;
const FIND_VICTIM_EVERY_MS = 50;
const FAULTS_SHOWN_MAX = 20;

interface Run {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  readonly players: number;
  readonly spanMs: number;
  say(text: string): void;
}

/** The whole run on a stage that was just set. @returns whether everything holds; all is told to `say`. */
export async function runCrash(run: Run): Promise<boolean> {
  const { stage, pool, say } = run;
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

  const players = Array.from({ length: run.players }, (_, index) =>
    createPlayer({ origins: stage.gateways, seed: run.seed * 1_000 + index }),
  );
  const stop = new AbortController();
  const giveUp = new AbortController();
  const playing = Promise.all(players.map((one) => one.play(stop.signal, giveUp.signal)));
  await sleep(WARM_UP_MS);
  const killed = await killAll(run, players);
  stop.abort();
  const healing = performance.now();
  const late = setTimeout(() => giveUp.abort(), HEAL_TIMEOUT_MS);
  await stage.settled();
  await playing;
  const ill = [...(await untilHealed(stage, pool, HEAL_TIMEOUT_MS))];
  const healedS = (performance.now() - healing) / 1_000;
  const heard = await Promise.all(players.map((one) => one.spinAndHear(giveUp.signal)));
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
  if (!(await audit(stage))) faults.push('the audit found the book faulty');
  for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) say(`FAULT      ${fault}`);
  const told = `seed ${run.seed}, ${run.kills} kills`;
  if (faults.length > 0) say(`FAULTY     ${told}: ${faults.length} faults`);
  else say(`SOUND      ${told}: nothing lost, doubled or left half`);
  return faults.length === 0;
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
    run.say(
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
  { stage, say }: Run,
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
  const { pool, stage, say } = run;
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

/** `npm run audit` in the operator mode, read models and all, on this book. */
export function audit(stage: Stage): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [RUN, 'services/cli/main.ts', 'audit', '--mode', 'operator'],
    {
      cwd: REPOSITORY,
      env: {
        PATH: programPath().join(':'),
        DATABASE_URL: stage.databaseUrl,
        SEED_KEY: stage.seedKey,
      },
      stdio: ['ignore', 'inherit', 'ignore'],
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
