import { setTimeout as sleep } from 'node:timers/promises';
import type { Balances } from '@reelbook/contract/common';
import type { Seeds } from '@reelbook/contract/player/fairness';
import type {
  BetResult,
  GameResult,
  Round as ListedRound,
  StartResult,
} from '@reelbook/contract/player/games';
import type { Game } from '@reelbook/games/game';
import { games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import { createRandom, pick, type Random } from '@reelbook/testing/random';
import { createWallet, type TestWallet } from '@reelbook/testing/wallets';
import { type Answer, attempt, type Call, insist, type Persistent } from './api.ts';
import { type Channel, openChannel } from './channel.ts';
import {
  createJournal,
  isAnswered,
  type Journal,
  type Listed,
  type Round,
  type Spin,
} from './journal.ts';
import { workOut } from './work-out.ts';

/** The games that last, played as a page plays them: from the seed of the round alone. */
export const LASTING = games.filter(({ timed }) => timed !== null);
export const SPIN_PATH = '/game/slot-machine/bet';

/** In points. Never more than a hundredth of what is left, so that it lasts however long a slow machine plays. */
const BETS = [1, 5, 10, 1, 2] as const;
const POINTS_AT_FIRST = 1_000;
/** Rounds of a list. */
export const LISTED = 5;
const SHARE_MAX = 0.01;
/** Between two spins of a player: the load of people who are quick, not of a benchmark. */
const THINK_MS = 25;
const TRY_AGAIN_MS = 100;
const IMPATIENT_MAX_MS = 15;
/** A push is late when the bus lost the message and the comparison with the ledger brings it. */
const PUSH_TIMEOUT_MS = 60_000;

/** Shares of what a player does. */
interface Habits {
  /** Shares of all spins: sent to two gateways at the same time; abandoned before an answer can arrive. */
  readonly twice: number;
  readonly impatient: number;
  /** Before a spin, the seeds are rotated, or the balance is read. */
  readonly rotates: number;
  readonly looks: number;
  /** Of all rounds that last: never reported. The sweep must end them. */
  readonly leaves: number;
}
const RESTLESS: Habits = { twice: 0.03, impatient: 0.05, rotates: 0.01, looks: 0.1, leaves: 0.3 };
/** Each spin once, and each round to its end. */
export const ORDERLY: Habits = { twice: 0, impatient: 0, rotates: 0, looks: 0, leaves: 0 };

type Begun = Answer<StartResult> & { readonly round: Round };

/**
 * A client that loses nothing: it keeps what it sends in a journal and retries with the same key, on any gateway, until it
 * is acknowledged. What does not follow from what it knew before is a fault in its journal.
 */
export class Player {
  readonly wallet: TestWallet;
  readonly journal: Journal;
  readonly random: Random;
  readonly #client: Persistent;
  readonly #habits: Habits;
  #token = '';
  #sentence = '';
  /** What the last answer left; null where it is not known, as after a round that a gateway may have ended. */
  #points: number | null = null;
  #seeds: Seeds | null = null;
  /** The highest position of all responses. */
  #known = 0;
  #channel: Channel | null = null;
  #begins = 0;

  /** By default it retries without end. */
  constructor(
    o: Pick<Persistent, 'origins' | 'giveUp' | 'patienceMs' | 'timeoutMs'> & {
      readonly seed: number;
      readonly habits?: Habits;
    },
  ) {
    this.random = createRandom(o.seed);
    this.wallet = createWallet(o.seed);
    this.journal = createJournal(this.wallet.address);
    this.#habits = o.habits ?? RESTLESS;
    this.#client = { ...o, random: this.random, journal: this.journal };
  }

  /** Logs in. @returns the token. */
  async enter(): Promise<string> {
    const { loginsSent } = this.journal;
    this.#sentence ||= (
      await this.insist<{ login_sentence: string }>('/config/system')
    ).data.login_sentence;
    const answer = await insist<{ token: string }>(this.#client, '/auth/login', () => {
      // Each try is a login of its own: an equal one would be refused as replayed.
      const timeMs = Math.max(Date.now(), (loginsSent.at(-1) ?? 0) + 1);
      loginsSent.push(timeMs);
      return { body: this.wallet.login(timeMs, this.#sentence) };
    });
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.message}`);
    this.#token = answer.data.token;
    return this.#token;
  }

  /** Opens the live channel, after a login. */
  listen(): void {
    this.#channel = openChannel({ ...this.#client, token: this.#token, journal: this.journal });
  }

  leave(): void {
    this.#channel?.close();
  }

  /** A call with a key writes once, however often it is sent; one without only reads. */
  async insist<Data>(path: string, call: Call = {}, origins = this.#client.origins) {
    const begun = performance.now();
    const answer = await this.#send<Data>(path, call, origins);
    this.#remember(begun, answer, call.key !== undefined);
    return answer;
  }

  #send<Data>(path: string, call: Call, origins = this.#client.origins) {
    const next = () => ({ token: this.#token, ...call });
    return insist<Data>({ ...this.#client, origins }, path, next);
  }

  async spin(): Promise<Spin> {
    const { journal } = this;
    const betMax = Math.max(1, Math.floor((this.#points ?? POINTS_AT_FIRST) * SHARE_MAX));
    const betAmount = Math.min(pick(this.random, BETS), betMax);
    const key = `spin-${journal.spins.length}`;
    const one: Spin = { key, betAmount, tries: 0, answers: [], refusal: null, waitedMs: 0 };
    journal.spins.push(one);
    const begun = performance.now();
    const call = { body: { bet_amount: betAmount, lines: 25 }, token: this.#token, key };
    for (const answer of await this.#beginOddly(one, call)) this.#take(one, answer);
    if (!isAnswered(one)) {
      const next = () => {
        one.tries++;
        return call;
      };
      this.#take(one, await insist<BetResult>(this.#client, SPIN_PATH, next));
    }
    one.waitedMs = performance.now() - begun;
    const [answer] = one.answers;
    if (answer) this.#remember(begun, { status: 200, data: answer }, true);
    if (answer && this.#points !== null && !follows(one, this.#points, answer)) {
      journal.faults.push(`${key}: ${this.#points} points became ${answer.points_balance}`);
    }
    this.#points = answer?.points_balance ?? this.#points;
    return one;
  }

  /** Some spins go to all gateways at the same time, or are abandoned before an answer can arrive. */
  async #beginOddly(one: Spin, call: Call): Promise<readonly (Answer<BetResult> | null)[]> {
    const { journal, random } = this;
    const { origins, timeoutMs } = this.#client;
    const chance = random();
    if (chance < this.#habits.twice) {
      one.tries += origins.length;
      return Promise.all(
        origins.map((origin) =>
          attempt<BetResult>(origin, SPIN_PATH, { ...call, timeoutMs, journal }),
        ),
      );
    }
    if (chance > this.#habits.twice + this.#habits.impatient) return [];
    one.tries++;
    const impatienceMs = Math.ceil(random() * IMPATIENT_MAX_MS);
    // Its silence is this player's own wish.
    const unserved = { ...journal.unserved };
    const impatient = {
      ...call,
      timeoutMs: impatienceMs,
      journal: { faults: journal.faults, unserved },
    };
    const answer = await attempt<BetResult>(pick(random, origins), SPIN_PATH, impatient);
    journal.unserved.busy = unserved.busy;
    return [answer];
  }

  #take(one: Spin, answer: Answer<BetResult> | null): void {
    if (answer?.status === 200) one.answers.push(answer.data);
    else if (answer) one.refusal = `${answer.status} ${answer.message}`;
    this.#known = Math.max(this.#known, answer?.position ?? 0);
  }

  /** Nothing, if the response has no version. */
  #remember(
    begunMs: number,
    { status, data }: Pick<Answer<unknown>, 'status' | 'data'>,
    writes: boolean,
  ): void {
    const left = (data ?? {}) as Partial<Balances>;
    if (status !== 200 || left.stream_version === undefined) return;
    const { stream_version: version, points_balance, token_balance } = left;
    const balances = { points: points_balance ?? null, tokens: token_balance ?? null };
    this.journal.history.push({
      ...{ writes, begunMs, endedMs: performance.now(), version },
      ...balances,
    });
  }

  /** Reads the balance, with one try. */
  async look(): Promise<void> {
    const { journal, random } = this;
    const begun = performance.now();
    const { origins, timeoutMs } = this.#client;
    const origin = pick(random, origins);
    const call = { token: this.#token, timeoutMs, journal };
    const answer = await attempt<Balances>(origin, '/user/balance', call);
    if (answer) this.#remember(begun, answer, false);
  }

  /** Lists the newest rounds at a gateway, with one try and what the player knows. */
  async list(origin: string): Promise<Omit<Listed, 'by'> | null> {
    const known = this.#known;
    // Its silence is no player's wait.
    const journal = { faults: this.journal.faults, unserved: { busy: 0, silent: 0 } };
    const path = `/game/slot-machine/history?page_size=${LISTED}`;
    const call = { token: this.#token, known, journal };
    const answer = await attempt<{ items: readonly ListedRound[] }>(origin, path, call);
    if (answer?.status !== 200) return null;
    const position = answer.position ?? 0;
    this.#known = Math.max(this.#known, position);
    return { known, position, rounds: answer.data.items.map(({ round_id: id }) => id) };
  }

  /** Rotates the seeds, with one try and no key: without an answer it may have happened. */
  async rotate(): Promise<void> {
    const { journal, random } = this;
    const { rotations, revealed } = journal;
    // Only where no rotation is on its way.
    if (rotations.sent === rotations.answered) {
      this.#seeds ??= (await this.insist<Seeds>('/fairness/seeds')).data;
    }
    rotations.sent++;
    const body = { client_seed: `seed-${rotations.sent}` };
    const begunMs = performance.now();
    const call = { body, token: this.#token, timeoutMs: this.#client.timeoutMs, journal };
    const answer = await attempt<Seeds>(
      pick(random, this.#client.origins),
      '/fairness/rotate',
      call,
    );
    const before = this.#seeds;
    const after = answer?.status === 200 ? answer.data : null;
    this.#seeds = after;
    if (!after) return;
    rotations.answered++;
    const made = { version: { pair: after.pair }, points: null, tokens: null };
    journal.history.push({ writes: true, begunMs, endedMs: performance.now(), ...made });
    for (const one of after.revealed) revealed.set(one.server_seed_hash, one.server_seed);
    if (before) journal.faults.push(...brokenPromises(before, after));
  }

  /** Begins a round of a game that lasts. @returns it, or why it was refused. */
  async begin(game: Game): Promise<Begun | string> {
    this.#points = null;
    const key = `${game.id}-${this.#begins++}`;
    const path = `/game/${game.id}/start`;
    const started = await this.insist<StartResult>(path, { method: 'POST', key });
    if (started.status !== 200) return started.message;
    const { reward, ticks } = workOut(started.data);
    const lastsMs = ticks * started.data.tick_ms;
    const known = { wallet: this.wallet.address, begun: started.data, reward, lastsMs };
    const begunAtMs = performance.now();
    const times = { begunAtMs, overAtMs: begunAtMs + lastsMs };
    const round: Round = { ...known, ...times, ended: null };
    this.journal.rounds.push(round);
    return { ...started, round };
  }

  /** Waits until its ticks are over and reports it; leaves it when `stop` aborts first. */
  async end(round: Round, stop?: AbortSignal): Promise<void> {
    const { begun } = round;
    const { faults } = this.journal;
    const leftMs = Math.max(0, round.overAtMs - performance.now());
    await sleep(leftMs, undefined, stop ? { signal: stop } : {}).catch(() => {});
    const body = workOut(begun).figures;
    while (!stop?.aborted) {
      const answer = await this.#send<GameResult & { error?: string; ms_left?: number }>(
        `/game/${begun.game}/play`,
        { body },
      );
      if (answer.status === 200) {
        // A gateway may have settled it before, at any time since it began.
        this.#remember(round.begunAtMs, answer, false);
        round.ended = answer.data;
        const { round_id: id, reward } = answer.data;
        const paid = `${begun.round_id}: ${id} paid ${reward}; its seed ${round.reward}`;
        if (id !== begun.round_id || reward !== round.reward) faults.push(paid);
        return;
      }
      // A report that comes some milliseconds too soon, by another clock, is sent again.
      if (answer.data.error !== 'round-too-soon') {
        faults.push(`${begun.round_id}: ${answer.message}`);
        return;
      }
      await sleep(Math.max(1, answer.data.ms_left ?? 1));
    }
  }

  /** Enters, listens and spins until `stop` aborts, and then until the last spin is acknowledged or given up. */
  play(stop: AbortSignal): Promise<void> {
    return this.#unlessGivenUp(async () => {
      await this.enter();
      this.listen();
      while (!stop.aborted) {
        if (this.random() < this.#habits.rotates) await this.rotate();
        if (this.random() < this.#habits.looks) await this.look();
        // Out of points: bad luck, and no reason to ask again.
        if ((await this.spin()).refusal !== null) return;
        await sleep(THINK_MS * 2 * this.random());
      }
    });
  }

  /** Enters and plays the games that last, in turn; `begun` gets each round and its gateway. */
  playLasting(stop: AbortSignal, begun?: (round: Round, origin: string) => void): Promise<void> {
    return this.#unlessGivenUp(async () => {
      await this.enter();
      for (let n = 0; !stop.aborted; n++) {
        const started = await this.begin(LASTING[n % LASTING.length] as Game);
        if (typeof started !== 'string') {
          begun?.(started.round, started.origin);
          if (this.random() >= this.#habits.leaves) await this.end(started.round, stop);
          continue;
        }
        // A round that its player left is not over yet, or the points have run out.
        if (!/open round|insufficient/.test(started)) this.journal.faults.push(started);
        if (/insufficient/.test(started)) return;
        await sleep(TRY_AGAIN_MS);
      }
    });
  }

  async #unlessGivenUp(playing: () => Promise<void>): Promise<void> {
    try {
      await playing();
    } catch (error) {
      if (!this.#client.giveUp?.aborted) this.journal.faults.push(String(error));
    }
  }

  /** Spins again. @returns the time in ms until the push, or null if none came within some seconds. */
  async spinAndWait(): Promise<number | null> {
    const begun = performance.now();
    let received = false;
    await this.#unlessGivenUp(async () => {
      const [answer] = (await this.spin()).answers;
      received = answer !== undefined && (await this.#waitForPush(answer));
    });
    return received ? performance.now() - begun : null;
  }

  /** Whether the push of its last result, and so of all before it, comes within some seconds. */
  received(): Promise<boolean> {
    const spun = this.journal.spins.findLast(isAnswered)?.answers[0];
    const ended = this.journal.rounds.findLast((round) => round.ended !== null)?.ended;
    const version = Math.max(spun?.stream_version ?? 0, ended?.stream_version ?? 0);
    return this.#waitForPush({ stream_version: version });
  }

  async #waitForPush({ stream_version: version }: { stream_version: number }): Promise<boolean> {
    return (await this.#channel?.reached(version, PUSH_TIMEOUT_MS)) ?? false;
  }
}

/** Whether an answer leaves what the stake and the win make of the points before. */
function follows({ betAmount }: Spin, before: number, answer: BetResult): boolean {
  const [had, has, won, staked] = [before, answer.points_balance, answer.total_win, betAmount].map(
    (points) => toMinor('points', points) ?? 0n,
  ) as [bigint, bigint, bigint, bigint];
  return has === had - staked + won;
}

/** What a rotation should have revealed and made active, by the seeds before it. */
function brokenPromises(before: Seeds, after: Seeds): readonly string[] {
  const isRevealed = after.revealed[0]?.server_seed_hash === before.active.server_seed_hash;
  const isNext = after.active.server_seed_hash === before.next.server_seed_hash;
  return [
    ...(isRevealed ? [] : ['the revealed seed is not the one that was active']),
    ...(isNext ? [] : ['the active seed is not the one that was promised']),
  ];
}
