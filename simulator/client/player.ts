import { setTimeout as sleep } from 'node:timers/promises';
import { createWallet } from '@reelbook/testing/wallets';
import { createRandom, pick, type Random } from '../faults/schedule.ts';
import { type Channel, openChannel } from './channel.ts';
import { createJournal, isAnswered, type Journal, type Spin, type SpinAnswer } from './journal.ts';
import { type Sending, type Sent, send } from './send.ts';

/** Whole points. Never more than a hundredth of what is left, so that it lasts however long a slow machine plays. */
const BETS = [1, 5, 10, 1, 2] as const;
const POINTS_AT_FIRST = 1_000;
const SHARE_MAX = 0.01;
/** Between two spins of a player: the load of people who are quick, not of a benchmark. */
const THINK_MS = 25;
const TRY_AGAIN_MS = 150;
/** Of all spins: sent to both gateways at once, and given up on before an answer can have come. */
const TWICE_SHARE = 0.03;
const IMPATIENT_SHARE = 0.05;
const IMPATIENT_MAX_MS = 15;
/** A push is late when the courier lost the message and the comparison with the book brings it. */
const PUSH_TIMEOUT_MS = 15_000;
const ROTATE_SHARE = 0.01;

/** A client that loses nothing: it asks again, with the same key, on whichever gateway, until it has its answer. */
export interface Player {
  readonly journal: Journal;
  /** Plays until `stop` aborts, and then until its last spin is answered, or `giveUp` aborts. */
  play(stop: AbortSignal, giveUp: AbortSignal): Promise<void>;
  /** One more spin; the time in ms until its channel had told of it, or null if it did not within some seconds. */
  spinAndHear(giveUp: AbortSignal): Promise<number | null>;
  /** Whether its channel comes to tell of its last answer, and so of all before, within some seconds. */
  heardOf(): Promise<boolean>;
  leave(): void;
}

export function createPlayer(o: {
  readonly origins: readonly string[];
  readonly seed: number;
}): Player {
  const random = createRandom(o.seed);
  const wallet = createWallet(o.seed);
  const journal = createJournal(wallet.address);
  const state = { token: '', points: POINTS_AT_FIRST };
  let channel: Channel | null = null;

  const insist = (giveUp: AbortSignal, next: () => Sending) =>
    insistOn({ origins: o.origins, random, journal, giveUp, next });

  async function enter(giveUp: AbortSignal): Promise<void> {
    const answer = await insist(giveUp, () => {
      // Each try is a login of its own: an equal one would be refused as replayed.
      const timeMs = Math.max(Date.now(), (journal.loginsSent.at(-1) ?? 0) + 1);
      journal.loginsSent.push(timeMs);
      return { path: '/auth/login', body: wallet.login(timeMs) };
    });
    if (answer?.kind !== 'answer' || answer.status !== 200) {
      journal.faults.push(`login: ${answer?.kind === 'answer' ? answer.message : 'no answer'}`);
      return;
    }
    state.token = (answer.data as { token: string }).token;
    channel = openChannel({ origins: o.origins, token: state.token, journal, random });
  }

  async function spin(giveUp: AbortSignal): Promise<Spin> {
    const n = journal.spins.length;
    const betMax = Math.max(1, Math.floor(state.points * SHARE_MAX));
    const betAmount = Math.min(pick(random, BETS), betMax);
    const one: Spin = {
      key: `spin-${n}`,
      betAmount,
      tries: 0,
      answers: [],
      refusal: null,
      waitedMs: 0,
    };
    journal.spins.push(one);
    const begun = performance.now();
    const body = { bet_amount: betAmount, lines: 25 };
    const sending = { path: '/game/slot-machine/bet', body, token: state.token, key: one.key };
    const hear = (sent: Sent) => take(one, sent);
    for (const sent of await beginOddly({ ...o, random, journal, spin: one, sending })) hear(sent);
    if (!isAnswered(one)) {
      const sent = await insist(giveUp, () => {
        one.tries++;
        return sending;
      });
      if (sent) hear(sent);
    }
    one.waitedMs = performance.now() - begun;
    state.points = one.answers[0]?.points_balance ?? state.points;
    return one;
  }

  async function rotate(): Promise<void> {
    journal.rotations.sent++;
    const body = { client_seed: `seed-${journal.rotations.sent}` };
    const sending = { path: '/fairness/rotate', body, token: state.token };
    const sent = await send(pick(random, o.origins), sending);
    note(journal, sent);
    if (sent.kind === 'answer' && sent.status === 200) journal.rotations.answered++;
  }

  return {
    journal,
    async play(stop, giveUp) {
      await enter(giveUp);
      while (!stop.aborted && state.token !== '') {
        if (random() < ROTATE_SHARE) await rotate();
        const { refusal } = await spin(giveUp);
        // Out of points: bad luck, and no reason to ask again.
        if (refusal !== null) return;
        await sleep(THINK_MS * 2 * random());
      }
    },
    async spinAndHear(giveUp) {
      const begun = performance.now();
      const [answer] = (await spin(giveUp)).answers;
      if (!answer || !(await channel?.reached(answer.stream_version, PUSH_TIMEOUT_MS))) return null;
      return performance.now() - begun;
    },
    async heardOf() {
      const version = journal.spins.findLast(isAnswered)?.answers[0]?.stream_version ?? 0;
      return (await channel?.reached(version, PUSH_TIMEOUT_MS)) ?? false;
    },
    leave: () => channel?.close(),
  };
}

/** Tries until there is an answer; null when it gave up. */
async function insistOn(o: {
  readonly origins: readonly string[];
  readonly random: Random;
  readonly journal: Journal;
  readonly giveUp: AbortSignal;
  next(): Sending;
}): Promise<Sent | null> {
  while (!o.giveUp.aborted) {
    const sent = await send(pick(o.random, o.origins), o.next());
    note(o.journal, sent);
    if (sent.kind === 'answer') return sent;
    await sleep(TRY_AGAIN_MS);
  }
  return null;
}

/** Now and then a spin goes to both gateways at once, or is given up on before an answer can have come. */
async function beginOddly(o: {
  readonly origins: readonly string[];
  readonly random: Random;
  readonly journal: Journal;
  readonly spin: Spin;
  readonly sending: Sending;
}): Promise<readonly Sent[]> {
  const { journal, origins, random, sending, spin } = o;
  const chance = random();
  if (chance < TWICE_SHARE) {
    spin.tries += 2;
    const both = await Promise.all(origins.map((origin) => send(origin, sending)));
    for (const sent of both) note(journal, sent);
    return both;
  }
  if (chance > TWICE_SHARE + IMPATIENT_SHARE) return [];
  spin.tries++;
  const patienceMs = Math.ceil(random() * IMPATIENT_MAX_MS);
  const sent = await send(pick(random, origins), { ...sending, patienceMs });
  // Its silence was this player's own wish.
  if (sent.kind !== 'silence') note(journal, sent);
  return [sent];
}

function note({ faults, unserved }: Journal, sent: Sent): void {
  if (sent.kind === 'fault') faults.push(sent.fault);
  if (sent.kind === 'busy') unserved.busy++;
  if (sent.kind === 'silence') unserved.silent++;
}

function take(spin: Spin, sent: Sent): void {
  if (sent.kind !== 'answer') return;
  if (sent.status === 200) spin.answers.push(sent.data as SpinAnswer);
  else spin.refusal = `${sent.status} ${sent.message}`;
}
