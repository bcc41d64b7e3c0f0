import { randomBytes } from 'node:crypto';
import { SOCKET_PATH } from '@reelbook/contract/route';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { openStandby, type Standby } from '@reelbook/event-store/standby';
import type { GatewayDeps, GatewaySettings } from '@reelbook/gateway/context';
import { GAME_TICK_MS, startGateway } from '@reelbook/gateway/gateway';
import { projections } from '@reelbook/projections/all';
import { startProjector } from '@reelbook/projector/projector';
import { startPublisher } from '@reelbook/publisher/publisher';
import { type Logger, openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet, TEST_ORIGIN, type TestWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { type RawData, WebSocket } from 'ws';
import { type Answer, type Call, call } from '../client/api.ts';
import { LAG } from './lag.ts';

/** All of Reelbook on a database of its own: real Postgres, the in-process bus, publisher, projector and gateways. */
export interface TestSite {
  readonly url: string;
  readonly database: TestDatabase;
  readonly bus: Bus;
  /** Role app. */
  readonly pool: pg.Pool;
  readonly standby: Standby | null;
  /** 32 bytes; the console works under the same. */
  readonly sessionKey: Buffer;
  readonly receiptKey: Buffer;
  /** Of this site's sealed seeds. */
  readonly vault: SeedVault;
  readonly log: Logger;
  /** All that was logged, as JSON lines. */
  readonly logged: readonly string[];
  /** Another gateway on the same ledger and bus. */
  addGateway(): Promise<{ readonly url: string }>;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
  login(wallet?: TestWallet): Promise<TestPlayer>;
  close(): Promise<void>;
}

export interface TestPlayer {
  readonly wallet: TestWallet;
  readonly token: string;
  readonly publicId: string;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
}

export interface TestSocket {
  readonly messages: readonly { readonly type: string; readonly data: Record<string, unknown> }[];
  send(message: unknown): void;
  /** Resolves with the first message of that type, past or to come. */
  receive(
    type: string,
    fits?: (data: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  close(): void;
}

/** Of its gateways; what is not given is as in production, but for short ticks of games. */
type GatewayOptions = Pick<GatewayDeps, 'chain' | 'games' | 'sweep' | 'live'> &
  Partial<Omit<GatewaySettings, 'host' | 'port' | 'publicOrigin' | `${string}Key` | 'seedKeyId'>>;

export interface SiteOptions extends GatewayOptions {
  /** Closed with the site; in the process when not given. */
  readonly bus?: Bus;
  /** False: the projections stay empty. */
  readonly projector?: boolean;
  /** False: events reach no follower, so neither projections nor sockets. */
  readonly publisher?: boolean;
  /** Prepares the database before anything connects to it. */
  readonly prepare?: (database: TestDatabase) => Promise<void>;
  /** Writes events to the ledger before any service starts. */
  readonly ledger?: (pool: pg.Pool) => Promise<void>;
  /** Default: a new one. It is dropped with the site. */
  readonly database?: TestDatabase;
  /** READ_DATABASE_URL of gateway and console. */
  readonly readUrl?: string | null;
}

const KEY_BYTES = 32;
const SEED_KEY_ID = 'test';
/** Short, so that tests can wait for the end of a round. */
const TICK_MS = 1;
/** Of publisher and projector: a test waits for them again and again. */
const REST_MAX_MS = 10;

export async function startSite({
  bus = createInProcessBus(),
  projector = true,
  publisher = true,
  prepare,
  ledger,
  database: own,
  readUrl = null,
  ...options
}: SiteOptions = {}): Promise<TestSite> {
  const database = own ?? (await createDatabase());
  await prepare?.(database);
  const logged: string[] = [];
  const log = openLog({
    name: 'test',
    level: 'trace',
    sink: { write: (line) => void logged.push(line) },
  });
  const pool = database.pool('app', 8);
  await ledger?.(pool);
  const closers: (() => Promise<void>)[] = [];
  const reading = { leader: pool, name: 'test', max: 4, followers: projections, lagMaxS: 3_600 };
  const standby = readUrl === null ? null : openStandby({ ...reading, url: readUrl });
  if (standby) closers.push(standby.close);
  if (publisher) {
    const timing = { restMaxMs: REST_MAX_MS, lagMs: LAG.publisherMs };
    const own = { pool: database.pool('app'), timing };
    closers.push((await startPublisher({ ...own, bus, log })).close);
  }
  if (projector) {
    const timing = { restMaxMs: REST_MAX_MS, pollMs: 50, lagMs: LAG.readModelMs };
    const own = { pool: database.pool('projector', 10), timing };
    closers.push((await startProjector({ ...own, bus, log })).close);
  }
  const secrets = {
    sessionKey: randomBytes(KEY_BYTES),
    seedKey: randomBytes(KEY_BYTES),
    receiptKey: randomBytes(KEY_BYTES),
  };
  const addGateway = async () => {
    const gateway = await openGateway({ pool, standby, bus, log }, secrets, options);
    closers.push(gateway.close);
    return gateway;
  };
  const { url } = await addGateway();
  return {
    url,
    database,
    bus,
    pool,
    standby,
    sessionKey: secrets.sessionKey,
    receiptKey: secrets.receiptKey,
    vault: openSeedVault({ pool, key: secrets.seedKey, keyId: SEED_KEY_ID }),
    log,
    logged,
    addGateway,
    call: (path, o) => call(url, path, o),
    login: (wallet = createWallet()) => login(url, wallet),
    async close() {
      for (const close of closers.reverse()) await close();
      await bus.close();
      await database.drop();
    },
  };
}

function openGateway(
  deps: Pick<GatewayDeps, 'pool' | 'standby' | 'bus' | 'log'>,
  secrets: Pick<GatewaySettings, 'sessionKey' | 'seedKey' | 'receiptKey'>,
  { chain = null, games, sweep, live, ...given }: GatewayOptions,
) {
  const { localChain = chain === null || chain.local !== null } = given;
  return startGateway({
    ...deps,
    chain,
    ...(games ? { games } : {}),
    ...(sweep ? { sweep } : {}),
    ...(live ? { live } : {}),
    settings: {
      host: '127.0.0.1',
      port: 0,
      publicOrigin: TEST_ORIGIN,
      ...secrets,
      seedKeyId: SEED_KEY_ID,
      gameTickMs: localChain ? TICK_MS : GAME_TICK_MS,
      webRoot: null,
      ...given,
      localChain,
    },
  });
}

async function login(url: string, wallet: TestWallet): Promise<TestPlayer> {
  const body = wallet.login(Date.now());
  const { status, message, data } = await call<{ token: string; user: { public_id: string } }>(
    url,
    '/auth/login',
    { body },
  );
  if (status !== 200) throw new Error(`login: ${status} ${message}`);
  const { token } = data;
  return {
    wallet,
    token,
    publicId: data.user.public_id,
    call: (path, o) => call(url, path, { token, ...o }),
  };
}

/** A socket of the live channel; it subscribes on opening unless disabled. */
export async function openSocket(
  url: string,
  token: string,
  o: { readonly subscribe?: boolean } = {},
): Promise<TestSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET_PATH}?token=${token}`);
  const messages: { type: string; data: Record<string, unknown> }[] = [];
  const arrivals = new Set<() => void>();
  socket.on('message', (data: RawData) => {
    messages.push(JSON.parse(String(data)));
    for (const arrived of arrivals) arrived();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  if (o.subscribe !== false) send({ type: 'subscribe', data: { channel: 'user_events' } });
  return {
    messages,
    send,
    closed,
    close: () => socket.close(),
    receive(type, fits = () => true) {
      const find = () => messages.find((one) => one.type === type && fits(one.data))?.data;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no such ${type} came; ${messages.length} messages did`)),
          WAIT.timeout,
        );
        const look = () => {
          const found = find();
          if (!found) return;
          clearTimeout(timer);
          arrivals.delete(look);
          resolve(found);
        };
        arrivals.add(look);
        look();
      });
    },
  };
}
