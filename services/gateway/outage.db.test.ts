import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInProcessBus } from '@reelbook/bus/in-process';
import { openPool } from '@reelbook/event-store/db';
import { openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createWallet } from '@reelbook/testing/wallets';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGateway } from './gateway.ts';

/** A wire to the database that can be cut and mended. */
interface Wire {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

async function lay(url: string): Promise<Wire> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let port = 0;
  let server: Server;
  const mend = async () => {
    server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const end of [near, far]) {
        open.add(end);
        end.on('error', () => {}).on('close', () => [near, far].map((one) => one.destroy()));
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as { port: number });
  };
  await mend();
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    mend,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const end of open) end.destroy();
      await closed;
    },
  };
}

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test('without the database every call is a 503 that says when to try again; then all is well by itself', async () => {
  const wire = await lay(database.url);
  const pool = openPool({ url: wire.url, role: 'app', max: 4, name: 'outage' });
  const bus = createInProcessBus();
  const gateway = await startGateway({
    pool,
    bus,
    log: openLog({ name: 'outage', level: 'silent' }),
    settings: {
      host: '127.0.0.1',
      port: 0,
      sessionKey: randomBytes(32),
      seedKey: randomBytes(32),
      seedKeyId: 'test',
      localChain: true,
      webRoot: null,
    },
  });
  const send = (path: string, body?: unknown, token?: string) =>
    fetch(gateway.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const login = await send('/api/v1/auth/login', createWallet().login(Date.now()));
  const { data } = (await login.json()) as { data: { token: string } };
  const bet = () => send('/api/v1/game/slot-machine/bet', { bet_amount: 1 }, data.token);
  expect((await bet()).status).toBe(200);

  await wire.cut();
  const answers = await Promise.all([
    bet(),
    send('/api/v1/user/balance', undefined, data.token),
    send('/api/v1/auth/login', createWallet().login(Date.now())),
    send('/health'),
    send('/ready'),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await answers[0].json()).toMatchObject({ code: 503, data: { error: 'unavailable' } });

  await wire.mend();
  expect((await bet()).status).toBe(200);
  expect((await send('/ready')).status).toBe(200);
  const { rows } = await database
    .pool('app')
    .query<{ rounds: number }>(
      "select count(*)::int as rounds from events where type = 'BetPlaced'",
    );
  expect(rows).toEqual([{ rounds: 2 }]);
  await gateway.close();
  await bus.close();
  await pool.end();
  await wire.cut();
});
