import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { sendBytes } from '@reelbook/testing/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

describe('a connection', () => {
  const line = 'GET /api/v1/user/profile HTTP/1.1\r\nHost: x\r\n';
  const upgrade = 'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';
  test.each([
    ['malformed HTTP', 'GARBAGE\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['headers without end', `${line}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a control character in a header', `${line}X: a\u0000b\r\n\r\n`],
    ['two lengths', `${line}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a length that is none', `${line}Content-Length: -1\r\n\r\n`],
    [
      'a length and chunks',
      `${line}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks of nonsense',
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['a control character in the path', 'GET /api/\u0001 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path beyond ASCII', 'GET /api/\u00e9\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'a path of another site',
      'GET http://example.org/api/v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['an upgrade of a call', `${line}Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n${upgrade}\r\n`],
    ['an upgrade to something else', `${line}Upgrade: h2c\r\n${upgrade}\r\n`],
    [
      'an upgrade without a key',
      `GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${upgrade}\r\n`,
    ],
  ])('that sends %s is refused without effect on others', async (_what, bytes) => {
    const received = await sendBytes(site.url, bytes);
    expect(received).toMatch(/^HTTP\/1\.1 4\d\d /);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    if (body.startsWith('{')) {
      expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
      expect(JSON.parse(body)).toMatchObject({ code: Number(received.slice(9, 12)) });
    }
    expect((await fetch(`${site.url}/health`)).status).toBe(200);
  });

  test('that ends within a body logs no error', async () => {
    const head =
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    expect(
      await sendBytes(site.url, `${head}Content-Length: 50\r\n\r\n{"wal`, { hangUp: true }),
    ).toBe('');
    expect((await fetch(`${site.url}/health`)).status).toBe(200);
    const faults = site.logged.filter((logged) => JSON.parse(logged).level >= 50);
    expect(faults).toEqual([]);
  });
});
