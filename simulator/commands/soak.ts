/** `npm run reelbook -- soak`: players among slow and hostile clients. */
import { integerOption } from '@reelbook/runtime/command';
import { defineCommand, flag, textOr } from '@reelbook/runtime/command-line';
import { runOnStage } from '../runs/on-stage.ts';
import { runSoak } from '../runs/soak.ts';

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
    return runOnStage({ name: 'soak', keep: values.keep }, (on) => runSoak({ ...on, ...wish }));
  },
  explain: () => null,
  exits: true,
});
