import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '@reelbook/contract/player/client';
import { freePort } from '@reelbook/runtime/ports';
import { isWorkingIn } from '@reelbook/runtime/processes';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { heldBy, takeMoneyTrip } from '@reelbook/simulator/client/money-trip';
import { createWallet } from '@reelbook/testing/wallets';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const READY_TIMEOUT_MS = 120_000;
const BETS = 5;

// Two starts per test, on a machine that may be busy.
vi.setConfig({ testTimeout: 600_000 });

let box = '';
let port = 0;
const children: ChildProcess[] = [];

beforeEach(async () => {
  // Like a home folder: only the owner may open it. The PATH has only node and the shell's programs.
  box = mkdtempSync(join(tmpdir(), 'reelbook-standalone-'));
  chmodSync(box, 0o700);
  port = await freePort();
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGTERM');
  rmSync(box, { recursive: true, force: true });
});

const read = (file: string) => readFileSync(join(box, 'data', file), 'utf8');

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function launch(environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', 'start'], {
    env: {
      PATH: `${dirname(process.execPath)}:/bin`,
      HOME: join(box, 'home'),
      TMPDIR: tmpdir(),
      DATA_DIR: join(box, 'data'),
      PORT: String(port),
      ADMIN_PORT: '0',
      ...environment,
    },
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
      child.emit('output');
    });
  }
  return { child, output: () => text };
}

async function startReelbook(environment: Record<string, string> = {}): Promise<Run> {
  const run = launch(environment);
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  while (!run.output().includes('Reelbook is running')) {
    if (run.child.exitCode !== null) throw new Error(`it ended: ${run.output()}`);
    await Promise.race([once(run.child, 'output', { signal: deadline }), once(run.child, 'exit')]);
  }
  return run;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
  return child.exitCode;
}

async function login(wallet = createWallet(), timeMs = Date.now()) {
  let token: string | null = null;
  const client = createClient({ origin: `http://127.0.0.1:${port}`, token: () => token });
  const { login_sentence: sentence } = await client.call('systemConfig');
  const session = await client.call('login', { body: wallet.login(timeMs, sentence) });
  token = session.token;
  return client;
}

test('a start after Ctrl-C, after kill -9 of the process and of all processes: no acknowledged command is lost', async () => {
  let run = await startReelbook();
  const client = await login();
  const play = async () => {
    for (let bet = 0; bet < BETS; bet += 1) {
      await client.call('slotBet', { body: { bet_amount: 1 } });
    }
    return client.call('balance');
  };

  let before = await play();
  expect(await end(run.child, 'SIGINT')).toBe(0);
  run = await startReelbook();
  expect(await client.call('balance')).toEqual(before);
  const [, status] = run.output().match(/Status +(http\S+)\/ready/) ?? [];
  const ask = async (path: string) => (await fetch(`${status}${path}`)).text();
  await expect
    .poll(async () => JSON.parse(await ask('/ready')))
    .toMatchObject({ checks: { ledger: null, sealing: null } });
  await expect
    .poll(() => ask('/metrics'))
    .toMatch(/reelbook_follower_lag_positions{follower="publisher"/);
  // A lease, without a position.
  expect(await ask('/metrics')).not.toContain('follower="approvals"');

  before = await play();
  await end(run.child, 'SIGKILL');
  run = await startReelbook();
  expect(run.output()).toContain('ending the Postgres that an earlier run left');
  expect(await client.call('balance')).toEqual(before);

  before = await play();
  const postmaster = Number.parseInt(read('postgres/cluster/postmaster.pid'), 10);
  await end(run.child, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  await startReelbook();
  expect(await client.call('balance')).toEqual(before);
  await expect
    .poll(async () => (await client.call('slotHistory')).total, { timeout: READY_TIMEOUT_MS })
    .toBe(3 * BETS);
});

test('deposit to withdrawal in one process; a second start is refused', async () => {
  await startReelbook();
  const wallet = createWallet();
  const client = await login(wallet);
  const gift = await client.call('faucet');
  const { token_contract: mint } = await client.call('tokenContract');
  const { project_wallet: treasury } = await client.call('projectWallet');
  const origin = `http://127.0.0.1:${port}`;
  const rpcUrl = `${origin}/chain`;
  const held = (owner: string | null) => heldBy(rpcUrl, mint ?? '', owner ?? '');
  await expect.poll(() => held(wallet.address), { timeout: READY_TIMEOUT_MS }).not.toBe(0n);
  const [mine, theirs] = [await held(wallet.address), await held(treasury)];
  expect(mine).toBe(BigInt(gift.amount) * 1_000_000_000n);
  // Welcome points are exchanged and withdrawn too: the chain is play money.
  const trip = await takeMoneyTrip({ origin, rpcUrl, wallet });
  const { depositedMinor, receivedMinor } = trip;
  expect(await held(wallet.address)).toBe(mine - depositedMinor + receivedMinor);
  expect(await held(treasury)).toBe(theirs + depositedMinor - receivedMinor);

  const other = launch({ PORT: String(await freePort()) });
  await once(other.child, 'close');
  expect(other.output()).toMatch(/Another Reelbook \(process \d+\) is running on the data/);
  const taken = launch({ DATA_DIR: join(box, 'other') });
  await once(taken.child, 'close');
  expect(taken.output()).toContain(`Port ${port} on 127.0.0.1 is in use`);
  expect(taken.output()).not.toContain('    at ');
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

test('a start that is ended while Postgres starts leaves no Postgres', async () => {
  const run = launch();
  const cluster = join(box, 'data', 'postgres', 'cluster');
  const pidFile = join(cluster, 'postmaster.pid');
  let postmaster = 0;
  const find = () => {
    if (existsSync(pidFile)) postmaster = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return postmaster;
  };
  await expect.poll(find, { timeout: READY_TIMEOUT_MS, interval: 5 }).toBeGreaterThan(0);
  expect(await end(run.child, 'SIGTERM')).toBe(0);
  await expect
    .poll(() => isWorkingIn(postmaster, cluster), { timeout: READY_TIMEOUT_MS })
    .toBe(false);
});

test('all wrong settings are reported together', async () => {
  const wrong = launch({ PORT: 'eighty', SEED_KEY: 'short', DATABASE_URL: 'mysql://x/y' });
  const [code] = await once(wrong.child, 'close');
  expect(code).toBe(2);
  for (const name of ['PORT', 'SEED_KEY', 'DATABASE_URL']) expect(wrong.output()).toContain(name);
});

test('a log at level trace contains no secret', async () => {
  const names = ['SEED_KEY', 'SESSION_KEY', 'RECEIPT_KEY'] as const;
  const keys = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('hex')]));
  const natsUrl = `nats://me:hunter2@127.0.0.1:${await freePort()}`;
  const run = await startReelbook({ ...keys, LOG_LEVEL: 'trace', NATS_URL: natsUrl });
  const wallet = createWallet();
  const site = `http://127.0.0.1:${port}`;
  const client = createClient({ origin: site, token: () => null });
  const { login_sentence: sentence } = await client.call('systemConfig');
  const body = wallet.login(Date.now(), sentence);
  const { token } = await client.call('login', { body });
  const own = createClient({ origin: site, token: () => token });
  await own.call('slotBet', { body: { bet_amount: 1 } });
  await own.call('rotateSeeds', { body: { client_seed: 'mine' } });
  await expect(client.call('login', { body })).rejects.toThrow();
  await fetch(`${site}/ws?token=${token}`);
  await fetch(`${site}/api/v1/user/profile?token=${token}`, { method: 'PATCH' });
  const [, password = 'none'] = /\/\/[^:]+:([^@]+)@/.exec(read('database-url')) ?? [];
  await end(run.child, 'SIGTERM');
  const output = run.output();
  expect(output).toContain('"msg":"completed"'); // it logs requests
  const secrets = { ...keys, token, password, nats: 'hunter2', signature: body.signature };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(5);
    expect(output.includes(secret), name).toBe(false);
  }
});

test('an unavailable database is reported without its password', async () => {
  const away = launch({
    DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/ledger`,
  });
  const [code] = await once(away.child, 'close');
  expect(code).toBe(2);
  expect(away.output()).toContain('cannot be used');
  expect(away.output()).not.toContain('hunter2');
});
