/** Rounds of the games that last, played by clients whose gateways may die, and compared with the book. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GameResult, StartResult } from '@reelbook/contract/schemas/games';
import { playerStream } from '@reelbook/ledger/streams';
import type { TestWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import type { Random } from '../faults/schedule.ts';
import { readCommands } from '../verdict/ledger.ts';
import { insist, login } from './insist.ts';
import { workOut } from './work-out.ts';

/** In turn. */
const GAMES = ['tetris', 'snake', 'minesweeper'] as const;
const TRY_AGAIN_MS = 100;
/** Of all rounds: their player goes away and never reports. The sweep must end them. */
const LEAVES_SHARE = 0.3;
/** What is over so soon after the last kill is waited for. A game may last ten minutes: what is over later is left open. */
const OVER_WITHIN_MS = 30_000;
/** Until then all that is waited for must be settled. */
const SETTLED_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 250;

/** A start that was just answered: by which gateway, and how long the round lasts. */
export interface Begun {
  readonly round: string;
  readonly origin: string;
  readonly lastsMs: number;
}

/** What a player knows of a round that it began. */
export interface Known {
  readonly wallet: string;
  readonly begun: StartResult;
  /** What its seed gives, worked out by the player. */
  readonly reward: number;
  /** When its last tick is over, by `performance.now()`. */
  readonly overAtMs: number;
  ended: GameResult | null;
}

interface Playing {
  readonly origins: readonly string[];
  readonly wallet: TestWallet;
  readonly random: Random;
  readonly rounds: Known[];
  readonly faults: string[];
  readonly stop: AbortSignal;
  begun?(begun: Begun): void;
  onLogin?(timeMs: number): void;
}

/** A client that keeps its keys and asks until it is answered, on whichever gateway. Once stopped it leaves its round. */
export async function playOn(o: Playing): Promise<void> {
  const { random, wallet } = o;
  const token = await login(o.origins, random, wallet, o.onLogin);
  for (let n = 0; !o.stop.aborted; n++) {
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
    o.begun?.({ round: data.round_id, origin, lastsMs: known.lastsMs });
    if (random() < LEAVES_SHARE) continue;
    await sleep(known.lastsMs, undefined, { signal: o.stop }).catch(() => {});
    if (o.stop.aborted) return;
    await reportUntilEnded(o, random, { path: `${path}/play`, token, known });
  }
}

function remember(wallet: string, begun: StartResult, rounds: Known[]) {
  const { figures, ticks, reward } = workOut(begun);
  const lastsMs = ticks * begun.tick_ms;
  const known: Known = {
    wallet,
    begun,
    reward,
    overAtMs: performance.now() + lastsMs,
    ended: null,
  };
  rounds.push(known);
  return { known, figures, lastsMs };
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

/**
 * Waits until no round is open that is over by now or soon, then compares the book with what the players know.
 * @returns faults, how many were swept, how many last on, and how long it waited.
 */
export async function examineRounds(
  pool: pg.Pool,
  known: readonly Known[],
): Promise<{
  readonly faults: readonly string[];
  readonly swept: number;
  readonly lasting: number;
  readonly seconds: number;
}> {
  const since = performance.now();
  const lastOn = new Set(
    known
      .filter(({ overAtMs }) => overAtMs > since + OVER_WITHIN_MS)
      .map(({ begun }) => begun.round_id),
  );
  for (;;) {
    const { open, faults, swept } = await compare(pool, known);
    const waited = performance.now() - since;
    const due = open.filter((round) => !lastOn.has(round));
    if (due.length > 0 && waited < SETTLED_TIMEOUT_MS) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    return {
      faults: [...faults, ...due.map((round) => `${round} is open for ever`)],
      ...{ swept, lasting: open.length - due.length, seconds: waited / 1_000 },
    };
  }
}

async function compare(pool: pg.Pool, known: readonly Known[]) {
  const placed = new Set<string>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  const ids = new Set(known.map(({ begun }) => begun.round_id));
  const streams = new Set(known.map(({ wallet }) => playerStream(wallet)));
  let swept = 0;
  for (const { event, meta, stream } of [...(await readCommands(pool)).values()].flat()) {
    if (event.type === 'BetPlaced') {
      const { round } = event.data;
      placed.add(round);
      if (streams.has(stream) && !ids.has(round)) faults.push(`nobody began ${round}`);
    }
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
