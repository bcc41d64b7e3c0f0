/** `npm run reelbook -- demo`: real players on a running standalone, then the proof of what they saw. */
import type { GameConfigs } from '@reelbook/contract/player/public';
import { EXIT, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, flag, text, textOr } from '@reelbook/runtime/command-line';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { must } from '../client/api.ts';
import { LASTING } from '../client/player.ts';
import { PLAYERS_MAX, runDemo } from '../runs/demo.ts';

const SPINS_MAX = 1_000_000;
/** Of each game that lasts, and how long all of them may take where --rounds is not given. */
const ROUNDS = 2_000;
const ROUNDS_TAKE_MAX_S = 300;
/** Ticks of a round that lasts long: far more than almost all do. */
const TICKS_EXPECTED = 60;

export const command = defineCommand({
  usage: { '[--players N] [--spins N] [--rounds N] [--url URL] [--no-audit]': '' },
  about: `Plays on a running standalone ("npm start" in another terminal): real ed25519 wallets log in through the API, spin over
HTTP with the live channel open, play so many rounds of each game that lasts, rotate their seeds and verify every round
alone. Then the leaderboards are compared with a plain recount of the events, the observed returns with their exact
bands, and the audit runs. Rounds that last take their time: start the site with GAME_TICK_MS=5 npm start for them.`,
  options: {
    players: textOr('200', 'N', 'how many play at the same time'),
    spins: textOr('20000', 'N', 'of the slot machine'),
    rounds: text(
      'N',
      `of each game that lasts; by default ${ROUNDS}, or none where the ticks of the site are long`,
    ),
    url: text('URL', 'of the site; by default this machine at PORT'),
    'no-audit': flag('skips the audit'),
  },
  async run(values) {
    const site = values.url ?? `http://127.0.0.1:${readSettings().port}`;
    const players = integerOption(values, 'players', { max: PLAYERS_MAX });
    const spins = integerOption(values, 'spins', { max: SPINS_MAX });
    await fetch(`${site}/health`).catch(() => {
      throw new StartError(
        `no site answers at ${site}; start one with "npm start" in another terminal`,
      );
    });
    const rounds = await roundsOfEach(site, players, values.rounds);
    const audited = !values['no-audit'];
    return (await runDemo({ site, players, spins, rounds, audited })) ? EXIT.done : EXIT.no;
  },
  exits: true,
});

/** How many rounds of each game that lasts: the option, or what the ticks of the site allow. */
async function roundsOfEach(site: string, players: number, requested?: string): Promise<number> {
  if (requested !== undefined)
    return integerOption({ rounds: requested }, 'rounds', { min: 0, max: SPINS_MAX });
  const { tetris } = await must<GameConfigs>(site, '/game/configs');
  const tickMs = tetris.timed?.tick_ms ?? 0;
  const ticks = LASTING.length * Math.ceil(ROUNDS / players) * TICKS_EXPECTED;
  const seconds = (ticks * tickMs) / 1_000;
  if (seconds < ROUNDS_TAKE_MAX_S) return ROUNDS;
  print(
    `SKIPPED    ${ROUNDS} rounds of each game that lasts would take about ${Math.round(seconds / 60)} minutes ` +
      `at ${tickMs} ms a tick: start the site with GAME_TICK_MS=5, or set --rounds`,
  );
  return 0;
}
