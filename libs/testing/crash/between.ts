/** `npm run crash -- --between N`: kills a gateway between stake and settlement, N times, and proves that nothing is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GameResult, StartResult } from '@reelbook/contract/schemas/games';
import { readLog } from '@reelbook/event-store/read-log';
import { createDrawsOfRound } from '@reelbook/fairness/draw';
import { findGame } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import type pg from 'pg';
import { createWallet } from '../wallets.ts';
import { createRandom, pick, type Random } from './schedule.ts';
import type { Stage } from './stage.ts';

/** The games that last, in turn. */
const GAMES = ['tetris', 'snake', 'minesweeper'] as const;
const PLAYERS = 12;
const CALL_TIMEOUT_MS = 8_000;
const TRY_AGAIN_MS = 100;
/** Down for so long at most: both gateways may be, then nobody is served. */
const DOWN_MAX_MS = 400;
/** Of all rounds: their player goes away and never reports. The sweep must end them. */
const LEAVES_SHARE = 0.3;
/** After the last kill everything must be settled within this time. */
const SETTLED_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 250;
const EVENTS_PER_READ = 5_000;

/** What a player knows of a round that it began. */
interface Known {
  readonly wallet: string;
  readonly begun: StartResult;
  /** What its seed gives, worked out by the player. */
  readonly reward: number;
  ended: GameResult | null;
}

export interface Between {
  readonly kills: number;
  /** Kills that met a round whose stake stood in the book and whose settlement did not. */
  readonly met: number;
  readonly rounds: readonly Known[];
  readonly faults: readonly string[];
}

/**
 * Players begin rounds and report them; each kill waits for a round that has just begun, and ends the gateway that began
 * it, at a random moment before its end is answered. Then all must settle by itself.
 */
export async function killBetween(o: {
  readonly stage: Stage;
  readonly kills: number;
  readonly seed: number;
  say(text: string): void;
}): Promise<Between> {
  const { stage } = o;
  const random = createRandom(o.seed);
  const rounds: Known[] = [];
  const faults: string[] = [];
  const stop = new AbortController();
  /** Told of each start: through which gateway, and how long the round lasts. */
  let onBegun: ((at: { origin: string; lastsMs: number }) => void) | null = null;
  const begun = (origin: string, lastsMs: number) => onBegun?.({ origin, lastsMs });
  const players = Array.from({ length: PLAYERS }, (_, index) =>
    playOn({ origins: stage.gateways, seed: o.seed * 1_000 + index, rounds, faults, stop, begun }),
  );
  let met = 0;
  for (let n = 1; n <= o.kills; n++) {
    const { origin, lastsMs } = await new Promise<{ origin: string; lastsMs: number }>(
      (resolve) => {
        onBegun = resolve;
      },
    );
    onBegun = null;
    // Anywhere between the stake and a little after the last tick, when the report is on its way.
    await sleep(random() * (lastsMs + 30));
    met += rounds.some(({ ended }) => ended === null) ? 1 : 0;
    const index = stage.gateways.indexOf(origin);
    const service = stage.services.find(({ name }) => name === `gateway-${index + 1}`);
    if (service?.pid() === null || !service) {
      n--;
      continue;
    }
    await service.kill(Math.round(random() * DOWN_MAX_MS));
    if (n % 20 === 0) o.say(`${String(n).padStart(5)}/${o.kills}  kills; ${rounds.length} rounds`);
  }
  stop.abort();
  await Promise.all(players);
  return { kills: o.kills, met, rounds, faults };
}

interface Playing {
  readonly origins: readonly string[];
  readonly seed: number;
  readonly rounds: Known[];
  readonly faults: string[];
  readonly stop: AbortController;
  begun(origin: string, lastsMs: number): void;
}

/** A client that keeps its keys and asks until it is answered, on whichever gateway. */
async function playOn(o: Playing): Promise<void> {
  const random = createRandom(o.seed);
  const wallet = createWallet(o.seed);
  const token = await login(o, random, wallet);
  for (let n = 0; !o.stop.signal.aborted; n++) {
    const game = GAMES[n % GAMES.length] as string;
    const key = `${game}-${n}`;
    const path = `/game/${game}`;
    const started = await insist<StartResult>(o, random, { path: `${path}/start`, token, key });
    if (started.status !== 200) {
      // A round that its player left is not over yet, or the points have run out.
      if (!/open round|insufficient/.test(started.message)) o.faults.push(started.message);
      if (/insufficient/.test(started.message)) return;
      await sleep(TRY_AGAIN_MS);
      continue;
    }
    const known = remember(wallet.address, started.data, o.rounds);
    o.begun(started.origin, known.lastsMs);
    if (random() < LEAVES_SHARE) continue;
    await sleep(known.lastsMs);
    await reportUntilEnded(o, random, { path: `${path}/play`, token, known });
  }
}

function remember(wallet: string, begun: StartResult, rounds: Known[]) {
  const game = findGame(begun.game);
  if (!game?.timed) throw new Error(`${begun.game} lasts`);
  const draws = { ...createDrawsOfRound(begun.round_seed), roundSeed: () => begun.round_seed };
  const stakeMinor = toMinor('points', begun.bet_amount) ?? 0n;
  const drawn = game.draw({ rules: begun.rules, stakeMinor, lines: 1, draws });
  const reward = Number(drawn.payoutMinor) / 100;
  const known: Known = { wallet, begun, reward, ended: null };
  rounds.push(known);
  const lastsMs = game.timed.ticksOf(drawn.outcome) * begun.tick_ms;
  return { known, lastsMs, figures: game.timed.reportOf(drawn.outcome) };
}

async function reportUntilEnded(
  o: Playing,
  random: Random,
  { path, token, known }: { path: string; token: string; known: ReturnType<typeof remember> },
): Promise<void> {
  for (;;) {
    const answer = await insist<GameResult>(o, random, { path, token, body: known.figures });
    if (answer.status === 200) {
      known.known.ended = answer.data;
      if (answer.data.round_id !== known.known.begun.round_id) {
        o.faults.push(`${known.known.begun.round_id} was answered with ${answer.data.round_id}`);
      }
      return;
    }
    if (!/not over yet/.test(answer.message)) {
      o.faults.push(`${known.known.begun.round_id}: ${answer.message}`);
      return;
    }
    await sleep(1);
  }
}

async function login(o: Playing, random: Random, wallet: ReturnType<typeof createWallet>) {
  let timeMs = Date.now();
  for (;;) {
    timeMs = Math.max(Date.now(), timeMs + 1);
    const answer = await send<{ token: string }>(pick(random, o.origins), {
      path: '/auth/login',
      body: wallet.login(timeMs),
    });
    if (answer?.status === 200) return answer.data.token;
    await sleep(TRY_AGAIN_MS);
  }
}

interface Call {
  readonly path: string;
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
}

interface Answered<Data> {
  readonly status: number;
  readonly message: string;
  readonly data: Data;
  readonly origin: string;
}

/** Asks again, on any gateway, until one has answered for good. */
async function insist<Data>(o: Playing, random: Random, call: Call): Promise<Answered<Data>> {
  for (;;) {
    const answer = await send<Data>(pick(random, o.origins), call);
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    await sleep(TRY_AGAIN_MS * (0.5 + random()));
  }
}

async function send<Data>(origin: string, call: Call): Promise<Answered<Data> | null> {
  try {
    const response = await fetch(`${origin}/api/v1${call.path}`, {
      method: 'POST',
      headers: {
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
        ...(call.key ? { 'idempotency-key': call.key } : {}),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const { message, data } = (await response.json()) as { message: string; data: Data };
    return { status: response.status, message, data, origin };
  } catch {
    return null; // its gateway died
  }
}

/** Waits until no round is open, then compares the book with what the players know. @returns faults, and what was swept. */
export async function examineRounds(
  pool: pg.Pool,
  known: readonly Known[],
): Promise<{
  readonly faults: readonly string[];
  readonly swept: number;
  readonly seconds: number;
}> {
  const since = performance.now();
  for (;;) {
    const { open, faults, swept } = await compare(pool, known);
    const seconds = (performance.now() - since) / 1_000;
    if (open.length === 0) return { faults, swept, seconds };
    if (seconds * 1_000 > SETTLED_TIMEOUT_MS) {
      return {
        faults: [...faults, ...open.map((round) => `${round} is open for ever`)],
        swept,
        seconds,
      };
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function compare(pool: pg.Pool, known: readonly Known[]) {
  const placed = new Map<string, bigint>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  let swept = 0;
  for (let from = 1; ; from += EVENTS_PER_READ) {
    const events = await readLog(pool, { from, limit: EVENTS_PER_READ });
    for (const { event, meta } of events) {
      if (event.type === 'BetPlaced') placed.set(event.data.round, event.data.stakeMinor);
      if (event.type !== 'BetWon' && event.type !== 'BetLost') continue;
      const { round } = event.data;
      if (ended.has(round)) faults.push(`${round} is settled twice`);
      ended.set(round, event.type === 'BetWon' ? Number(event.data.payoutMinor) / 100 : 0);
      if (meta.actor === 'system:gateway') swept++;
    }
    if (events.length < EVENTS_PER_READ) break;
  }
  for (const { begun, reward, ended: told } of known) {
    const id = begun.round_id;
    if (!placed.has(id)) faults.push(`${id} was answered and is not in the book`);
    const paid = ended.get(id);
    if (paid !== undefined && paid !== reward)
      faults.push(`${id} paid ${paid}, its seed ${reward}`);
    if (told && told.reward !== paid) faults.push(`${id} was told ${told.reward}, paid ${paid}`);
  }
  return { open: [...placed.keys()].filter((round) => !ended.has(round)), faults, swept };
}
