import { parseArgs } from 'node:util';
import { openPool } from '@reelbook/event-store/db';
import { EXIT, type Exit, say, wholeOption } from '@reelbook/runtime/command';
import { StartError } from '@reelbook/runtime/lifecycle';
import { runBetween } from '../runs/between.ts';
import { runCrash } from '../runs/crash.ts';
import { startStage } from '../stages/processes.ts';

const HELP = `npm run reelbook -- crash [--kills 50] [--seed 1] [--players 20] [--minutes M] [--between] [--keep]

Starts two gateways, a publisher, a projector, nats-server (JetStream on disk) and a durable Postgres, each as a process of
its own on data of its own. Players on both gateways persist their idempotency keys and retry until acknowledged. Sends
SIGKILL to random processes (of Postgres the postmaster and single backends) at random times, for random short times. Then
everything must recover without help, and the audit, the ledger, the read models, the stream and the live channels are
compared with the answers that the players got.

  --kills    how many
  --seed     the same seed ends the same processes in the same order after the same pauses
  --players  how many play at the same time
  --minutes  how long the kills are spread; by default 2 seconds a kill
  --between  kills gateways alone, each between the stake and the settlement of a round of Tetris, Snake or Minesweeper,
             and proves that every round settles once
  --keep     keeps data and logs also when all went well

Exit code 0: all holds. 1: something does not; data and logs are kept. 2: it could not be done; the message gives the reason.`;

const KILLS_MAX = 10_000;
const PLAYERS_MAX = 500;
const MINUTES_MAX = 24 * 60;
const SEED_MAX = 2 ** 31;
const SECONDS_A_KILL = 2;

const parse = (args: string[]) =>
  parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      players: { type: 'string', default: '20' },
      minutes: { type: 'string' },
      between: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;

function minutesOf(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= MINUTES_MAX) return value;
  throw new StartError(`--minutes is a number up to ${MINUTES_MAX}`);
}

export async function run(args: string[]): Promise<Exit> {
  const values = parse(args);
  if (values.help) return say(HELP);
  const kills = wholeOption(values, 'kills', { max: KILLS_MAX });
  const minutes = values.minutes ? minutesOf(values.minutes) : (kills * SECONDS_A_KILL) / 60;
  const wish = {
    kills,
    seed: wholeOption(values, 'seed', { max: SEED_MAX }),
    players: wholeOption(values, 'players', { max: PLAYERS_MAX }),
    spanMs: minutes * 60_000,
  };
  // What was started ends with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  const stage = await startStage();
  const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 4, name: 'crash' });
  let sound = false;
  try {
    const play = values.between ? runBetween : runCrash;
    sound = await play({ stage, pool, ...wish });
    return sound ? EXIT.done : EXIT.no;
  } finally {
    await pool.end();
    await stage.stop();
    if (sound && !values.keep) stage.remove();
    else say(`data and logs  ${stage.folder}`);
  }
}
