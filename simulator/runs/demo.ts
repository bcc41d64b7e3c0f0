import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '@reelbook/event-store/db';
import { endProgress, print, progressLine } from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { must } from '../client/api.ts';
import type { Journal } from '../client/journal.ts';
import { LASTING, Player } from '../client/player.ts';
import { type BoardEntry, compareBoard, recount } from '../verdict/boards.ts';
import { audit, conclude } from '../verdict/conclude.ts';
import { type PaidRound, returnBand } from '../verdict/return-band.ts';
import { verifyRevealed } from '../verdict/revealed.ts';

export interface Demo {
  readonly site: string;
  readonly players: number;
  readonly spins: number;
  /** Of each game that lasts. */
  readonly rounds: number;
  readonly audited: boolean;
}

export const PLAYERS_MAX = 1_000;
const SETTLE_TIMEOUT_MS = 60_000;
const SETTLE_POLL_MS = 100;
const PATIENCE_MS = 60_000;
/** Every spin once, every round to its end; the seeds are rotated in the middle and at the end. */
const ORDERLY = { twice: 0, impatient: 0, rotates: 0, leaves: 0 };
const BOARDS = { deposit: 'earnings', wins: 'wins', points: 'points' } as const;

/** Plays on a running site. @returns whether every check passed. */
export async function runDemo(demo: Demo): Promise<boolean> {
  const started = performance.now();
  const journals = await play(demo);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const spins = journals.flatMap((journal) => journal.spins.flatMap(({ answers }) => answers));
  const rounds = journals.flatMap((journal) => journal.rounds);
  const verified = journals.map(verifyRevealed);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const faults = [
    ...journals.flatMap((journal) => journal.faults),
    ...verified.flatMap((one) => one.faults),
  ];
  print(`played     ${spins.length} spins by ${demo.players} players in ${seconds} s over HTTP`);
  const counts = LASTING.map(({ id }) => `${roundsOf(rounds, id).length} rounds of ${id}`);
  print(`lasting    ${counts.join(', ')}: each paid what its player computed from its seed`);
  print(
    `verified   ${sum(verified.map((one) => one.verified))} rounds by their own players, from revealed seeds`,
  );
  const pushed = sum(journals.map(({ pushes }) => pushes.results));
  print(`pushed     ${pushed} results over /ws, never an older balance after a newer one`);
  const wanted = demo.spins + LASTING.length * demo.rounds;
  const played = spins.length + rounds.filter(({ ended }) => ended !== null).length;
  if (played !== wanted) faults.push(`${played} of ${wanted} rounds were played to their end`);
  const paid = LASTING.map(({ id }) => [id, roundsOf(rounds, id)] as const);
  for (const [game, all] of [['slot-machine', spins] as const, ...paid]) {
    if (all.length > 0) faults.push(...reportReturn(game, all));
  }
  faults.push(...(await reportBoards(demo.site)));
  if (demo.audited) faults.push(...(await audit()));
  return conclude(`${played} rounds`, 'all as their players know it', faults);
}

function roundsOf(rounds: Journal['rounds'], game: string): readonly PaidRound[] {
  return rounds.flatMap(({ begun, ended }) =>
    ended && begun.game === game ? [{ ...ended, rules: begun.rules }] : [],
  );
}

async function play({ site, players, spins, rounds }: Demo): Promise<readonly Journal[]> {
  const progress = progressLine();
  let done = 0;
  const onPlayed = () =>
    progress({ step: 'playing', done: ++done, total: spins + rounds, of: 'rounds' });
  // Wallets of its own each time: a second demo adds players instead of meeting the first ones' keys again.
  const run = Date.now();
  const share = (all: number, index: number) =>
    Math.floor(((index + 1) * all) / players) - Math.floor((index * all) / players);
  const playing = Array.from({ length: players }, async (_, index) => {
    const seed = run * PLAYERS_MAX + index;
    const player = new Player({
      origins: [site],
      seed,
      habits: ORDERLY,
      patienceMs: PATIENCE_MS,
    });
    try {
      await playAll(player, { spins: share(spins, index), rounds: share(rounds, index), onPlayed });
    } finally {
      player.leave();
    }
    return player.journal;
  });
  try {
    return await Promise.all(playing);
  } finally {
    endProgress();
  }
}

/** Ends at the first fault. */
async function playAll(
  player: Player,
  o: { readonly spins: number; readonly rounds: number; onPlayed(): void },
): Promise<void> {
  const { journal } = player;
  await player.enter();
  player.listen();
  for (let n = 0; n < o.spins && journal.faults.length === 0; n++) {
    if (n === Math.floor(o.spins / 2)) await rotate(player);
    const { key, refusal } = await player.spin();
    if (refusal !== null) journal.faults.push(`${key}: ${refusal}`);
    o.onPlayed();
  }
  for (let n = 0; n < o.rounds && journal.faults.length === 0; n++) {
    for (const game of LASTING) {
      const begun = await player.begin(game);
      if (typeof begun === 'string') journal.faults.push(`${game.id}: ${begun}`);
      else await player.end(begun.round);
    }
    o.onPlayed();
  }
  await rotate(player);
  if (!(await player.received())) journal.faults.push('no push of the last round');
}

/** Without an answer it may have happened; repeating it does no harm. */
async function rotate(player: Player): Promise<void> {
  const { rotations } = player.journal;
  const { answered } = rotations;
  const deadline = performance.now() + PATIENCE_MS;
  while (rotations.answered === answered && performance.now() < deadline) await player.rotate();
}

function reportReturn(game: string, rounds: readonly PaidRound[]): readonly string[] {
  const band = returnBand(game, rounds);
  const inside = band.low <= band.observed && band.observed <= band.high;
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
  print(
    `return     ${game}: ${percent(band.observed)}, ${inside ? 'inside' : 'OUTSIDE'} its exact 99.9 % band ${percent(band.low)} to ${percent(band.high)} around ${percent(band.expected)}`,
  );
  return inside ? [] : [`the return of ${game} is outside its band`];
}

/** The boards are projections and may be some milliseconds behind; they must come to equal the recount. */
async function reportBoards(site: string): Promise<readonly string[]> {
  const url = findDatabaseUrl(readSettings());
  if (!url) {
    throw new StartError(
      'the recount needs the ledger: run it on the machine of the standalone or set DATABASE_URL',
    );
  }
  const pool = openPool({ url, role: 'app', max: 1, name: 'demo' });
  try {
    const deadline = performance.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const counted = await recount(pool);
      const faults: string[] = [];
      for (const [path, key] of Object.entries(BOARDS)) {
        const board = await must<readonly BoardEntry[]>(site, `/user/leaderboard/${path}`);
        const fault = compareBoard(board, counted[key as (typeof BOARDS)[keyof typeof BOARDS]]);
        if (fault) faults.push(`the board ${path} differs: ${fault}`);
      }
      if (faults.length === 0) {
        print(
          `boards     earnings, wins and points equal a plain recount of ${counted.position} events`,
        );
      }
      if (faults.length === 0 || performance.now() > deadline) return faults;
      await sleep(SETTLE_POLL_MS);
    }
  } finally {
    await pool.end();
  }
}
