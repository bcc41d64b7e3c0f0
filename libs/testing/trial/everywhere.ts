import { once } from 'node:events';
import { SOCKET_PATH } from '@reelbook/contract/paths';
import { WebSocket } from 'ws';
import { insist, login } from '../crash/insist.ts';
import type { Journal, SpinAnswer } from '../crash/journal.ts';
import type { Random } from '../crash/schedule.ts';
import type { TestWallet } from '../wallets.ts';

const ROUNDS = 12;
const BET = 1;
const HEAR_TIMEOUT_MS = 30_000;

/**
 * A player with points and a socket on every gateway plays on each in turn: every socket must tell of every round, and
 * of the last balance. @returns faults.
 */
export async function hearEverywhere(o: {
  readonly origins: readonly string[];
  readonly random: Random;
  readonly wallet: TestWallet;
  readonly journal: Journal;
}): Promise<readonly string[]> {
  const { origins, random, wallet, journal } = o;
  const token = await login(origins, random, wallet, (timeMs) => journal.loginsSent.push(timeMs));
  const sockets = await Promise.all(origins.map((origin) => openSocket(origin, token)));
  const answers: SpinAnswer[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const key = `everywhere-${n}`;
    const path = '/game/slot-machine/bet';
    const body = { bet_amount: BET, lines: 25 };
    const origin = origins[n % origins.length] as string;
    const { data } = await insist<SpinAnswer>([origin], random, { path, token, key, body });
    answers.push(data);
    const spin = { key, betAmount: BET, tries: 1, answers: [data], refusal: null, waitedMs: 0 };
    journal.spins.push(spin);
  }
  const wanted = answers.map(({ round_id: id }) => id);
  const version = answers.at(-1)?.stream_version ?? 0;
  const heard = await Promise.all(sockets.map((socket) => socket.hears(wanted, version)));
  for (const socket of sockets) socket.close();
  return heard.flatMap((all, n) => (all ? [] : [`gateway ${n + 1} did not push every round`]));
}

interface Listener {
  /** Whether it comes to tell of all these rounds and of the balance after the last. */
  hears(rounds: readonly string[], version: number): Promise<boolean>;
  close(): void;
}

async function openSocket(origin: string, token: string): Promise<Listener> {
  const url = `${origin.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(url);
  const rounds = new Set<string>();
  let version = 0;
  let subscribed = false;
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(String(bytes)) as {
      type: string;
      data: { round_id: string; stream_version: number };
    };
    subscribed ||= type === 'subscribed';
    if (type === 'game_result') rounds.add(data.round_id);
    if (type === 'balance_updated') version = Math.max(version, data.stream_version);
    socket.emit('heard');
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
  const until = async (holds: () => boolean) => {
    const signal = AbortSignal.timeout(HEAR_TIMEOUT_MS);
    while (!holds() && !signal.aborted) await once(socket, 'heard', { signal }).catch(() => {});
    return holds();
  };
  await until(() => subscribed);
  return {
    hears: (wanted, last) =>
      until(() => version >= last && wanted.every((round) => rounds.has(round))),
    close: () => socket.close(),
  };
}
