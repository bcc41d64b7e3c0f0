import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable, openPool, untilAvailable } from './db.ts';
import { migrate, schemaFault } from './migrate.ts';
import { openSeedVault, SeedUnavailable } from './seed-vault.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

describe('migrate', () => {
  it('does nothing the second time, and accepts parallel calls', async () => {
    const owner = database.pool('owner', 5);
    const calls = Array.from({ length: 5 }, () => migrate(owner));
    expect((await Promise.all(calls)).flat()).toEqual([]);
  });

  it('needs no superuser, only an owner with the roles', async () => {
    const admin = database.pool('owner');
    const name = `plain_${randomBytes(6).toString('hex')}`;
    await admin.query(`create role ${name} login password '${name}'`);
    await admin.query(`grant reelbook_app, reelbook_projector to ${name}`);
    await admin.query(`create database ${name} owner ${name}`);
    const url = new URL(database.url);
    Object.assign(url, { username: name, password: name, pathname: `/${name}` });
    const plain = openPool({ url: url.href, role: 'owner', max: 1, name });
    try {
      expect(await migrate(plain)).toContain('0001_roles.sql');
    } finally {
      await plain.end();
      await admin.query(`drop database ${name}`);
      await admin.query(`revoke reelbook_app, reelbook_projector from ${name}`);
      await admin.query(`drop role ${name}`);
    }
  });

  it('refuses a file that was changed after it was applied', async () => {
    const owner = database.pool('owner');
    await owner.query("update migrations set sha256 = 'other' where name like '0002%'");
    await expect(migrate(owner)).rejects.toThrow(
      '0002_ledger.sql was changed after it was applied',
    );
    expect(await schemaFault(database.pool('app'))).toBe(
      "0002_ledger.sql of the database differs from this build's",
    );
  });

  it('refuses a ledger of version 0.1, and so does every start', async () => {
    const owner = database.pool('owner');
    await owner.query('truncate migrations');
    await owner.query(
      "insert into migrations (name, sha256) values ('0001_roles.sql', 'x'), ('0002_book.sql', 'x')",
    );
    const words = 'a ledger of version 0.1, which was never released and can no longer be read';
    await expect(migrate(owner)).rejects.toThrow(words);
    expect(await schemaFault(database.pool('app'))).toContain(words);
    const { signal } = new AbortController();
    const starting = untilAvailable(database.pool('app'), { signal, onAway() {} });
    await expect(starting).rejects.toThrow(words);
  });

  it('refuses a database that is ahead of this build', async () => {
    const owner = database.pool('owner');
    await owner.query("insert into migrations (name, sha256) values ('9999_later.sql', 'x')");
    await expect(migrate(owner)).rejects.toThrow('ahead of this build: it has 9999_later.sql');
  });
});

it('a process refuses a database with a newer or older schema', async () => {
  const [pool, owner] = [database.pool('app'), database.pool('owner')];
  const name = '9999_of_a_later_build.sql';
  await owner.query("insert into migrations (name, sha256) values ($1, '')", [name]);
  expect(await schemaFault(pool)).toContain(`ahead of this build: it has ${name}`);
  await owner.query('delete from migrations where name = $1 or name like $2', [name, '0014%']);
  expect(await schemaFault(pool)).toContain(
    'lacks 0014_session_device.sql: run npm run reelbook -- migrate',
  );
  await owner.query('drop table migrations');
  expect(await schemaFault(database.pool('owner'))).toContain('npm run reelbook -- migrate');
});

describe('the seed vault', () => {
  const key = randomBytes(32);

  it('keeps a seed encrypted and opens it by its hash', async () => {
    const pool = database.pool('app');
    const vault = openSeedVault({ pool, key, keyId: 'k1' });
    const { hash } = await vault.create('anna');
    const seed = Buffer.from(await vault.open(hash), 'hex');
    expect(seed).toHaveLength(32);
    expect(createHash('sha256').update(seed).digest('hex')).toBe(hash);
    const { rows } = await pool.query('select ciphertext from server_seeds');
    expect(rows[0].ciphertext.includes(seed)).toBe(false);
  });

  it('reports the fault: unknown hash, other key, same key id but other key', async () => {
    const pool = database.pool('app');
    const { hash } = await openSeedVault({ pool, key, keyId: 'k1' }).create('anna');
    const open = (options: { key: Buffer; keyId: string }) =>
      openSeedVault({ pool, ...options }).open(hash);
    await expect(openSeedVault({ pool, key, keyId: 'k1' }).open('0'.repeat(64))).rejects.toThrow(
      'no server seed is stored',
    );
    await expect(open({ key, keyId: 'k2' })).rejects.toThrow('encrypted with key k1');
    await expect(open({ key: randomBytes(32), keyId: 'k1' })).rejects.toThrow(SeedUnavailable);
  });

  it('lists the seeds that cannot be opened, each with the reason', async () => {
    const pool = database.pool('app');
    const vault = openSeedVault({ pool, key, keyId: 'k1' });
    const [{ hash: good }, { hash: altered }] = [
      await vault.create('anna'),
      await vault.create('anna'),
    ];
    const { hash: foreign } = await openSeedVault({ pool, key, keyId: 'k2' }).create('anna');
    const missing = '0'.repeat(64);
    const owner = database.pool('owner', 1);
    await owner.query("set session_replication_role = 'replica'");
    await owner.query(
      'update server_seeds set ciphertext = ciphertext || ciphertext where hash = $1',
      [Buffer.from(altered, 'hex')],
    );
    await owner.query("set session_replication_role = 'origin'");
    expect(Object.fromEntries(await vault.findFaults([good, missing, altered, foreign]))).toEqual({
      [missing]: `no server seed is stored for hash ${missing}`,
      [altered]: `seed ${altered} does not match its hash or was altered`,
      [foreign]: `seed ${foreign} was encrypted with key k2, this process has k1`,
    });
  });
});

describe('isUnavailable', () => {
  it('recognises an unavailable database and an ended login, not a wrong statement', async () => {
    const away = openPool({ url: 'postgres://x@127.0.0.1:1/x', role: 'app', max: 1, name: 'away' });
    const refused = await away.query('select 1').catch((error: unknown) => error);
    await away.end();
    expect(isUnavailable(refused)).toBe(true);
    const pool = database.pool('app');
    const wrong = await pool.query('select nonsense').catch((error: unknown) => error);
    expect(isUnavailable(wrong)).toBe(false);
    const killed = await database
      .pool('owner')
      .query('select pg_terminate_backend(pg_backend_pid())')
      .catch((error: unknown) => error);
    expect(isUnavailable(killed)).toBe(true);
  });

  it.each([1, 3])(
    'recognises %i servers that accept connections and do not respond',
    async (count) => {
      const silent = await Promise.all(
        Array.from({ length: count }, async () => {
          const server = createServer().listen(0, '127.0.0.1');
          await once(server, 'listening');
          return server;
        }),
      );
      const hosts = silent.map((one) => `127.0.0.1:${(one.address() as AddressInfo).port}`).join();
      const pool = openPool({
        url: `postgres://x@${hosts}/x`,
        role: 'app',
        max: 1,
        name: 'silent',
      });
      const error = await pool.query('select 1').catch((error: unknown) => error);
      expect(error).toBeInstanceOf(Error);
      expect([isUnavailable(error), String(error)]).toEqual([true, String(error)]);
      await pool.end();
      for (const server of silent) server.close();
    },
  );
});
