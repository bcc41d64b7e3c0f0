import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '@reelbook/runtime/command';
import { createRandom, type Random } from '@reelbook/testing/random';
import type pg from 'pg';
import type { Journal } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import { type Kill, planKills, type Victim } from '../faults/schedule.ts';
import type { Stage } from '../stages/processes.ts';
import { readCommands } from '../verdict/ledger.ts';
import { examineStream } from '../verdict/recovered.ts';
import { type Command, judge } from '../verdict/spins.ts';
import { answeredBy, describeSpins, playThrough } from './play-through.ts';

/** All services must be healthy, and every player answered, within this time after the last kill. */
const RECOVERY_TIMEOUT_MS = 90_000;
/** Before the first kill, so that it hits a busy system. */
const WARM_UP_MS = 1_500;
const FIND_VICTIM_EVERY_MS = 50;

/** On a fresh stage that is ready. */
export interface Run {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  readonly players: number;
  readonly spanMs: number;
}

/** @returns the faults. */
export async function runCrash(run: Run): Promise<readonly string[]> {
  const { stage, pool } = run;
  print(`seed ${run.seed}: ${run.kills} kills among ${stage.victims.join(', ')}`);
  if (!stage.victims.includes('nats')) {
    print(
      'SKIPPED: NATS is not killed, for there is no nats-server on the PATH (or NATS_URL is set).',
    );
  }
  const giveUp = new AbortController();
  const player = { origins: stage.gateways, giveUp: giveUp.signal };
  const players = Array.from(
    { length: run.players },
    (_, index) => new Player({ ...player, seed: run.seed * 1_000 + index }),
  );
  let killed: Killed = new Map();
  const through = await playThrough({
    site: stage,
    pool,
    players,
    giveUp,
    recoverMs: RECOVERY_TIMEOUT_MS,
    async act() {
      await sleep(WARM_UP_MS);
      killed = await killAll(run, players);
    },
  });
  describePlay(run, { players, killed, ...through });
  const journals = players.map(({ journal }) => journal);
  return [...through.faults, ...(await examineLedger(run, journals))];
}

type Killed = Map<Victim, number>;

async function killAll(run: Run, players: readonly Player[]): Promise<Killed> {
  const { stage } = run;
  const random = createRandom(run.seed);
  const killed: Killed = new Map();
  const begun = performance.now();
  let n = 0;
  for (const kill of planKills({ ...run, victims: stage.victims })) {
    await sleep(kill.pauseMs);
    const victim = await killOne(stage, kill, random);
    killed.set(victim, (killed.get(victim) ?? 0) + 1);
    n++;
    const answered = answeredBy(players);
    const sent = players.reduce((sum, { journal }) => sum + journal.spins.length, 0);
    const at = ((performance.now() - begun) / 1_000).toFixed(1).padStart(6);
    const back = victim === 'backend' ? '' : `, back in ${(kill.downMs / 1_000).toFixed(1)} s`;
    print(
      `${at} s  ${String(n).padStart(3)}/${run.kills}  kill -9 ${victim}${back}; ` +
        `${answered} spins answered, ${sent - answered} wait`,
    );
  }
  return killed;
}

/** A victim that is already down is skipped: the next in the list is killed. */
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
  o: {
    readonly players: readonly Player[];
    readonly killed: Killed;
    readonly recoveredS: number;
    readonly received: readonly (number | null)[];
  },
): void {
  const { players, killed, recoveredS, received } = o;
  const sum = (of: (pushes: Journal['pushes']) => number) =>
    players.reduce((total, { journal }) => total + of(journal.pushes), 0);
  const badStarts = stage.services.reduce((total, service) => total + service.badStarts(), 0);
  const slowest = Math.max(0, ...received.filter((ms) => ms !== null));
  const kinds = [...killed].sort(([a], [b]) => (a < b ? -1 : 1));
  const early =
    badStarts === 0 ? '' : `; ${badStarts} starts lost their database and were repeated`;
  print(`killed     ${kinds.map(([victim, count]) => `${victim} ${count}`).join(', ')}${early}`);
  describeSpins(players);
  print(
    `recovered  ${recoveredS.toFixed(1)} s after the last kill: all up, all projections at the head`,
  );
  print(
    `pushes     ${sum(({ results }) => results)} results over ${sum(({ sockets }) => sockets)} sockets; ` +
      `resumed, at most ${slowest.toFixed(0)} ms from spin to push`,
  );
}

/** First events of commands over the chain, which the audit compares with it. */
const MONEY = /^(Deposit|Withdrawal|Exchange)/;

/** Compares the ledger and the stream with the journals of those who spun. @returns the faults. */
export async function examineLedger(
  { pool, stage: { natsUrl } }: { readonly pool: pg.Pool; readonly stage: Pick<Stage, 'natsUrl'> },
  journals: readonly Journal[],
  /** Whether a command was requested by somebody who is not judged here. */
  isExpected: (command: Command) => boolean = () => false,
): Promise<readonly string[]> {
  const commands = [...(await readCommands(pool)).values()];
  const { tally, faults } = judge(
    commands.filter((one) => !MONEY.test(one[0]?.event.type ?? '') && !isExpected(one)),
    journals,
  );
  print(
    `ledger     ${tally.proven} spins are in it once, exactly as they were answered; ` +
      `${tally.rotations} rotations, ${tally.logins} logins, each requested by a player`,
  );
  if (natsUrl === null) return faults;
  const stream = await examineStream(natsUrl, pool);
  // Read again: seals and anchors may have been added meanwhile.
  const { size } = await readCommands(pool);
  print(`stream     ${stream.commands} of ${size} commands, in order, to the head`);
  const once = stream.first === 1 && stream.commands === size;
  return [...faults, ...stream.faults, ...(once ? [] : ['the stream is not the ledger, once'])];
}
