/** docker-compose.yml with the image, new keys and a local chain: money moves while containers are killed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projections } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { takeMoneyTrip } from '@reelbook/simulator/client/money-trip';
import { buildImage } from '@reelbook/simulator/stages/image';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const WAIT = { timeout: 240_000, interval: 500 };
const OUTPUT_MAX_BYTES = 256 * 1024 * 1024;
const SCALE = ['gateway=2', 'publisher=2', 'projector=2', 'cashier=2'];
const SERVICES =
  'gateway publisher projector cashier auditor admin postgres nats nats-health chain'.split(' ');
/** The metric `reelbook_NAME_leader` is 1 for each lease that a process holds. */
const LEADERS = [
  { service: 'publisher', name: 'publisher', leases: 1 },
  { service: 'cashier', name: 'cashier', leases: 1 },
  { service: 'projector', name: 'projection', leases: projections.length },
];
const STATE = '{{.State.Running}} {{with .State.Health}}{{.Status}} {{end}}{{.RestartCount}}';
/** From inside: the port is not published. */
const READ_METRICS = String.raw`exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3 && cat <&3`;

// Building the image and two starts of everything, on a machine that may be busy.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const folder = mkdtempSync(join(tmpdir(), 'reelbook-compose-'));
const secrets = join(folder, 'secrets');
const project = `reelbook-compose-${process.pid}`;
let env: NodeJS.ProcessEnv = process.env;
let [chain, faucet, compose] = ['', '', ['docker', 'compose']];

async function run(program: string, ...words: readonly string[]): Promise<string> {
  const options = { cwd: REPOSITORY, env, maxBuffer: OUTPUT_MAX_BYTES };
  const { stdout, stderr } = await promisify(execFile)(program, words, options);
  return words[0] === 'logs' ? stdout + stderr : stdout.trim();
}

const docker = (...words: readonly string[]) => run('docker', ...words);

function composed(...words: readonly string[]): Promise<string> {
  const [program = '', ...first] = compose;
  return run(program, ...first, '-p', project, ...words);
}

const idsOf = async (service: string): Promise<readonly string[]> =>
  (await composed('ps', '-a', '-q', service)).split('\n').filter(Boolean);

/** Leases with the containers that hold them, of those that run. */
async function leasesOf({ service, name }: (typeof LEADERS)[number]) {
  const metric = new RegExp(`^reelbook_${name}_leader\\b.* 1$`, 'gm');
  const read = async (id: string) => {
    const metrics = await docker('exec', id, 'bash', '-c', READ_METRICS).catch(() => '');
    return (metrics.match(metric) ?? []).map((lease) => ({ lease, id }));
  };
  return (await Promise.all((await idsOf(service)).map(read))).flat();
}

/** Every lease is held once; all containers of these services are healthy, and the engine restarted none. */
const settled = (services: readonly string[]) =>
  vi.waitFor(async () => {
    for (const service of services) {
      for (const id of await idsOf(service)) {
        const state = await docker('inspect', '--format', STATE, id);
        if (/^true (healthy )?0$/.test(state)) continue;
        throw new Error(`${service}: ${state}\n${await docker('logs', '--tail', '40', id)}`);
      }
    }
    for (const one of LEADERS) {
      const held = (await leasesOf(one)).map(({ lease }) => lease);
      expect([held.length, new Set(held).size], one.service).toEqual([one.leases, one.leases]);
    }
  }, WAIT);

beforeAll(async () => {
  await composed('version').catch(() => {
    compose = ['docker-compose'];
  });
  await buildImage();
  const keys = ['keys', '--local-chain', '--folder', folder];
  await run(process.execPath, RUN, 'services/cli/main.ts', ...keys);
  // A server older than 2.12 refuses `sync_interval: always`.
  let conf = join(REPOSITORY, 'docker/nats.conf');
  const check = [
    '-e',
    'NATS_PASSWORD=x',
    '-v',
    `${conf}:/conf:ro`,
    'nats:2.12',
    '-t',
    '-c',
    '/conf',
  ];
  await docker('run', '--rm', ...check).catch(() => {
    const text = readFileSync(conf, 'utf8').replace(/^ *sync_interval:.*\n/m, '');
    conf = join(folder, 'nats.conf');
    writeFileSync(conf, text);
  });
  const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
  const made = Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)));
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const [CHAIN_PORT = '', FAUCET_PORT = '', ADMIN_PORT = '', gateways = ''] = ports.map(String);
  [chain, faucet] = [`http://127.0.0.1:${CHAIN_PORT}`, `http://127.0.0.1:${FAUCET_PORT}/faucet`];
  const given = { SECRETS: secrets, NATS_CONF: conf, CHAIN_PORT, FAUCET_PORT, ADMIN_PORT };
  env = { ...env, ...made, ...given, GATEWAY_PORTS: `${gateways}-${Number(gateways) + 9}` };
  await composed('up', '-d', '--no-build', ...SCALE.flatMap((one) => ['--scale', one]));
  await settled(SERVICES);
});
afterAll(async () => {
  await composed('down', '--volumes', '--timeout', '30');
  rmSync(folder, { recursive: true });
});

test('money moves also after the leaders, a gateway, NATS and Postgres were killed', async () => {
  const [first = '', second = ''] = await idsOf('gateway');
  const origin = `http://${(await docker('port', first, '8080/tcp')).split('\n')[0]}`;
  expect((await fetch(origin)).status).toBe(200);
  const trip = async () => {
    const wallet = createWallet();
    const body = JSON.stringify({ wallet: wallet.address });
    expect((await fetch(faucet, { method: 'POST', body })).status).toBe(200);
    await takeMoneyTrip({ origin, rpcUrl: chain, wallet });
  };
  await trip();
  const leading = (await Promise.all(LEADERS.map(leasesOf))).map(([one]) => one?.id ?? '');
  const servers = [second, ...(await idsOf('nats')), ...(await idsOf('postgres'))];
  await docker('kill', ...leading, ...servers);
  await docker('start', ...servers);
  await settled([]);
  await trip();
  await docker('start', ...leading);
  await settled(SERVICES);
  expect(await composed('run', '--rm', '--no-deps', 'audit')).toContain('CLEAN');
  const texts = readdirSync(secrets).map((name) =>
    readFileSync(join(secrets, name), 'utf8').trim(),
  );
  const hidden = [...texts, ...texts.flatMap((text) => /:([^:@/]+)@/.exec(text)?.[1] ?? [])];
  for (const id of (await Promise.all(SERVICES.map(idsOf))).flat()) {
    const log = await docker('logs', id);
    expect(hidden.filter((secret) => log.includes(secret))).toEqual([]);
  }
});
