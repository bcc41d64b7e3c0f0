import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STREAM } from '@reelbook/event-store/bus/nats-stream';
import { openPool } from '@reelbook/event-store/db';
import { projections } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { startNatsCluster, type TestNatsCluster } from '@reelbook/testing/nats';
import type pg from 'pg';
import type { Counted } from '../client/lists.ts';
import { manageStream } from '../verdict/recovered.ts';
import { type Cluster, startCluster, until } from './cluster.ts';
import { type CutOff, layOwnWires } from './cut-off.ts';
import type { Stage } from './processes.ts';
import type { Service } from './service.ts';
import { createFolder, openServices, type Services } from './services.ts';

/** All of Reelbook of real money as processes, two of each but the console, on a replicated Postgres, a NATS cluster and a chain of two RPCs. */
export interface ClusterStage extends Omit<Stage, 'victims' | 'kill'> {
  readonly natsUrl: string;
  readonly cluster: Cluster;
  /** The gateways, with their status ports. */
  readonly counted: readonly Counted[];
  /** Blocks come by time. */
  readonly chain: TestChain;
  /** Of the operators' console. */
  readonly console: string;
  /** Resolves when it runs; a gateway, when it is ready. */
  untilUp(service: Service): Promise<void>;
  /** The one of two that acts: that has the lease. Of those that need none, the first. `not`: another one than that. */
  acting(kind: Kind, not?: Service): Promise<Service>;
  /** What cuts a service off from Postgres and NATS. */
  wiresOf(service: Service): CutOff;
  /** The server that leads the stream. */
  natsLeader(): Promise<TestNatsCluster['servers'][number]>;
}

/** Each process and server of a stage has a listener that ends it with this one. */
const EXIT_LISTENERS_MAX = 40;
const WORKERS = {
  publisher: 'publisher',
  projector: 'projector',
  auditor: 'auditor/serve',
  cashier: 'cashier',
} as const;
export type Kind = keyof typeof WORKERS | 'gateway' | 'console';
/** The follower whose lease the acting process has. */
const FOLLOWERS: Partial<Record<Kind, string>> = {
  publisher: 'publisher',
  projector: projections[0]?.name ?? '',
  cashier: 'cashier',
};

export async function startClusterStage(): Promise<ClusterStage> {
  process.setMaxListeners(EXIT_LISTENERS_MAX);
  const folder = createFolder();
  // The account of Postgres must be able to enter.
  chmodSync(folder, 0o711);
  const [cluster, nats, chain] = await Promise.all([
    startCluster(join(folder, 'cluster')),
    startNatsCluster(),
    startTestChain({ clock: 'time' }),
  ]);
  const settings = {
    NATS_URL: nats.url,
    // As docker-compose.cluster.yml.
    READ_DATABASE_URL: cluster.url,
    SOLANA_RPC_URL: chain.local.urls.join(),
    SOLANA_NETWORK: 'localnet',
    TOKEN_MINT: chain.token.mint.address,
    TREASURY_WALLET: chain.treasury.address,
    TREASURY_WALLETS: chain.treasury.address,
    DATA_DIR: join(folder, 'audit'),
    FIRST_LOGINS_PER_HOUR: '10000',
    LOG_LEVEL: 'info',
  };
  const opened = await openServices(cluster.url, settings, folder);
  const secret = JSON.stringify([...chain.treasury.secret]);
  const started = await startServices(opened, { ...{ nats, cluster }, TREASURY_KEY: secret });
  const { wires, gateways } = started;
  const pool = openPool({ url: cluster.url, role: 'app', max: 1, name: 'stage' });
  return {
    ...opened,
    cluster,
    chain,
    natsUrl: nats.url,
    gateways,
    counted: started.counted,
    console: started.console,
    databaseUrl: cluster.url,
    acting: (kind, not) =>
      until(`another ${kind}`, async () => {
        const follower = FOLLOWERS[kind];
        const holder = follower === undefined ? null : await holderOf(pool, follower);
        const found = opened.services.find(({ name, pid }) =>
          follower === undefined ? name === `${kind}-1` : pid() === holder,
        );
        return !found || found === not ? null : found;
      }),
    wiresOf({ name }) {
      const laid = wires.get(name);
      if (!laid) throw new Error(`${name} has no wires`);
      return laid;
    },
    untilUp: ({ name, pid }) =>
      until(`${name} again`, async () => {
        if (pid() === null) return null;
        const origin = started.origins.get(name);
        return !origin || (await isReady(origin)) ? true : null;
      }).then(() => {}),
    natsLeader: () =>
      until('a leader of the stream', async () => {
        const leader = await leaderOfStream(nats.url);
        return nats.servers.find(({ name }) => name === leader) ?? null;
      }),
    settled: async () => {},
    async stop() {
      await opened.stop();
      await pool.end();
      await Promise.all([...wires.values()].map((laid) => laid.close()));
      await Promise.all([cluster.stop(), nats.stop(), chain.close()]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function startServices(
  opened: Services,
  {
    cluster,
    nats,
    TREASURY_KEY,
  }: {
    readonly cluster: Cluster;
    readonly nats: TestNatsCluster;
    readonly TREASURY_KEY: string;
  },
) {
  const wires = new Map<string, CutOff>();
  const origins = new Map<string, string>();
  const start = async (name: string, main: string, own: Readonly<Record<string, string>> = {}) => {
    const urls = { DATABASE_URL: cluster.url, READ_DATABASE_URL: cluster.url, NATS_URL: nats.url };
    const [kind = '', number] = name.split('-');
    // Only what `acting` finds is cut off.
    const laid = number === '1' || kind in FOLLOWERS ? await layOwnWires(urls) : null;
    if (laid) wires.set(name, laid);
    opened.start(name, main, { ...urls, ...laid?.settings, ...own });
  };
  const startGateway = async (name: string): Promise<Counted> => {
    const [PORT, STATUS_PORT] = [String(await freePort()), String(await freePort())];
    await start(name, 'gateway', { PORT, STATUS_PORT });
    const origin = `http://127.0.0.1:${PORT}`;
    origins.set(name, origin);
    return { origin, status: `http://127.0.0.1:${STATUS_PORT}` };
  };
  const counted = [await startGateway('gateway-1'), await startGateway('gateway-2')] as const;
  const ADMIN_PORT = String(await freePort());
  await start('console-1', 'admin', { ADMIN_PORT });
  const console = `http://127.0.0.1:${ADMIN_PORT}`;
  origins.set('console-1', console);
  for (const [name, main] of Object.entries(WORKERS)) {
    const own = name === 'cashier' ? { TREASURY_KEY } : {};
    for (const number of [1, 2]) await start(`${name}-${number}`, main, own);
  }
  const gateways = [counted[0].origin, counted[1].origin] as const;
  return { wires, origins, counted, console, gateways };
}

const HOLDER = /-(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The process that has that lease; null where none has, or Postgres is away. */
async function holderOf(pool: pg.Pool, follower: string): Promise<number | null> {
  const text = 'select holder from checkpoints where name = $1 and lease_until > now()';
  const { rows } = await pool
    .query<{ holder: string }>(text, [follower])
    .catch(() => ({ rows: [] }));
  const [, pid] = HOLDER.exec(rows[0]?.holder ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
}

const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Null while it has none. */
const leaderOfStream = (url: string): Promise<string | null> =>
  manageStream(url, async (streams) => (await streams.info(STREAM)).cluster?.leader ?? null).catch(
    () => null,
  );
