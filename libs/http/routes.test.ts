import { adminRoutes } from '@reelbook/contract/admin/routes';
import { routes } from '@reelbook/contract/player/routes';
import type { Route } from '@reelbook/contract/route';
import { openLog } from '@reelbook/runtime/log';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFileRoute, addRoute, Refused } from './routes.ts';
import { openServer } from './server.ts';

const all: readonly (readonly [string, Route])[] = [
  ...Object.entries(routes).map(([name, route]) => [`player ${name}`, route] as const),
  ...Object.entries(adminRoutes).map(([name, route]) => [`operator ${name}`, route] as const),
];
const pathOf = (name: string) => `/${name.replace(' ', '/')}`;

let app: FastifyInstance;
beforeAll(() => {
  app = openServer({ log: openLog({ name: 'test', level: 'silent' }), onCompleted() {} });
  const admit = async () => {};
  const reach = async () => {
    throw new Refused({ failed: 'not-found', detail: { what: 'reached' } });
  };
  for (const [name, { body: _, params: _params, headers: _headers, ...route }] of all) {
    const own: Route = { ...route, path: pathOf(name) as `/${string}` };
    if (route.file) addFileRoute(app, name, own, { admit, send: reach });
    else addRoute(app, name, own, { admit, check: admit, handle: reach });
  }
});
afterAll(() => app.close());

test('no query takes an unknown parameter, one twice, or one of any length', async () => {
  for (const [name, { method, query }] of all) {
    const send = async (text: string) => {
      const answer = await app.inject({ method, url: `${pathOf(name)}?${text}` });
      return [answer.statusCode, answer.json().message] as const;
    };
    const [status, message] = await send('unknown=1');
    expect.soft(status, `${name}: ${message}`).toBe(400);
    expect.soft(message, name).toMatch(/unknown|missing|query/);
    const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
    for (const one of names) {
      for (const text of [`${one}=1&${one}=1`, `${one}=${'x'.repeat(5_000)}`]) {
        const [status] = await send(text);
        expect.soft(status, `${name}?${text.slice(0, 40)}`).toBe(400);
      }
    }
  }
});
