/** At half of one gateway's capacity: time until a spin is acknowledged, pushed, and visible to its player. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { openPool } from '@reelbook/event-store/db';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import type pg from 'pg';
import { WebSocket } from 'ws';
import { quantile } from './measure.ts';
import { openLoop, openPosts } from './open-loop.ts';
import { enter, openStage } from './site.ts';

const PLAYERS = 64;
const SAMPLE_EVERY_MS = 100;
const POLL_MS = 4;
/**
 * Cold processes are many times slower, and a backlog would measure the warm-up: without it, the first 8 s at 700 spins
 * per second had a latency of 3 s, the following seconds 38 ms.
 */
const WARM_UP_S = 12;
const CAUGHT_UP_TIMEOUT_MS = 30_000;
const ALL = projections.map(({ name }) => name);
const BODY = JSON.stringify({ bet_amount: 1, lines: 25 });
const post = openPosts(PLAYERS);

/** In ms, of each spin. */
interface Times {
  readonly acknowledged: number[];
  readonly pushed: number[];
}

export async function benchFlow(options: {
  readonly seconds: number;
  /** Spins per second at fixed times, independent of response times. */
  readonly rate: number;
  print(line: string): void;
}): Promise<void> {
  const { rate, seconds, print } = options;
  const stage = await openStage();
  const [site] = stage.gateways;
  const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 2, name: 'bench' });
  try {
    const tokens = await enter(site, PLAYERS);
    const sockets = await Promise.all(tokens.map((token) => listen(site, token)));
    const play = (seconds: number, times: Times) =>
      openLoop({ rate, seconds }, (due, n) =>
        spin(site, tokens[n % tokens.length] ?? '', due, times),
      );
    await play(WARM_UP_S, { acknowledged: [], pushed: [] });
    const times = { acknowledged: [], pushed: [], visible: [] };
    const sampling = sampleVisible(pool, seconds * 1_000, times.visible);
    await play(seconds, times);
    await sampling;
    const drainedMs = await untilApplied(pool);
    const count = times.acknowledged.length;
    print(`${Math.round(rate)} spins per second for ${seconds} s, ${count} in total`);
    for (const [name, list] of Object.entries<number[]>(times)) {
      list.sort((a, b) => a - b);
      const [half, most] = [quantile(list, 0.5).toFixed(1), quantile(list, 0.99).toFixed(0)];
      print(`${name.padEnd(12)} p50 ${half} ms, p99 ${most} ms`);
    }
    const late = `${drainedMs.toFixed(0)} ms after the last spin`;
    print(`all read models at the head ${late}   (goal: visible p99 under 300 ms)`);
    for (const socket of sockets) socket.close(1000);
  } finally {
    await pool.end();
    await stage.close();
  }
}

async function spin(site: string, token: string, due: number, times: Times): Promise<void> {
  const url = `${site}/api/v1/game/slot-machine/bet`;
  const { position } = await post<{ position: number }>(url, token, BODY);
  times.acknowledged.push(performance.now() - due);
  times.pushed.push((await pushOf(position).at) - due);
  pushes.delete(position);
}

/** Time of the push of a spin by its position: it may arrive before the response. */
const pushes = new Map<number, { readonly at: Promise<number>; arrived(at: number): void }>();

function pushOf(position: number) {
  let arrived = (_at: number) => {};
  const at = new Promise<number>((resolve) => {
    arrived = resolve;
  });
  const push = pushes.get(position) ?? { at, arrived };
  pushes.set(position, push);
  return push;
}

async function listen(site: string, token: string): Promise<WebSocket> {
  const url = `${site.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(url);
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(String(bytes)) as {
      type: string;
      data: { position: number };
    };
    if (type === 'game_result') pushOf(data.position).arrived(performance.now());
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
  return socket;
}

/** Time from reading a head until the slowest read model has passed it. */
async function sampleVisible(pool: pg.Pool, forMs: number, visible: number[]): Promise<void> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    visible.push(await untilApplied(pool));
    await sleep(SAMPLE_EVERY_MS);
  }
}

/** Waits until all read models have applied the ledger as it is now. @returns how long that took, in ms. */
async function untilApplied(pool: pg.Pool): Promise<number> {
  const { position } = await readHead(pool);
  const begun = performance.now();
  for (;;) {
    const all = (await readCheckpoints(pool)).filter(({ name }) => ALL.includes(name));
    const waited = performance.now() - begun;
    if (all.every((one) => one.position >= position)) return waited;
    if (waited > CAUGHT_UP_TIMEOUT_MS) throw new Error('the read models fell behind');
    await sleep(POLL_MS);
  }
}
