/** `npm run reelbook -- demo`: real players on a running standalone, then the proof of what they saw. */
import {
  defineCommand,
  EXIT,
  endProgress,
  flag,
  integerOption,
  print,
  progressLine,
  text,
  textOr,
} from '@reelbook/runtime/command';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { LASTING, ORDERLY, Player } from '../client/player.ts';
import { audit, conclude } from '../verdict/conclude.ts';
import { verifyRevealed } from '../verdict/revealed.ts';

const PLAYERS_MAX = 1_000;
const ROUNDS_MAX = 100_000;
const PATIENCE_MS = 60_000;

export const command = defineCommand({
  usage: { '[--players N] [--spins N] [--rounds N] [--url URL] [--no-audit]': '' },
  about: `Plays on a running standalone ("npm start" in another terminal). Players with ed25519 wallets log in through the API, spin
the slot machine with the live channel open, play timed games (Tetris, Snake, Minesweeper), rotate their seeds and verify
every round; then the command runs the audit. For short timed games start the site with GAME_TICK_MS=5 npm start.`,
  options: {
    players: textOr('200', 'N', 'number of concurrent players'),
    spins: textOr('100', 'N', 'spins of the slot machine by each player'),
    rounds: textOr('0', 'N', 'rounds of each timed game by each player'),
    url: text('URL', 'URL of the site (default: this machine at PORT)'),
    'no-audit': flag('skip the audit'),
  },
  async run(values) {
    const site = values.url ?? `http://127.0.0.1:${readSettings().port}`;
    const players = integerOption(values, 'players', { max: PLAYERS_MAX });
    const spins = integerOption(values, 'spins', { min: 0, max: ROUNDS_MAX });
    const rounds = integerOption(values, 'rounds', { min: 0, max: ROUNDS_MAX });
    await fetch(`${site}/health`).catch(() => {
      throw new StartError(
        `no site responds at ${site}; start one with "npm start" in another terminal`,
      );
    });
    const progress = progressLine();
    const total = players * (spins + rounds * LASTING.length);
    let done = 0;
    const count = () => progress({ step: 'playing', done: ++done, total, of: 'rounds' });
    const begun = performance.now();
    // Other wallets in each run: a second demo adds players.
    const first = Date.now() * PLAYERS_MAX;
    const journals = await Promise.all(
      Array.from({ length: players }, async (_, index) => {
        const client = { origins: [site], habits: ORDERLY, patienceMs: PATIENCE_MS };
        const player = new Player({ ...client, seed: first + index });
        await play(player, { spins, rounds, count });
        return player.journal;
      }),
    );
    endProgress();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    print(`played     ${done} rounds by ${players} players in ${seconds} s over HTTP`);
    const checked = journals.map(verifyRevealed);
    const verified = checked.reduce((sum, one) => sum + one.verified, 0);
    print(`verified   ${verified} rounds by their own players, from revealed seeds`);
    const faults = [...journals, ...checked].flatMap((one) => one.faults);
    if (verified !== total) faults.push(`${verified} of ${total} rounds were played and verified`);
    if (!values['no-audit']) faults.push(...(await audit()));
    const sound = conclude(`${total} rounds`, 'all as their players know them', faults);
    return sound ? EXIT.done : EXIT.no;
  },
  exits: true,
});

/** Ends at the first fault. The seeds are rotated at the end. */
async function play(
  player: Player,
  o: { readonly spins: number; readonly rounds: number; count(): void },
): Promise<void> {
  const { journal } = player;
  await player.enter();
  player.listen();
  const games = Array.from({ length: o.rounds }, () => LASTING).flat();
  for (const game of [...Array.from({ length: o.spins }, () => null), ...games]) {
    if (journal.faults.length > 0) break;
    const begun = game ? await player.begin(game) : (await player.spin()).refusal;
    if (typeof begun === 'string') journal.faults.push(`${game?.id ?? 'a spin'}: ${begun}`);
    else if (begun) await player.end(begun.round);
    o.count();
  }
  // A rotation without an answer may have happened; another one does no harm.
  const deadline = performance.now() + PATIENCE_MS;
  while (journal.rotations.answered === 0 && performance.now() < deadline) await player.rotate();
  if (!(await player.received())) journal.faults.push('no push of the last round');
  player.leave();
}
