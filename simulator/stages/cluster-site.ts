import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STREAM } from '@reelbook/event-store/bus/nats-stream';
import { freePort } from '@reelbook/runtime/ports';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { startNatsCluster, type TestNatsCluster } from '@reelbook/testing/nats';
import type { Counted } from '../client/lists.ts';
import { manageStream } from '../verdict/recovered.ts';
import { type Cluster, startCluster, until } from './cluster.ts';
import type { Stage } from './processes.ts';
import type { Service } from './service.ts';
import { createFolder, openServices } from './services.ts';

/** All of Reelbook of real money as processes, two of each, on a replicated Postgres, a NATS cluster and a chain of two RPCs. */
export interface ClusterStage extends Omit<Stage, 'victims' | 'kill'> {
  readonly natsUrl: string;
  readonly cluster: Cluster;
  /** The gateways, with their status ports. */
  readonly counted: readonly Counted[];
  /** Blocks come by time. */
  readonly chain: TestChain;
  /** Resolves when it runs; a gateway, when it is ready. */
  untilUp(service: Service): Promise<void>;
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
  const startGateway = async (name: string): Promise<Counted> => {
    const [PORT, STATUS_PORT] = [String(await freePort()), String(await freePort())];
    opened.start(name, 'gateway', { PORT, STATUS_PORT });
    return { origin: `http://127.0.0.1:${PORT}`, status: `http://127.0.0.1:${STATUS_PORT}` };
  };
  const counted = [await startGateway('gateway-1'), await startGateway('gateway-2')] as const;
  const gateways = [counted[0].origin, counted[1].origin] as const;
  const key = { TREASURY_KEY: JSON.stringify([...chain.treasury.secret]) };
  for (const [name, main] of Object.entries(WORKERS)) {
    const own = name === 'cashier' ? key : {};
    for (const number of [1, 2]) opened.start(`${name}-${number}`, main, own);
  }
  return {
    ...opened,
    cluster,
    chain,
    natsUrl: nats.url,
    gateways,
    counted,
    databaseUrl: cluster.url,
    untilUp: ({ name, pid }) =>
      until(`${name} again`, async () => {
        if (pid() === null) return null;
        const origin = gateways[['gateway-1', 'gateway-2'].indexOf(name)];
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
      await Promise.all([cluster.stop(), nats.stop(), chain.close()]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
