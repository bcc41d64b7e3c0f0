import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
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
import { startStage } from '@reelbook/simulator/stages/processes';
import { NOWHERE, openServices } from '@reelbook/simulator/stages/services';
import { createWallet } from '@reelbook/testing/wallets';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const LOGINS_IN_PARALLEL = 32;

/** All services as separate processes, with Postgres and, if configured, NATS. */
export async function openStage() {
  const stage = await startStage();
  await ready(`${stage.gateways[0]}/ready`);
  return { ...stage, close: () => stage.stop().finally(stage.remove) };
}

/** One gateway and its Postgres, without projections and other followers: the cost of a spin alone. */
export async function openGateway() {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-bench-'));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), durable: true });
  const owner = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'bench' });
  await migrateAll(owner);
  await owner.end();
  const port = String(await freePort());
  const settings = { PORT: port, PLAY_MONEY: 'yes', NATS_URL: NOWHERE, LOG_LEVEL: 'fatal' };
  const services = await openServices(postgres.url, settings, folder);
  const { pid, stop } = services.start('gateway', 'gateway');
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/health`);
  const close = async () => {
    await stop();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid, databaseUrl: postgres.url, close };
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

/** A baseline of the HTTP benchmark as a separate process, see its file. */
export async function openBaseline(args: readonly string[]) {
  const port = await freePort();
  const key = 'benchmark';
  const words = ['--max-semi-space-size=64', RUN, 'bench/baseline.ts', String(port), key, ...args];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  await ready(url);
  // An id and its signature, in the format of the gateway.
  const id = Buffer.alloc(16, 7);
  const seal = createHmac('sha256', key).update(id).digest().subarray(0, id.length);
  const close = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const tokens = [Buffer.concat([id, seal]).toString('base64url')];
  return { url: `${url}/bet`, tokens, pid: child.pid ?? 0, close };
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
