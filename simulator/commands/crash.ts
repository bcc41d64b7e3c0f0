/** `npm run reelbook -- crash`: services killed under load, then the proof of the ledger. */
import { openPool } from '@reelbook/event-store/db';
import {
  defineCommand,
  EXIT,
  type Exit,
  flag,
  integerOption,
  print,
  text,
  textOr,
} from '@reelbook/runtime/command';
import { StartError } from '@reelbook/runtime/lifecycle';
import type pg from 'pg';
import { runBetween } from '../runs/between.ts';
import { runCluster } from '../runs/cluster.ts';
import { runCrash } from '../runs/crash.ts';
import { missingPrograms } from '../stages/cluster.ts';
import { startClusterStage } from '../stages/cluster-site.ts';
import { type Stage, startStage } from '../stages/processes.ts';
import { audit, conclude } from '../verdict/conclude.ts';
import { untilRecovered } from '../verdict/recovered.ts';

const READY_TIMEOUT_MS = 120_000;
const KILLS_MAX = 10_000;
const PLAYERS_MAX = 500;
const MINUTES_MAX = 24 * 60;
const SEED_MAX = 2 ** 31;
const SECONDS_A_KILL = 2;
/** Settings of the audit. */
const AUDITED = [
  ...['PATH', 'DATABASE_URL', 'READ_DATABASE_URL', 'SEED_KEY', 'DATA_DIR'],
  ...['SOLANA_RPC_URL', 'TOKEN_MINT', 'TREASURY_WALLET', 'TREASURY_WALLETS'],
];

function minutesOf(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= MINUTES_MAX) return value;
  throw new StartError(`--minutes is a number up to ${MINUTES_MAX}`);
}

/** Plays on a fresh stage and judges it. `play` returns the faults. */
async function onStage<S extends Omit<Stage, 'victims' | 'kill'>>(
  stage: S,
  play: (on: { readonly stage: S; readonly pool: pg.Pool }) => Promise<readonly string[]>,
  o: { readonly kills: number; readonly seed: number; readonly keep: boolean },
): Promise<Exit> {
  const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 4, name: 'crash' });
  let sound = false;
  try {
    const notReady = await untilRecovered(stage, pool, READY_TIMEOUT_MS);
    if (notReady.length > 0) {
      const why = [...stage.services.flatMap((service) => service.faults), ...notReady];
      throw new Error(`the start failed: ${why.join('; ')}`);
    }
    const faults = await play({ stage, pool });
    const settings = Object.entries(stage.environment).filter(([name]) => AUDITED.includes(name));
    const audited = await audit(['--mode', 'operator'], Object.fromEntries(settings));
    const summary = `seed ${o.seed}, ${o.kills} kills`;
    sound = conclude(summary, 'nothing lost, doubled or left half', [...faults, ...audited]);
    return sound ? EXIT.done : EXIT.no;
  } finally {
    await pool.end();
    await stage.stop();
    if (sound && !o.keep) stage.remove();
    else print(`data and logs  ${stage.folder}`);
  }
}

export const command = defineCommand({
  usage: {
    '[--kills N] [--seed N] [--players N] [--minutes M] [--between] [--cluster] [--keep]': '',
  },
  about: `Starts two gateways, a publisher, a projector, nats-server (JetStream on disk) and a durable Postgres, each as a
separate process with its own data. Players on both gateways persist their idempotency keys and retry until acknowledged.
Sends SIGKILL to random processes (including the Postgres postmaster and single backends) at random times and restarts them
after short random pauses. At the end all processes must recover without intervention. The command then runs the audit and
compares the ledger, the projections, the stream and the live channels with the responses that the players received.

Exit code 1: a check failed; data and logs are kept.`,
  options: {
    kills: textOr('50', 'N', 'number of kills'),
    seed: textOr(
      '1',
      'N',
      'random seed; the same seed kills the same processes in the same order after the same pauses',
    ),
    players: textOr('20', 'N', 'number of concurrent players'),
    minutes: text('M', 'duration of the run in minutes (default: 2 seconds per kill)'),
    between: flag(
      'kill only gateways, each between stake and settlement of a timed round (Tetris, Snake,\n' +
        'Minesweeper), and verify that every round settles once',
    ),
    cluster: flag(
      'on three Postgres under Patroni with etcd, a NATS cluster and a chain of two RPCs, with two of each service but\n' +
        'the console: leaders, a standby and the services that act are killed, paused and cut off, each kind once before\n' +
        'any comes twice, every third time two at once, about 30 s each; calls of players and of an operator must be\n' +
        'linearizable by player, also lists of a standby, and each payment is on the chain once',
    ),
    keep: flag('keep data and logs even if all checks pass'),
  },
  async run(values) {
    const kills = integerOption(values, 'kills', { max: KILLS_MAX });
    const minutes = values.minutes ? minutesOf(values.minutes) : (kills * SECONDS_A_KILL) / 60;
    const wish = {
      kills,
      seed: integerOption(values, 'seed', { max: SEED_MAX }),
      players: integerOption(values, 'players', { max: PLAYERS_MAX }),
      spanMs: minutes * 60_000,
    };
    // Child processes end with this one.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
    const { keep } = values;
    if (!values.cluster) {
      const play = values.between ? runBetween : runCrash;
      return onStage(await startStage(), (on) => play({ ...on, ...wish }), { ...wish, keep });
    }
    const missing = missingPrograms();
    if (missing.length > 0) throw new StartError(`--cluster needs ${missing.join(', ')}`);
    const stage = await startClusterStage();
    return onStage(stage, (on) => runCluster({ ...on, ...wish }), { ...wish, keep });
  },
  explain: () => null,
  exits: true,
});
