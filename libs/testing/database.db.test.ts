import { expect, test } from 'vitest';
import { createDatabase } from './database.ts';

test('each database is a migrated one of its own', async () => {
  const one = await createDatabase();
  const other = await createDatabase();
  expect(one.url).not.toBe(other.url);
  await one.pool('owner').query('create table mine (n int)');
  const { rows } = await other
    .pool('app')
    .query(
      "select to_regclass('mine') as mine, to_regclass('events')::text as events, current_user",
    );
  expect(rows).toEqual([{ mine: null, events: 'events', current_user: 'reelbook_app' }]);
  await one.drop();
  await other.drop();
});

test('a connection left open is reported', async () => {
  const database = await createDatabase();
  const { openPool } = await import('@reelbook/event-store/db');
  const leak = openPool({ url: database.url, role: 'owner', max: 1, name: 'forgotten' });
  const client = await leak.connect();
  client.on('error', () => {});
  await expect(database.drop(0)).rejects.toThrow('reelbook-forgotten');
  client.release(true);
  await leak.end();
});
