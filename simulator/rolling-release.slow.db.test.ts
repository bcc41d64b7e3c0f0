/** A release and a switchover of Postgres while players play: every request is answered after asking again by its key. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { auditLedger } from '@reelbook/audit/audit';
import { readCatalogue } from '@reelbook/event-store/catalogue';
import { migrate } from '@reelbook/event-store/migrate';
import { freePort } from '@reelbook/runtime/ports';
import { compile } from '@reelbook/runtime/run.js';
import { createDatabase } from '@reelbook/testing/database';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { takeMoneyTrip } from './client/money-trip.ts';
import { playMore } from './runs/play-through.ts';
import { type Cluster, missingPrograms, startCluster } from './stages/cluster.ts';
import { startPayingStage } from './stages/paying-processes.ts';
import { type Scene, setScene } from './stages/scene.ts';
import type { Service } from './stages/service.ts';
import type { Services } from './stages/services.ts';

const TIMEOUT_MS = 600_000;
const FUNDED_MINOR = 60_000_000_000n;
const MIGRATION = '0099_notes.sql';
const ADDED = `-- additive: notes about rounds, of the later build of this test
create table round_notes (id bigint generated always as identity primary key, round text not null);
grant select, insert on round_notes to reelbook_app;
alter table sessions add column tries int not null default 0;
create index sessions_by_tries on sessions (tries);
`;

let scene: Scene;
let close = async () => {};
afterEach(() => close(), TIMEOUT_MS);

async function enter(startDatabase?: Parameters<typeof setScene>[0]): Promise<void> {
  scene = await setScene(startDatabase);
  close = async () => {
    await scene.close();
    scene.stage.remove();
  };
}

async function expectSound(): Promise<void> {
  await scene.expectSound();
  await scene.expectReplaysEqual();
  const { pool } = scene;
  const { findings } = await auditLedger({ pool, vault: null, onProgress() {} });
  expect(findings.kept).toEqual([]);
}

describe('a rolling release', () => {
  let build: string;
  beforeAll(async () => {
    build = await compileLater();
  }, TIMEOUT_MS);
  afterAll(() => rmSync(build, { recursive: true, force: true }));

  test(
    'with an additive migration: both builds work on its schema, no request is lost or doubled, and the audit is clean',
    async () => {
      await enter();
      const { stage } = scene;
      await scene.during(async (playing) => {
        await migrateLater(build, stage);
        await playMore(playing);
        // The build of before also starts on it.
        await replace(stage.named('gateway-2'), originOf('gateway-2'));
        await playMore(playing);
        // Those who read before those who write.
        for (const name of ['publisher', 'projector', 'auditor', 'gateway-1', 'gateway-2']) {
          stage.named(name).runFrom(build);
          await replace(stage.named(name), originOf(name));
          await playMore(playing);
        }
      });
      for (const service of stage.services)
        expect(readFileSync(`/proc/${service.pid()}/cmdline`, 'utf8')).toContain(build);
      await expectSound();
    },
    TIMEOUT_MS,
  );

  test(
    'of both cashiers and the console, with a deposit and a withdrawal under way: both are paid once',
    async () => {
      const stage = await startPayingStage();
      close = stage.stop;
      const { chain, origin, pool } = stage;
      const port = await freePort();
      for (const name of ['gateway', 'publisher', 'projector']) stage.start(name, name);
      const released = ['cashier-1', 'cashier-2', 'console'];
      for (const name of released) {
        if (name !== 'console') stage.start(name, 'cashier');
        else stage.start(name, 'admin', { ADMIN_PORT: String(port) });
      }
      await stage.ready();
      let paidMinor = (await chain.chain.treasury()).tokenMinor;
      const takeTrip = async (disturb = async () => {}) => {
        const wallet = createWallet();
        await chain.fund(FUNDED_MINOR, wallet);
        const trip = await takeMoneyTrip({ origin, rpcUrl: chain.local.url, wallet, disturb });
        paidMinor += trip.depositedMinor - trip.receivedMinor;
      };
      await takeTrip(async () => {
        const release = async () => {
          await migrateLater(build, stage);
          for (const name of released) {
            stage.named(name).runFrom(build);
            const at = name === 'console' ? `http://127.0.0.1:${port}` : null;
            await replace(stage.named(name), at);
          }
        };
        await Promise.all([takeTrip(), release()]);
      });
      // Of the later build alone.
      await takeTrip();
      for (const name of released)
        expect(readFileSync(`/proc/${stage.named(name).pid()}/cmdline`, 'utf8')).toContain(build);
      expect((await chain.chain.treasury()).tokenMinor).toBe(paidMinor);
      const { findings } = await auditLedger({ pool, vault: null, onProgress() {} });
      expect(findings.kept).toEqual([]);
      expect(stage.services.flatMap(({ faults }) => faults)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

const originOf = (name: string) =>
  scene.stage.gateways[['gateway-1', 'gateway-2'].indexOf(name)] ?? null;

async function migrateLater(build: string, { environment }: Pick<Services, 'environment'>) {
  const program = [join(build, 'services/cli/main.js'), 'migrate'];
  const env = { ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  expect(stdout).toContain(`applied ${MIGRATION}`);
}

/** Stops it in order and waits until it works again; what has an origin, until it is ready. */
async function replace(service: Service, origin: string | null): Promise<void> {
  const before = service.pid();
  await service.kill(0, 'SIGTERM');
  await vi.waitFor(async () => {
    expect([null, before]).not.toContain(service.pid());
    if (origin === null) return;
    const response = await fetch(`${origin}/ready`);
    const { checks } = (await response.json()) as { checks: object };
    expect(checks).toMatchObject({ ledger: null, integrity: null });
    expect(response.ok).toBe(true);
  }, WAIT);
}

/** A copy of the compiled build with one more migration. @returns its folder. */
async function compileLater(): Promise<string> {
  const present = await compile();
  const folder = join(dirname(present), `later-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(present, folder, { recursive: true, verbatimSymlinks: true });
  const migrations = join(folder, 'migrations');
  writeFileSync(join(migrations, MIGRATION), ADDED);
  writeFileSync(join(migrations, MIGRATION.replace('.sql', '.after.sql')), 'select 1');
  const database = await createDatabase();
  try {
    const owner = database.pool('owner');
    await migrate(owner, migrations);
    const catalogue = JSON.stringify(await readCatalogue(owner));
    writeFileSync(join(migrations, 'catalogue.json'), catalogue);
    return folder;
  } finally {
    await database.drop();
  }
}

const missing = missingPrograms();
const skipped = missing.length > 0 ? ` (skipped, not installed: ${missing.join(', ')})` : '';

describe.runIf(missing.length === 0)(`a switchover of Postgres${skipped}`, () => {
  test(
    'under load, twice: no request is lost or doubled, and the audit is clean',
    async () => {
      let cluster: Cluster | null = null;
      await enter(async (folder) => {
        // The account of Postgres must be able to enter.
        chmodSync(dirname(folder), 0o711);
        cluster = await startCluster(folder);
        const none = async () => false;
        return { ...cluster, kill: none, killBackend: none, settled: async () => {} };
      });
      const { untilComplete } = cluster as unknown as Cluster;
      for (let n = 0; n < 2; n++) {
        await scene.during(async (playing) => {
          const before = await untilComplete();
          await before.switchOver();
          await vi.waitFor(
            async () => expect((await untilComplete()).name).not.toBe(before.name),
            WAIT,
          );
          await playMore(playing);
        });
        await expectSound();
      }
    },
    TIMEOUT_MS,
  );
});
