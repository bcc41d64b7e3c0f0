/** `npm run reelbook -- crash`: services killed under load, then the proof of the ledger. */
import { openPool } from '@reelbook/event-store/db';
import { EXIT, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, flag, text, textOr } from '@reelbook/runtime/command-line';
import { StartError } from '@reelbook/runtime/lifecycle';
import { runBetween } from '../runs/between.ts';
import { runCrash } from '../runs/crash.ts';
import { startStage } from '../stages/processes.ts';

const KILLS_MAX = 10_000;
const PLAYERS_MAX = 500;
const MINUTES_MAX = 24 * 60;
const SEED_MAX = 2 ** 31;
const SECONDS_A_KILL = 2;

function minutesOf(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= MINUTES_MAX) return value;
  throw new StartError(`--minutes is a number up to ${MINUTES_MAX}`);
}

export const command = defineCommand({
  usage: { '[--kills N] [--seed N] [--players N] [--minutes M] [--between] [--keep]': '' },
  about: `Starts two gateways, a publisher, a projector, nats-server (JetStream on disk) and a durable Postgres, each as a
separate process on its own data. Players on both gateways persist their idempotency keys and retry until acknowledged. Sends
SIGKILL to random processes (of Postgres the postmaster and single backends) at random times, for random short times. Then
everything must recover without help, and the audit, the ledger, the projections, the stream and the live channels are
compared with the answers that the players got.

Exit code 1: a check fails; data and logs are kept.`,
  options: {
    kills: textOr('50', 'N', 'how many'),
    seed: textOr(
      '1',
      'N',
      'the same seed ends the same processes in the same order after the same pauses',
    ),
    players: textOr('20', 'N', 'how many play at the same time'),
    minutes: text('M', 'how long the kills are spread; by default 2 seconds a kill'),
    between: flag(
      'kills gateways alone, each between the stake and the settlement of a round of Tetris,\n' +
        'Snake or Minesweeper, and proves that every round settles once',
    ),
    keep: flag('keeps data and logs of a run without faults, too'),
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
      else print(`data and logs  ${stage.folder}`);
    }
  },
  explain: () => null,
  exits: true,
});
