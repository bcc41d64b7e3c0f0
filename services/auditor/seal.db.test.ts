import { randomBytes } from 'node:crypto';
import { auditLedger } from '@reelbook/audit/audit';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { readEvent } from '@reelbook/event-store/read-log';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerSealed } from '@reelbook/ledger/seals/decide';
import { openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers, type Players } from '@reelbook/testing/history';
import { forge, removeEvent, replaceIn, sealAgain, tamperWith } from '@reelbook/testing/tamper';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChainBroken, sealDue } from './seal.ts';
import { startAuditor } from './start.ts';

const HOUR_MS = 3_600_000;
const EVERY_20 = { everyEvents: 20, everyMs: HOUR_MS };
const AT_ONCE = { everyEvents: 16_384, everyMs: 0 };

let database: TestDatabase;
let pool: pg.Pool;
let owner: pg.Pool;
let executor: CommandExecutor;
let vault: SeedVault;
let players: Players;
let wallet: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  owner = database.pool('owner');
  executor = startExecutor({ pool });
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  players = createPlayers({ executor, vault });
  await players.configure();
  wallet = await players.register();
});
afterAll(async () => {
  await executor.close();
  await database.drop();
});

const play = async (spins: number) => {
  for (let i = 0; i < spins; i++) await players.spin(wallet, 1);
};
const audit = () => auditLedger({ pool, vault, onProgress: () => {} });
const sealAll = async (terms = EVERY_20) => {
  const seals: LedgerSealed['data'][] = [];
  for (;;) {
    const sealed = await sealDue({ pool, executor, terms });
    if (!sealed) return seals;
    seals.push(sealed);
  }
};

describe('sealing', () => {
  it('waits for the configured number of events, then seals as many each time', async () => {
    expect(await sealAll()).toEqual([]);
    await play(25); // 56 events with the registration
    const seals = await sealAll();
    expect(seals.map(({ seal, from, to }) => [seal, from, to])).toEqual([
      [1, 1, 20],
      [2, 21, 40],
    ]);
    expect(seals[1]?.previousRoot).toBe(seals[0]?.root);
    expect(seals[1]?.chainHash).toBe((await readEvent(pool, 40))?.hash);
    const report = await audit();
    expect(report.findings.kept).toEqual([]);
    expect(report.seals).toEqual({ count: 2, to: 40 });
  });

  it('seals fewer events when they are old enough, and never seals alone', async () => {
    const [sealed, ...others] = await sealAll(AT_ONCE);
    expect(sealed).toMatchObject({ seal: 3, from: 41 });
    expect(others).toEqual([]);
    expect(await sealAll(AT_ONCE)).toEqual([]);
  });

  it('seals each range once with many auditors', async () => {
    await play(40);
    const executors = [startExecutor({ pool }), startExecutor({ pool }), startExecutor({ pool })];
    const before = (await audit()).seals;
    for (let round = 0; round < 3; round++) {
      const made = await Promise.all(
        [...executors, ...executors].map((one) =>
          sealDue({ pool, executor: one, terms: EVERY_20 }),
        ),
      );
      // The second auditor may see another head; every auditor of the range gets the recorded seal.
      const byFrom = new Map(made.flatMap((seal) => (seal ? [[seal.from, seal] as const] : [])));
      for (const seal of made) if (seal) expect(seal).toEqual(byFrom.get(seal.from));
    }
    for (const one of executors) await one.close();
    await sealAll();
    const report = await audit();
    expect(report.findings.kept).toEqual([]);
    expect(report.seals.count).toBeGreaterThanOrEqual(before.count + 4);
  });
});

describe('an altered ledger', () => {
  const tampered = (change: (client: pg.PoolClient) => Promise<unknown>) =>
    tamperWith(owner, change, async () => (await audit()).findings);

  it('is found after its complete chain was hashed again, and the range is named', async () => {
    const findings = await tampered(async (client) => {
      await replaceIn(client, 31, '"correlation":"test"', '"correlation":"tset"');
      await sealAgain(client);
    });
    expect(findings.kept).toMatchObject([
      {
        check: 'seals',
        position: 21,
        message: 'seal 2 failed: #21 to #40 were altered after they were sealed',
      },
    ]);
  });

  describe('of which a seal in the middle', () => {
    let second: { position: number; body: string };
    let third: typeof second;
    beforeAll(async () => {
      const { rows } = await owner.query<typeof second>(
        `select position, body from events where type = 'LedgerSealed' and version in (2, 3, 4)
          order by position`,
      );
      expect(rows).toHaveLength(3);
      [second, third] = rows as [typeof second, typeof second];
    });
    const unfollowed = { check: 'seals', message: 'seal 3 starts at #41; seal 1 ends at #20' };

    it('was deleted is found by the gap and by the next seal', async () => {
      const { position } = second;
      const findings = await tampered(async (client) => {
        await client.query('delete from events where position = $1', [position]);
        await sealAgain(client);
      });
      const message = `position ${position} is missing`;
      expect(findings.kept).toContainEqual(
        expect.objectContaining({ check: 'positions', position: position + 1, message }),
      );
      expect(findings.kept).toContainEqual(
        expect.objectContaining({ ...unfollowed, position: third.position }),
      );
    });

    it('was deleted and the gap closed is found by the next seal', async () => {
      const findings = await tampered(async (client) => {
        await removeEvent(client, second.position);
        await sealAgain(client);
      });
      expect(findings.first()).toEqual({ ...unfollowed, position: third.position - 1 });
    });

    it('has another root is found by its own range and by the next seal', async () => {
      const { root } = (JSON.parse(second.body) as { data: LedgerSealed['data'] }).data;
      const findings = await tampered(async (client) => {
        await replaceIn(client, second.position, root, 'd'.repeat(64));
        await sealAgain(client);
      });
      const words = ['seal 2 failed: #21 to #40', 'its previous root differs'];
      const places = [21, third.position];
      for (const [i, message] of words.entries()) {
        expect(findings.kept).toContainEqual(
          expect.objectContaining({
            check: 'seals',
            position: places[i],
            message: expect.stringContaining(message),
          }),
        );
      }
    });
  });

  it('at a position that is not sealed yet is found by the chain only', async () => {
    const { seals, events } = await audit();
    expect(events).toBeGreaterThan(seals.to);
    const findings = await tampered((client) =>
      replaceIn(client, events, '"time":"2', '"time":"1'),
    );
    expect(findings.first()).toMatchObject({ check: 'chain', position: events });
  });

  it('is sealed no further', async () => {
    await play(20);
    const { seals } = await audit();
    await tamperWith(
      owner,
      (client) => replaceIn(client, seals.to + 3, '"time":"2', '"time":"1'),
      async () => {
        const sealing = sealDue({ pool, executor, terms: EVERY_20 });
        await expect(sealing).rejects.toThrow(new ChainBroken(seals.to + 3));
      },
    );
    // Hashed again after the alteration, its start still differs from what the last seal recorded.
    await tamperWith(
      owner,
      async (client) => {
        await replaceIn(client, 2, '"correlation":"test"', '"correlation":"tset"');
        await sealAgain(client);
      },
      async () => {
        const sealing = sealDue({ pool, executor, terms: EVERY_20 });
        await expect(sealing).rejects.toThrow(new ChainBroken(seals.to + 1));
      },
    );
  });
});

it('an auditor that meets a broken chain records it once, as a finding that holds every payment', async () => {
  await play(40);
  const { seals } = await audit();
  await tamperWith(
    owner,
    (client) => replaceIn(client, seals.to + 3, '"time":"2', '"time":"1'),
    async () => {
      const log = openLog({ name: 'test', level: 'silent' });
      for (let n = 0; n < 2; n++) {
        const auditor = startAuditor({ pool, log, terms: EVERY_20 });
        await vi.waitFor(() => expect(auditor.status().failing).not.toBeNull(), WAIT);
        await auditor.close();
      }
      const { rows } = await pool.query<{ data: string }>(
        `select body->>'data' as data from events where type = 'FindingsRecorded'`,
      );
      const position = seals.to + 3;
      const finding = { check: 'chain', subject: 'ledger', position };
      expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([{ findings: [finding] }]);
    },
  );
});

it('an auditor seals until it is closed', async () => {
  const log = openLog({ name: 'test', level: 'silent' });
  const auditor = startAuditor({ pool, log, terms: EVERY_20 });
  const { seals } = await audit();
  await play(60);
  await vi.waitFor(
    async () => expect((await audit()).seals.count).toBeGreaterThan(seals.count + 3),
    WAIT,
  );
  await auditor.close();
  expect((await audit()).findings.kept).toEqual([]);
});

describe('an invalid seal is found', () => {
  const forged = (change: (to: number) => object) =>
    forge(
      pool,
      'seals',
      ({ seals, to, root }: { seals: number; to: number; root: string }) => [
        {
          type: 'LedgerSealed',
          data: {
            seal: seals + 1,
            from: to + 1,
            to: to + 2,
            root: 'a'.repeat(64),
            chainHash: 'b'.repeat(64),
            previousRoot: root,
            ...change(to),
          },
        },
      ],
      'system:auditor',
    );
  // Each forgery stays in the ledger: the next one is appended after it.
  it.each([
    ['a root that does not match its events', () => ({}), 'were altered after they were sealed'],
    ['a gap before it', (to: number) => ({ from: to + 2 }), 'ends at #'],
    ['a wrong number', () => ({ seal: 99 }), 'ends at #'],
    [
      'its previous root differs',
      () => ({ previousRoot: 'c'.repeat(64) }),
      'its previous root differs',
    ],
    ['a range after itself', () => ({ to: 1_000_000 }), 'its range #'],
    ['a range that ends before it begins', () => ({ to: 1 }), 'its range #'],
  ])('%s', async (_name, change, words) => {
    const before = new Set((await audit()).findings.kept.map(({ message }) => message));
    await forged(change);
    const { findings } = await audit();
    const fresh = findings.kept.filter(({ message }) => !before.has(message));
    expect(fresh.map(({ message }) => message).join()).toContain(words);
    expect(fresh.every(({ check }) => check === 'seals')).toBe(true);
  });
});
