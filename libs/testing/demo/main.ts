/** `npm run demo`: real players on a running standalone, then the proof that the book tells what they saw. */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openPool } from '@reelbook/event-store/db';
import { EXIT, type Exit, runCommand, say, wholeOption } from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { RUN } from '@reelbook/runtime/repository';
import { isTerminal, readSettings } from '@reelbook/runtime/settings';
import { must } from './api.ts';
import { type Played, playAll } from './player.ts';
import { type BoardEntry, compareBoard, recount } from './recount.ts';
import { type PaidRound, returnBand } from './return-band.ts';
import { expectedSeconds, LASTING, type LastingRound, readTickMs } from './rounds.ts';

const HELP = `npm run demo -- [--players 200] [--spins 20000] [--rounds 2000] [--url http://127.0.0.1:8080] [--no-audit]

Plays on a running standalone ("npm start" in another terminal): real ed25519 wallets log in through the API, spin over
HTTP with the live channel open, play so many rounds of each game that lasts, rotate their seeds and verify every round
alone. Then the leaderboards are compared with a plain recount of the events, the observed returns with their exact
bands, and the audit runs. Rounds that last take their time: start the site with GAME_TICK_MS=5 npm start for them;
without --rounds they are left out where the ticks are long.
Exit code 0: all holds. 1: something does not. 2: it could not be done, and says why.`;

const PLAYERS_MAX = 1_000;
const SPINS_MAX = 1_000_000;
/** Of each game that lasts, and how long all of them may take where nobody asked for them. */
const ROUNDS = 2_000;
const ROUNDS_TAKE_MAX_S = 300;
const PROGRESS_EVERY_MS = 1_000;
const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_POLL_MS = 100;
const BOARDS = { deposit: 'earnings', wins: 'wins', points: 'points' } as const;

const parse = () =>
  parseArgs({
    options: {
      players: { type: 'string', default: '200' },
      spins: { type: 'string', default: '20000' },
      rounds: { type: 'string' },
      url: { type: 'string' },
      'no-audit': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;

type Options = ReturnType<typeof parse>;

async function main(): Promise<Exit> {
  const values = parse();
  if (values.help) return say(HELP);
  const settings = readSettings();
  const site = values.url ?? `http://127.0.0.1:${settings.port}`;
  const players = wholeOption(values, 'players', { max: PLAYERS_MAX });
  const spins = wholeOption(values, 'spins', { max: SPINS_MAX });
  await fetch(`${site}/health`).catch(() => {
    throw new StartError(
      `nothing answers at ${site}; start it with "npm start" in another terminal`,
    );
  });
  const started = performance.now();
  const rounds = await roundsOfEach(site, players, values);
  const played = await play(site, { players, spins, rounds });
  const seconds = (performance.now() - started) / 1_000;
  const total = played.flatMap((one) => one.spins);
  const verified = played.reduce((sum, one) => sum + one.verified, 0);
  const pushed = played.reduce((sum, one) => sum + one.pushes.results, 0);
  say(
    `played     ${total.length} spins by ${players} players in ${seconds.toFixed(1)} s over HTTP`,
  );
  const lasting = played.flatMap((one) => one.rounds);
  say(`lasting    ${describeLasting(lasting)}`);
  say(`verified   ${verified} rounds by their own players, from revealed seeds`);
  say(`pushed     ${pushed} results over /ws, never an older balance after a newer one`);
  const all = total.length + lasting.length === verified;
  const checks = [all, ...reportReturns(played), await reportBoards(site)];
  if (!values['no-audit']) checks.push(await audit());
  return checks.every(Boolean) ? EXIT.done : EXIT.no;
}

/** How many rounds of each game that lasts: what was asked for, or what the ticks of the site allow. */
async function roundsOfEach(site: string, players: number, values: Options): Promise<number> {
  const tickMs = await readTickMs(site);
  const wanted = values.rounds ?? String(ROUNDS);
  const rounds = wholeOption({ rounds: wanted }, 'rounds', { min: 0, max: SPINS_MAX });
  const seconds = expectedSeconds(rounds, players, tickMs);
  if (values.rounds !== undefined || seconds < ROUNDS_TAKE_MAX_S) return rounds;
  say(
    `LEFT OUT   ${rounds} rounds of each game that lasts would take about ${Math.round(seconds / 60)} minutes ` +
      `at ${tickMs} ms a tick: start the site with GAME_TICK_MS=5, or ask for them with --rounds`,
  );
  return 0;
}

function describeLasting(rounds: readonly LastingRound[]): string {
  const counts = LASTING.map(({ id }) => {
    const count = rounds.filter(({ game }) => game.id === id).length;
    return `${count} rounds of ${id}`;
  });
  return `${counts.join(', ')}: each paid what its player had worked out from its seed`;
}

async function play(
  site: string,
  { players, spins, rounds }: { players: number; spins: number; rounds: number },
): Promise<readonly Played[]> {
  let done = 0;
  let shown = performance.now();
  const begun = shown;
  const onSpin = () => {
    done++;
    const now = performance.now();
    if (now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    const rate = Math.round(done / ((now - begun) / 1_000));
    const text = `${done} of ${spins + rounds}, ${rate} a second`;
    process.stderr.write(isTerminal() ? `\r\u001b[K${text}` : `${text}\n`);
  };
  // A run of its own wallets each time: a second demo adds players instead of meeting the first ones' keys again.
  const run = Date.now();
  const share = (all: number, index: number) =>
    Math.floor(((index + 1) * all) / players) - Math.floor((index * all) / players);
  const games = Array.from({ length: players }, (_, index) =>
    playAll({
      site,
      seed: run * PLAYERS_MAX + index,
      spins: share(spins, index),
      rounds: share(rounds, index),
      onSpin,
    }),
  );
  const played = await Promise.all(games);
  if (isTerminal()) process.stderr.write('\r\u001b[K');
  return played;
}

function reportReturns(played: readonly Played[]): readonly boolean[] {
  const spins = played.flatMap((one) => one.spins);
  const lasting = LASTING.map(({ id }) => {
    const rounds = played.flatMap((one) => one.rounds).filter(({ game }) => game.id === id);
    return [id, rounds.map(({ begun, ended }) => ({ ...ended, rules: begun.rules }))] as const;
  });
  return [['slot-machine', spins] as const, ...lasting]
    .filter(([, rounds]) => rounds.length > 0)
    .map(([game, rounds]) => reportReturn(game, rounds));
}

function reportReturn(game: string, rounds: readonly PaidRound[]): boolean {
  const band = returnBand(game, rounds);
  const inside = band.low <= band.observed && band.observed <= band.high;
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
  say(
    `return     ${game}: ${percent(band.observed)}, ${inside ? 'inside' : 'OUTSIDE'} its exact 99.9 % band ${percent(band.low)} to ${percent(band.high)} around ${percent(band.expected)}`,
  );
  return inside;
}

/** The boards are projections and may be some milliseconds behind; they must come to equal the recount. */
async function reportBoards(site: string): Promise<boolean> {
  const url = findDatabaseUrl(readSettings());
  if (!url)
    throw new StartError(
      'the recount needs the book: run it beside the standalone or set DATABASE_URL',
    );
  const pool = openPool({ url, role: 'app', max: 1, name: 'demo' });
  try {
    const deadline = performance.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const counted = await recount(pool);
      const faults: string[] = [];
      for (const [path, key] of Object.entries(BOARDS)) {
        const board = await must<readonly BoardEntry[]>(site, `/user/leaderboard/${path}`);
        const fault = compareBoard(board, counted[key as (typeof BOARDS)[keyof typeof BOARDS]]);
        if (fault) faults.push(`${path}: ${fault}`);
      }
      if (faults.length === 0) {
        say(
          `boards     earnings, wins and points equal a plain recount of ${counted.position} events`,
        );
        return true;
      }
      if (performance.now() > deadline) {
        say(`boards     DIFFER: ${faults.join('; ')}`);
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
    }
  } finally {
    await pool.end();
  }
}

function audit(): Promise<boolean> {
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', 'audit'], {
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

await runCommand(main);
