/** A replicated Postgres loses its leader: no old leader takes an append, and a URL of all nodes finds the new one. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { append } from '@reelbook/event-store/append';
import { openPool } from '@reelbook/event-store/db';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { WAIT } from '@reelbook/testing/wait';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, type ClusterNode, missingPrograms, startCluster } from './stages/cluster.ts';

const TIMEOUT_MS = 300_000;
const TRIES_BEFORE = 20;
const TRIES_AFTER = 5;
const PAUSE_MS = 20;

interface Try {
  readonly key: string;
  /** Sent when another node had the leader's lock. */
  readonly late: boolean;
  acknowledged: boolean;
}

async function appendOne(pool: pg.Pool, key: string): Promise<void> {
  const stream = `player-${randomBytes(22).toString('hex').replaceAll('0', 'A').slice(1)}`;
  const [result] = await append(pool, [
    {
      idempotencyKey: key,
      requestHash: randomBytes(32).toString('hex'),
      ...{ stream, expectedVersion: 0, configVersion: null, marginDeltaMinor: 0n },
      ...{ mustCover: false, state: '{}', stateSchema: 1 },
      events: [{ type: 'NicknameChanged', tail: '"data":{"nickname":"n"},"meta":{}}' }],
    },
  ]);
  expect(result).toMatchObject({ status: 'appended' });
}

/** The keys of the ledger. */
async function readKeys(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ key: string }>('select key::text from idempotency_keys');
  return new Set(rows.map(({ key }) => key.replaceAll('-', '')));
}

/** Whether it calls itself a standby. */
async function follows({ url }: ClusterNode): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_is_in_recovery() as follows');
  await client.end();
  return rows[0].follows;
}

const missing = missingPrograms();
const skipped = missing.length > 0 ? ` (skipped, not installed: ${missing.join(', ')})` : '';

describe.runIf(missing.length === 0)(`an old leader${skipped}`, () => {
  let folder = '';
  let cluster: Cluster;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reelbook-old-leader-'));
    cluster = await startCluster(folder);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  test('has from its first start a login of the services, which is no superuser and owns their database', async () => {
    const ours = openPool({ url: cluster.url, role: 'owner', max: 1, name: 'ours' });
    const { rows } = await ours.query(
      `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as more, rolname = 'reelbook' as same
        from pg_roles join pg_database on datdba = pg_roles.oid
        where rolname = session_user and datname = current_database()`,
    );
    expect(rows).toEqual([{ more: false, same: true }]);
    await ours.end();
  });

  const resume = (node: ClusterNode) => node.resume();
  const restore = (node: ClusterNode) => node.restore();
  test.each([
    ['paused and resumed', (node: ClusterNode) => node.pause(), resume, false],
    ['cut off and back', (node: ClusterNode) => node.cut(), restore, false],
    ['whose Patroni alone was paused', (node: ClusterNode) => node.pausePatroni(), resume, true],
  ] as const)(
    '%s acknowledges nothing after another leads, and what it acknowledged before is kept',
    async (_, stop, goOn, leadsStill) => {
      const old = await cluster.untilComplete();
      // Without time limits: what was sent to a paused server is executed when it goes on.
      const direct = new pg.Pool({ connectionString: old.url, max: 3 });
      direct.on('error', () => {});
      direct.on('connect', (client) => client.on('error', () => {}));
      const ours = openPool({ url: cluster.url, role: 'app', max: 2, name: 'ours' });
      const newKey = () => randomBytes(16).toString('hex');
      await vi.waitFor(() => appendOne(ours, newKey()), WAIT);
      const tries: Try[] = [];
      let [isLate, isOver] = [false, false];
      const keepTrying = async () => {
        while (!isOver) {
          const key = newKey();
          const one: Try = { key, late: isLate, acknowledged: false };
          tries.push(one);
          await appendOne(direct, key).then(
            () => {
              one.acknowledged = true;
            },
            () => {},
          );
          await sleep(PAUSE_MS);
        }
      };
      const trying = [keepTrying(), keepTrying()];
      const count = (of: (one: Try) => boolean) => tries.filter(of).length;
      await vi.waitFor(
        () => expect(count((one) => one.acknowledged)).toBeGreaterThan(TRIES_BEFORE),
        WAIT,
      );
      stop(old);
      await cluster.untilLed(old);
      isLate = true;
      trying.push(keepTrying());
      await vi.waitFor(() => expect(count((one) => one.late)).toBeGreaterThan(0), WAIT);
      await vi.waitFor(() => appendOne(ours, newKey()), WAIT);
      if (leadsStill) expect(await follows(old)).toBe(false);
      await goOn(old);
      const leader = await cluster.untilComplete();
      expect(leader.name).not.toBe(old.name);
      await vi.waitFor(() => expect(count((one) => one.late)).toBeGreaterThan(TRIES_AFTER), WAIT);
      isOver = true;
      await Promise.all(trying);
      expect(count((one) => one.late && one.acknowledged)).toBe(0);
      const keys = await vi.waitFor(() => readKeys(ours), WAIT);
      const lost = tries.filter(({ key, acknowledged }) => acknowledged && !keys.has(key));
      expect(lost).toEqual([]);
      expect(tries.filter(({ key, late }) => late && keys.has(key))).toEqual([]);
      // It follows now, and has just the ledger of the new leader.
      await vi.waitFor(() => appendOne(ours, newKey()), WAIT);
      const head = await readHead(ours);
      expect(await readLog(ours, { from: 1, limit: 10_000 })).toHaveLength(head.position);
      const follower = openPool({ url: old.url, role: 'app', max: 1, name: 'follower' });
      await vi.waitFor(async () => expect(await readHead(follower)).toEqual(head), WAIT);
      expect(await follows(old)).toBe(true);
      await Promise.all([direct.end(), ours.end(), follower.end()]);
    },
    TIMEOUT_MS,
  );
});
