import fastify from 'fastify';
import { expect, test } from 'vitest';
import { openHealthRoutes } from './health-routes.ts';

test('the public learns that a private check fails, and not why', async () => {
  const app = fastify();
  const checks = ['private', 'public'].map((name) => ({
    name,
    optional: true,
    isPrivate: name === 'private',
    check: () => 'PUBLIC may write events',
  }));
  openHealthRoutes(app, { pool: null as never, checks, localChain: false });
  const { statusCode, body } = await app.inject('/ready');
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toEqual({
    status: 'ok',
    checks: { private: 'failing', public: 'PUBLIC may write events' },
  });
  await app.close();
});
