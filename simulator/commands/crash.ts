/** `npm run reelbook -- crash`: services killed under load, then the proof of the ledger. */
import { defineCommand, flag, integerOption, text, textOr } from '@reelbook/runtime/command';
import { StartError } from '@reelbook/runtime/lifecycle';
import { runBetween } from '../runs/between.ts';
import { runCrash } from '../runs/crash.ts';
import { runOnStage } from '../runs/on-stage.ts';

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
    const play = values.between ? runBetween : runCrash;
    return runOnStage({ name: 'crash', keep: values.keep }, (on) => play({ ...on, ...wish }));
  },
  explain: () => null,
  exits: true,
});
