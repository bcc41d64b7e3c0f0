/** `npm run reelbook -- demo`: real players on a running standalone, then the proof of what they saw. */
import type { GameConfigs } from '@reelbook/contract/player/public';
import {
  defineCommand,
  EXIT,
  flag,
  integerOption,
  print,
  text,
  textOr,
} from '@reelbook/runtime/command';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { must } from '../client/api.ts';
import { LASTING } from '../client/player.ts';
import { PLAYERS_MAX, runDemo } from '../runs/demo.ts';

const SPINS_MAX = 1_000_000;
/** Rounds of each timed game, and the longest time for all of them if --rounds is not given. */
const ROUNDS = 2_000;
const ROUNDS_TAKE_MAX_S = 300;
/** Ticks of a long round; almost all rounds are much shorter. */
const TICKS_EXPECTED = 60;

export const command = defineCommand({
  usage: { '[--players N] [--spins N] [--rounds N] [--url URL] [--no-audit]': '' },
  about: `Plays on a running standalone ("npm start" in another terminal). Players with ed25519 wallets log in through the API, spin
the slot machine with the live channel open, play timed games (Tetris, Snake, Minesweeper), rotate their seeds and verify
every round. The command then compares the leaderboards with a recount of the events and the observed returns with their
exact bands, and runs the audit. To shorten the timed games, start the site with GAME_TICK_MS=5 npm start.`,
  options: {
    players: textOr('200', 'N', 'number of concurrent players'),
    spins: textOr('20000', 'N', 'number of slot machine spins'),
    rounds: text(
      'N',
      `rounds of each timed game (default: ${ROUNDS}, or 0 if the ticks of the site are too long)`,
    ),
    url: text('URL', 'URL of the site (default: this machine at PORT)'),
    'no-audit': flag('skip the audit'),
  },
  async run(values) {
    const site = values.url ?? `http://127.0.0.1:${readSettings().port}`;
    const players = integerOption(values, 'players', { max: PLAYERS_MAX });
    const spins = integerOption(values, 'spins', { max: SPINS_MAX });
    await fetch(`${site}/health`).catch(() => {
      throw new StartError(
        `no site responds at ${site}; start one with "npm start" in another terminal`,
      );
    });
    const rounds = await roundsOfEach(site, players, values.rounds);
    const audited = !values['no-audit'];
    return (await runDemo({ site, players, spins, rounds, audited })) ? EXIT.done : EXIT.no;
  },
  exits: true,
});

/** Number of rounds of each timed game: the option, or as many as the ticks of the site allow. */
async function roundsOfEach(site: string, players: number, requested?: string): Promise<number> {
  if (requested !== undefined)
    return integerOption({ rounds: requested }, 'rounds', { min: 0, max: SPINS_MAX });
  const { tetris } = await must<GameConfigs>(site, '/game/configs');
  const tickMs = tetris.timed?.tick_ms ?? 0;
  const ticks = LASTING.length * Math.ceil(ROUNDS / players) * TICKS_EXPECTED;
  const seconds = (ticks * tickMs) / 1_000;
  if (seconds < ROUNDS_TAKE_MAX_S) return ROUNDS;
  print(
    `SKIPPED    ${ROUNDS} rounds of each timed game would take about ${Math.round(seconds / 60)} minutes ` +
      `at ${tickMs} ms per tick: start the site with GAME_TICK_MS=5, or set --rounds`,
  );
  return 0;
}
