import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { RUN } from '@reelbook/runtime/repository';
import { must } from '@reelbook/simulator/client/api';
import { type Stage, startStage } from '@reelbook/simulator/stages/processes';
import { NOWHERE, openServices } from '@reelbook/simulator/stages/services';
import { createWallet } from '@reelbook/testing/wallets';
import { echoToken } from './echo-token.ts';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const LOGINS_IN_PARALLEL = 32;

/** All services as separate processes, with Postgres and, if configured, NATS. */
export async function withStage<T>(act: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await startStage();
  try {
    await ready(`${stage.gateways[0]}/ready`);
    return await act(stage);
  } finally {
    await stage.stop();
    stage.remove();
  }
}

/** One gateway and its Postgres, without projections and other followers: the cost of a spin alone. */
export async function withGateway<T>(
  act: (site: string, pid: () => number | null, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-bench-'));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), durable: true });
  const owner = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'bench' });
  await migrateAll(owner);
  await owner.end();
  const port = String(await freePort());
  const settings = { PORT: port, PLAY_MONEY: 'yes', NATS_URL: NOWHERE, LOG_LEVEL: 'fatal' };
  const services = await openServices(postgres.url, settings, folder);
  const gateway = services.start('gateway', 'gateway');
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(`${url}/health`);
    return await act(url, gateway.pid, postgres.url);
  } finally {
    await gateway.stop();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tokens of new players. */
export async function enter(site: string, count: number): Promise<string[]> {
  const one = async () => {
    const body = createWallet().login(Date.now());
    return (await must<{ token: string }>(site, '/auth/login', { body })).token;
  };
  const tokens: string[] = [];
  while (tokens.length < count) {
    const some = Math.min(LOGINS_IN_PARALLEL, count - tokens.length);
    tokens.push(...(await Promise.all(Array.from({ length: some }, one))));
  }
  return tokens;
}

/** A baseline of the HTTP benchmark as a separate process. */
export async function withBaseline<T>(
  file: 'echo' | 'hand-written',
  args: readonly string[],
  act: (options: { url: string; token: string; pid: number }) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const key = 'benchmark';
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', RUN, `bench/${file}.ts`, String(port), key, ...args],
    { stdio: 'inherit' },
  );
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(url);
    return await act({ url: `${url}/bet`, token: echoToken(key), pid: child.pid ?? 0 });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** Resolves when the server responds; a 404 is enough. */
async function ready(url: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer && answer.status < 500) return;
    if (performance.now() > deadline) throw new Error(`${url} does not respond`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
