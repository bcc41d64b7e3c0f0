/** `npm run reelbook -- soak`: players among slow and hostile clients. */
import { openPool } from '@reelbook/event-store/db';
import { EXIT, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, flag, textOr } from '@reelbook/runtime/command-line';
import { runSoak } from '../runs/soak.ts';
import { startStage } from '../stages/processes.ts';

const PLAYERS_MAX = 500;
/** Per gateway and address 2,000. */
const SOCKETS_MAX = 3_000;
const MINUTES_MAX = 24 * 60;

export const command = defineCommand({
  usage: { '[--players N] [--sockets N] [--minutes N] [--seed N] [--keep]': '' },
  about: `Starts two gateways, a publisher, a projector, nats-server and Postgres, each as a separate process with its own data.
Players spin, play timed games, exchange and wait for every push. Hostile clients open the other sockets: they do not read, send
unexpected pongs, junk, huge frames and endless messages, or reconnect; others leave HTTP requests half open. The command prints
memory, event-loop delay, push latency and the reasons of closed sockets, and runs the audit.

Exit code 1: a player missed a push or a call, a hostile client was not closed, memory exceeded its bound, or a finding of the
audit; data and logs are kept.`,
  options: {
    players: textOr('200', 'N', 'number of concurrent players'),
    sockets: textOr('1000', 'N', 'number of sockets, including one of each player'),
    minutes: textOr('20', 'N', 'duration of the run in minutes'),
    seed: textOr('1', 'N', 'random seed of players and hostile clients'),
    keep: flag('keep data and logs even if all checks pass'),
  },
  async run(values) {
    const wish = {
      players: integerOption(values, 'players', { max: PLAYERS_MAX }),
      sockets: integerOption(values, 'sockets', { max: SOCKETS_MAX }),
      spanMs: integerOption(values, 'minutes', { max: MINUTES_MAX }) * 60_000,
      seed: integerOption(values, 'seed', { max: 2 ** 31 }),
    };
    // Child processes end with this one.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(130));
    const stage = await startStage();
    const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 4, name: 'soak' });
    let sound = false;
    try {
      sound = await runSoak({ stage, pool, ...wish });
      return sound ? EXIT.done : EXIT.no;
    } finally {
      await pool.end();
      await stage.stop();
      if (sound && !values.keep) stage.remove();
      else print(`data and logs  ${stage.folder}`);
    }
  },
  explain: () => null,
  exits: true,
});
