/** At half of one gateway's capacity: time until a spin is acknowledged, pushed, and visible to its player. */
import { Agent, request } from 'node:http';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { openPool } from '@reelbook/event-store/db';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import type pg from 'pg';
import { WebSocket } from 'ws';
import { quantile } from './measure.ts';
import { enter, withStage } from './site.ts';

const PLAYERS = 64;
const SAMPLE_EVERY_MS = 100;
const POLL_MS = 4;
/**
 * Cold processes are many times slower, and a backlog would measure the warm-up: without it, the first 8 s at 700 spins
 * per second had a latency of 3 s, the following seconds 38 ms.
 */
const WARM_UP_S = 12;
const DRAIN_TIMEOUT_MS = 30_000;
/** What a player sees after a spin: balance, history, transactions. Other read models have their own interval. */
const WAITED_FOR = projections.filter(({ paceMs }) => !paceMs).map(({ name }) => name);
const ALL = projections.map(({ name }) => name);

export interface FlowOptions {
  readonly seconds: number;
  /** Sends spins at fixed times, independent of response times. */
  readonly rate: number;
  print(line: string): void;
}

export async function benchFlow(options: FlowOptions): Promise<void> {
  await withStage(async (stage) => {
    const [site] = stage.gateways;
    const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 2, name: 'bench' });
    const tokens = await enter(site, PLAYERS);
    const listeners = new Map<number, (at: number) => void>();
    const sockets = await Promise.all(tokens.map((token) => listen(site, token, listeners)));
    const none = { acknowledged: [], pushed: [] };
    await openLoop(site, tokens, { rate: options.rate, seconds: WARM_UP_S }, none, listeners);
    const times = { acknowledged: [] as number[], pushed: [] as number[], visible: [] as number[] };
    const sampling = sampleVisible(pool, options.seconds * 1_000, times.visible);
    await openLoop(site, tokens, options, times, listeners);
    await sampling;
    const drained = await drain(pool);
    report(options, times, drained);
    for (const socket of sockets) socket.close(1000);
    await pool.end();
  });
}

async function openLoop(
  site: string,
  tokens: readonly string[],
  options: Pick<FlowOptions, 'rate' | 'seconds'>,
  times: { acknowledged: number[]; pushed: number[] },
  listeners: Map<number, (at: number) => void>,
): Promise<void> {
  const begun = performance.now();
  const total = Math.round(options.rate * options.seconds);
  const open: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const due = begun + (n * 1_000) / options.rate;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    open.push(spin(site, tokens[n % tokens.length] ?? '', due, times, listeners));
  }
  await Promise.all(open);
}

/** Latency counts from the scheduled time of the spin, so that a stall affects all spins that wait for it. */
async function spin(
  site: string,
  token: string,
  due: number,
  times: { acknowledged: number[]; pushed: number[] },
  listeners: Map<number, (at: number) => void>,
): Promise<void> {
  const response = await bet(site, token);
  times.acknowledged.push(performance.now() - due);
  const at = await new Promise<number>((resolve) => {
    const early = arrived.get(response.position);
    if (early === undefined) listeners.set(response.position, resolve);
    else resolve(early);
  });
  arrived.delete(response.position);
  times.pushed.push(at - due);
}

const agent = new Agent({ keepAlive: true, maxSockets: PLAYERS });
const BODY = JSON.stringify({ bet_amount: 1, lines: 25 });

/** Plain node:http: `fetch` would use more of the machine than the gateway under test. */
function bet(site: string, token: string): Promise<{ position: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${site}/api/v1/game/slot-machine/bet`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': BODY.length,
      },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode !== 200) reject(new Error(`a bet returned ${text}`));
        else resolve((JSON.parse(text) as { data: { position: number } }).data);
      });
    });
    sent.end(BODY);
  });
}

/** Pushes that arrived before the response, by position. */
const arrived = new Map<number, number>();

async function listen(site: string, token: string, listeners: Map<number, (at: number) => void>) {
  const url = `${site.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(url);
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(String(bytes)) as {
      type: string;
      data: { position: number };
    };
    if (type !== 'game_result') return;
    const at = performance.now();
    const waiting = listeners.get(data.position);
    if (!waiting) arrived.set(data.position, at);
    else {
      listeners.delete(data.position);
      waiting(at);
    }
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
  return socket;
}

/** Time from reading a head until the slowest read model that a player waits for has passed it. */
async function sampleVisible(pool: pg.Pool, forMs: number, visible: number[]): Promise<void> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const { position } = await readHead(pool);
    const begun = performance.now();
    while ((await slowest(pool, WAITED_FOR)) < position) await pause(POLL_MS);
    visible.push(performance.now() - begun);
    await pause(SAMPLE_EVERY_MS);
  }
}

async function slowest(pool: pg.Pool, names: readonly string[]): Promise<number> {
  const all = await readCheckpoints(pool);
  return Math.min(...all.filter(({ name }) => names.includes(name)).map((one) => one.position));
}

/** Time that the read models need to reach the head after the last spin. */
async function drain(pool: pg.Pool): Promise<number> {
  const begun = performance.now();
  const { position } = await readHead(pool);
  while ((await slowest(pool, ALL)) < position) {
    if (performance.now() - begun > DRAIN_TIMEOUT_MS)
      throw new Error('the read models fell behind');
    await pause(POLL_MS);
  }
  return performance.now() - begun;
}

function report(
  options: FlowOptions,
  times: { acknowledged: number[]; pushed: number[]; visible: number[] },
  drainedMs: number,
): void {
  options.print(
    `${Math.round(options.rate)} spins per second for ${options.seconds} s, ${times.acknowledged.length} in total`,
  );
  for (const [name, list] of Object.entries(times)) {
    list.sort((a, b) => a - b);
    options.print(
      `${name.padEnd(12)} p50 ${quantile(list, 0.5).toFixed(1)} ms, p99 ${quantile(list, 0.99).toFixed(0)} ms`,
    );
  }
  options.print(
    `all read models at the head ${drainedMs.toFixed(0)} ms after the last spin   (goal: p50 under 25 ms)`,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
