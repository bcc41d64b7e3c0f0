import { setTimeout as sleep } from 'node:timers/promises';
import type { GameResult, StartResult } from '@reelbook/contract/schemas/games';
import { claimKey, findClaim } from '@reelbook/event-store/claim';
import type pg from 'pg';
import { createWallet } from '../wallets.ts';
import { workOut } from '../work-out.ts';
import { readCommands } from './book.ts';
import { untilHealed } from './heal.ts';
import { insist, login } from './insist.ts';
import { audit } from './run.ts';
import { createRandom, type Random } from './schedule.ts';
import type { Stage } from './stage.ts';

/** The games that last, in turn. */
const GAMES = ['tetris', 'snake', 'minesweeper'] as const;
const PLAYERS = 12;
const TRY_AGAIN_MS = 100;
/** Down for so long at most: both gateways may be, then nobody is served. */
const DOWN_MAX_MS = 400;
/** Of all rounds: their player goes away and never reports. The sweep must end them. */
const LEAVES_SHARE = 0.3;
/** After the last kill everything must be settled within this time. */
const SETTLED_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 250;
const HEAL_TIMEOUT_MS = 90_000;
const SAY_EVERY = 20;
const FAULTS_SHOWN_MAX = 20;

/** A start that was just answered: by which gateway, and how long the round lasts. */
interface Begun {
  readonly round: string;
  readonly origin: string;
  readonly lastsMs: number;
}

/** What a player knows of a round that it began. */
interface Known {
  readonly wallet: string;
  readonly begun: StartResult;
  /** What its seed gives, worked out by the player. */
  readonly reward: number;
  ended: GameResult | null;
}

interface Between {
  readonly rounds: readonly Known[];
  readonly faults: readonly string[];
}

/** The whole run on a stage that was just set. @returns whether everything holds; all is told to `say`. */
export async function runBetween(o: {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  say(text: string): void;
}): Promise<boolean> {
  const { stage, pool, say } = o;
  const healed = () => untilHealed(stage, pool, HEAL_TIMEOUT_MS);
  const notReady = await healed();
  if (notReady.length > 0) throw new Error(`the start failed: ${notReady.join('; ')}`);
  say(`seed ${o.seed}: ${o.kills} kills of a gateway between stake and settlement`);
  const { rounds, faults } = await killBetween(o);
  const examined = await examineRounds(pool, rounds);
  const reported = rounds.filter(({ ended }) => ended !== null).length;
  say(`rounds     ${rounds.length} begun, ${reported} reported by their players and answered`);
  say(
    `settled    all within ${examined.seconds.toFixed(1)} s of the last kill, each once; ` +
      `${examined.swept} by the sweep of a gateway`,
  );
  const all = [...(await healed()), ...faults, ...examined.faults];
  all.push(...stage.services.flatMap((service) => service.faults));
  if (!(await audit(stage))) all.push('the audit found the book faulty');
  for (const fault of all.slice(0, FAULTS_SHOWN_MAX)) say(`FAULT      ${fault}`);
  const told = `seed ${o.seed}, ${o.kills} kills between stake and settlement`;
  say(
    all.length > 0
      ? `FAULTY     ${told}: ${all.length} faults`
      : `SOUND      ${told}: no round open for ever, none settled twice`,
  );
  return all.length === 0;
}

/**
 * Players begin rounds and report them; each kill waits for a round that has just begun, and ends the gateway that began
 * it, at a random moment before its end is answered. Then all must settle by itself.
 */
async function killBetween(o: {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  say(text: string): void;
}): Promise<Between> {
  const { stage } = o;
  const random = createRandom(o.seed);
  const rounds: Known[] = [];
  const faults: string[] = [];
  const stop = new AbortController();
  let onBegun: ((begun: Begun) => void) | null = null;
  const nextBegun = () =>
    new Promise<Begun>((resolve) => {
      onBegun = resolve;
    });
  const begun = (one: Begun) => onBegun?.(one);
  const players = Array.from({ length: PLAYERS }, (_, index) =>
    playOn({ origins: stage.gateways, seed: o.seed * 1_000 + index, rounds, faults, stop, begun }),
  );
  let kills = 0;
  while (kills < o.kills) {
    const { round, origin, lastsMs } = await nextBegun();
    // Anywhere between the stake and the end of the last tick, when the report is on its way.
    await sleep(random() * lastsMs);
    const service = stage.services.find(
      ({ name }) => name === `gateway-${stage.gateways.indexOf(origin) + 1}`,
    );
    if (!service || service.pid() === null) continue;
    if (await findClaim(o.pool, claimKey(`settle:${round}`))) continue; // over already
    await service.kill(Math.round(random() * DOWN_MAX_MS));
    kills++;
    if (kills % SAY_EVERY === 0) o.say(`${kills}/${o.kills} kills, ${rounds.length} rounds begun`);
  }
  stop.abort();
  await Promise.all(players);
  return { rounds, faults };
}

interface Playing {
  readonly origins: readonly string[];
  readonly seed: number;
  readonly rounds: Known[];
  readonly faults: string[];
  readonly stop: AbortController;
  begun(begun: Begun): void;
}

/** A client that keeps its keys and asks until it is answered, on whichever gateway. */
async function playOn(o: Playing): Promise<void> {
  const random = createRandom(o.seed);
  const wallet = createWallet(o.seed);
  const token = await login(o.origins, random, wallet);
  for (let n = 0; !o.stop.signal.aborted; n++) {
    const game = GAMES[n % GAMES.length] as string;
    const key = `${game}-${n}`;
    const path = `/game/${game}`;
    const started = await insist<StartResult>(o.origins, random, {
      path: `${path}/start`,
      token,
      key,
    });
    if (started.status !== 200) {
      // A round that its player left is not over yet, or the points have run out.
      if (!/open round|insufficient/.test(started.message)) o.faults.push(started.message);
      if (/insufficient/.test(started.message)) return;
      await sleep(TRY_AGAIN_MS);
      continue;
    }
    const known = remember(wallet.address, started.data, o.rounds);
    const { origin, data } = started;
    o.begun({ round: data.round_id, origin, lastsMs: known.lastsMs });
    if (random() < LEAVES_SHARE) continue;
    await sleep(known.lastsMs);
    await reportUntilEnded(o, random, { path: `${path}/play`, token, known });
  }
}

function remember(wallet: string, begun: StartResult, rounds: Known[]) {
  const { figures, ticks, reward } = workOut(begun);
  const known: Known = { wallet, begun, reward, ended: null };
  rounds.push(known);
  return { known, figures, lastsMs: ticks * begun.tick_ms };
}

async function reportUntilEnded(
  o: Playing,
  random: Random,
  { path, token, known }: { path: string; token: string; known: ReturnType<typeof remember> },
): Promise<void> {
  for (;;) {
    const answer = await insist<GameResult>(o.origins, random, {
      path,
      token,
      body: known.figures,
    });
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

/** Waits until no round is open, then compares the book with what the players know. @returns faults, and what was swept. */
async function examineRounds(
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
  const placed = new Set<string>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  let swept = 0;
  for (const { event, meta } of [...(await readCommands(pool)).values()].flat()) {
    if (event.type === 'BetPlaced') placed.add(event.data.round);
    if (event.type !== 'BetWon' && event.type !== 'BetLost') continue;
    const { round } = event.data;
    if (ended.has(round)) faults.push(`${round} is settled twice`);
    ended.set(round, event.type === 'BetWon' ? Number(event.data.payoutMinor) / 100 : 0);
    if (meta.actor === 'system:gateway') swept++;
  }
  for (const { begun, reward, ended: told } of known) {
    const id = begun.round_id;
    if (!placed.has(id)) faults.push(`${id} was answered and is not in the book`);
    const paid = ended.get(id);
    if (paid !== undefined && paid !== reward)
      faults.push(`${id} paid ${paid}, its seed ${reward}`);
    if (told && told.reward !== paid) faults.push(`${id} was told ${told.reward}, paid ${paid}`);
  }
  return { open: [...placed].filter((round) => !ended.has(round)), faults, swept };
}
