import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '@reelbook/contract/paths';
import type { TestWallet } from '@reelbook/testing/wallets';
import { WebSocket } from 'ws';
import type { Random } from '../faults/schedule.ts';
import { insist, login } from './insist.ts';
import type { Journal, SpinAnswer } from './journal.ts';

const BET = 1;
const PLAY_EVERY_MS = 250;
const OPEN_TIMEOUT_MS = 60_000;
const HEAR_TIMEOUT_MS = 30_000;

/**
 * A player with points and a socket on every gateway plays on each in turn for as long as `more` says, whatever happens
 * to the others meanwhile: every socket must tell of every round, and of the last balance.
 */
export async function hearEverywhere(o: {
  readonly name: string;
  readonly origins: readonly string[];
  readonly random: Random;
  readonly wallet: TestWallet;
  readonly journal: Journal;
  more(rounds: number): boolean;
}): Promise<{ readonly rounds: number; readonly faults: readonly string[] }> {
  const { origins, random, wallet, journal } = o;
  const token = await login(origins, random, wallet, (timeMs) => journal.loginsSent.push(timeMs));
  const sockets = await Promise.all(origins.map((origin) => openSocket(origin, token)));
  const answers: SpinAnswer[] = [];
  while (o.more(answers.length)) {
    const key = `${o.name}-${answers.length}`;
    const path = '/game/slot-machine/bet';
    const body = { bet_amount: BET, lines: 25 };
    const origin = origins[answers.length % origins.length] as string;
    const answer = await insist<SpinAnswer>([origin], random, { path, token, key, body });
    if (answer.status !== 200) throw new Error(`a round to hear of: ${answer.message}`);
    const { data } = answer;
    answers.push(data);
    const spin = { key, betAmount: BET, tries: 1, answers: [data], refusal: null, waitedMs: 0 };
    journal.spins.push(spin);
    await sleep(PLAY_EVERY_MS);
  }
  const wanted = answers.map(({ round_id: id }) => id);
  const version = answers.at(-1)?.stream_version ?? 0;
  const missed = await Promise.all(sockets.map((socket) => socket.missed(wanted, version)));
  for (const socket of sockets) socket.close();
  const faults = missed.flatMap((what, n) =>
    what ? [`the socket on gateway ${n + 1} ${what}`] : [],
  );
  return { rounds: answers.length, faults };
}

interface Listener {
  /** What it does not come to tell of these rounds and of the balance after the last; null: nothing. */
  missed(rounds: readonly string[], version: number): Promise<string | null>;
  close(): void;
}

/** Like a page it comes back when it is closed, to the same gateway, and names the version that it was told last. */
async function openSocket(origin: string, token: string): Promise<Listener> {
  const url = `${origin.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${encodeURIComponent(token)}`;
  const heard = new EventEmitter();
  const rounds = new Set<string>();
  const closes: number[] = [];
  let version = 0;
  let left = false;
  let current = await open();

  async function open(): Promise<WebSocket> {
    const socket = await untilOpen(url);
    socket.on('message', (bytes) => {
      const { type, data } = JSON.parse(String(bytes)) as {
        type: string;
        data: { round_id: string; stream_version: number };
      };
      if (type === 'game_result') rounds.add(data.round_id);
      if (type === 'balance_updated' || type === 'subscribed') {
        version = Math.max(version, data.stream_version);
      }
      heard.emit('more');
    });
    socket.once('close', (code) => {
      if (left) return;
      closes.push(code);
      open().then(
        (again) => {
          current = again;
        },
        () => {},
      );
    });
    const from = version > 0 ? { stream_version: version } : {};
    socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events', ...from } }));
    return socket;
  }

  const until = async (holds: () => boolean) => {
    const signal = AbortSignal.timeout(HEAR_TIMEOUT_MS);
    while (!holds() && !signal.aborted) await once(heard, 'more', { signal }).catch(() => {});
    return holds();
  };
  await until(() => version > 0);
  return {
    async missed(wanted, last) {
      if (await until(() => version >= last && wanted.every((round) => rounds.has(round)))) {
        return null;
      }
      const untold = wanted.filter((round) => !rounds.has(round)).length;
      const closed = `closed with ${closes.join(', ') || 'nothing'}`;
      return `told of version ${version} of ${last}, and not of ${untold} of ${wanted.length} rounds; ${closed}`;
    },
    close() {
      left = true;
      current.close();
    },
  };
}

/** A gateway that was just started may not listen yet. */
async function untilOpen(url: string): Promise<WebSocket> {
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    const socket = new WebSocket(url);
    socket.on('error', () => {});
    try {
      await once(socket, 'open');
      return socket;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(PLAY_EVERY_MS);
    }
  }
}
