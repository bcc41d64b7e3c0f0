import { adminRoutes } from '@reelbook/contract/admin/routes';
import { routes } from '@reelbook/contract/player/routes';
import type { Route } from '@reelbook/contract/route';
import { openLog } from '@reelbook/runtime/log';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refused } from './refused.ts';
import { addFileRoute, addRoute } from './routes.ts';
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
    if (route.file) addFileRoute(app, own, { admit, send: reach });
    else addRoute(app, own, { admit, handle: reach });
  }
});
afterAll(() => app.close());

describe.each(all)('the query of %s', (name, route) => {
  const send = async (query: string) => {
    const { method } = route;
    const answer = await app.inject({ method, url: `${pathOf(name)}?${query}` });
    return [answer.statusCode, answer.json().message] as const;
  };
  const names = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});

  test('takes no unknown parameter, none twice, and none of any length', async () => {
    const [status, message] = await send('unknown=1');
    expect(status, message).toBe(400);
    expect(message).toMatch(/unknown|missing|query/);
    for (const one of names) {
      for (const query of [`${one}=1&${one}=1`, `${one}=${'x'.repeat(5_000)}`]) {
        const [status] = await send(query);
        expect(status, query.slice(0, 40)).toBe(400);
      }
    }
  });
});
