import { openLog } from '@reelbook/runtime/log';
import { afterEach, expect, test } from 'vitest';
import { clientAddress, openLimit } from './limits.ts';
import { openServer } from './server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

/** One call a minute by address. @returns the status of a call over the proxy 10.0.0.1 for a client. */
async function openOnce(trustProxy: readonly string[] | null) {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, trustProxy, onCompleted() {} });
  closers.push(() => app.close());
  const once = openLimit({ max: 1 });
  app.get(
    '/',
    { onRequest: async (request) => once.take(clientAddress(request)) },
    async () => ({}),
  );
  return async (client: string) => {
    const headers = { 'x-forwarded-for': client };
    return (await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers })).statusCode;
  };
}

test('over a trusted proxy each client has its own limit', async () => {
  const call = await openOnce(['uniquelocal']);
  expect([await call('192.0.2.1'), await call('192.0.2.2')]).toEqual([200, 200]);
  expect(await call('192.0.2.1')).toBe(429);
  // What the client itself claims comes first in the header and is not believed.
  expect(await call('203.0.113.9, 192.0.2.2')).toBe(429);
});

test('no header is believed of others: a client does not escape its limit by inventing addresses', async () => {
  for (const trusted of [null, ['192.168.0.0/16']]) {
    const call = await openOnce(trusted);
    expect([await call('192.0.2.1'), await call('192.0.2.2')]).toEqual([200, 429]);
  }
});

test('the addresses of one IPv6 network share a limit; IPv4 addresses do not', async () => {
  const call = await openOnce(['uniquelocal']);
  const network = ['2001:db8:0:1::1', '2001:db8::1:ffff:0:0:2', '2001:0db8:0000:0001:9::'];
  expect([await call('2001:db8::1'), await call('2001:db8:1::1')]).toEqual([200, 200]);
  const statuses = [];
  for (const address of network) statuses.push(await call(address));
  expect(statuses).toEqual([200, 429, 429]);
  expect([await call('192.0.2.1'), await call('::ffff:192.0.2.1')]).toEqual([200, 429]);
  expect(await call('::ffff:192.0.2.2')).toBe(200);
});
