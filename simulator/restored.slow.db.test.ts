/** A ledger that goes back under running processes, with a real NATS. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { readHead } from '@reelbook/event-store/read-log';
import { freePort } from '@reelbook/runtime/ports';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { silentLog } from '@reelbook/testing/messages';
import { natsAvailable } from '@reelbook/testing/nats';
import { runFile } from '@reelbook/testing/run-file';
import { SEED } from '@reelbook/testing/seeds';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Player, SPIN_PATH } from './client/player.ts';
import { openServices, type Services } from './stages/services.ts';

const TIMEOUT_MS = 600_000;
const SERVICES = {
  gateway: 'gateway',
  console: 'admin',
  publisher: 'publisher',
  projector: 'projector',
  auditor: 'auditor/serve',
};
const names = Object.keys(SERVICES);

let database: TestDatabase;
let stage: Services;
let origin: string;
const statusPorts = new Map<string, number>();
beforeAll(async () => {
  database = await createDatabase();
  stage = await openServices(database.url, { PLAY_MONEY: 'yes' });
  const PORT = String(await freePort());
  const ADMIN_PORT = String(await freePort());
  origin = `http://127.0.0.1:${PORT}`;
  for (const [name, main] of Object.entries(SERVICES)) {
    statusPorts.set(name, await freePort());
    stage.start(name, main, { PORT, ADMIN_PORT, STATUS_PORT: String(statusPorts.get(name)) });
  }
}, TIMEOUT_MS);
afterAll(async () => {
  await stage.stop();
  await database.drop();
  rmSync(stage.folder, { recursive: true, force: true });
}, TIMEOUT_MS);

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, string | null>>;
}

async function readyOf(name: string): Promise<Ready> {
  const url = `http://127.0.0.1:${statusPorts.get(name)}/ready`;
  return fetch(url).then(
    async (response) => (await response.json()) as Ready,
    () => ({ status: 'down', checks: {} }),
  );
}

const expectReady = () =>
  expect
    .poll(async () => (await Promise.all(names.map(readyOf))).map(({ status }) => status), WAIT)
    .toEqual(names.map(() => 'ok'));

const headNow = async () => (await readHead(database.pool('app', 1))).position;
const command = (...words: string[]) => runFile('services/cli/main.ts', words, stage.environment);
const openBus = (epoch: number) => connectNats({ url: stage.natsUrl ?? '', log: silentLog, epoch });

describe.runIf(natsAvailable())('a ledger that went back', () => {
  test(
    'stops every process until a restore is recorded; then all start again, with a new stream',
    async () => {
      await expectReady();
      const player = new Player({ origins: [origin], seed: SEED + 700 });
      const token = await player.enter();
      const spin = async () => {
        const response = await fetch(`${origin}/api/v1${SPIN_PATH}`, {
          method: 'POST',
          body: JSON.stringify({ bet_amount: 1 }),
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        });
        return response.status;
      };
      expect(await spin()).toBe(200);
      const restoredTo = await headNow();
      const kept = await database.keepCopy();
      await expect.poll(spin, WAIT).toBe(200);
      const known = await headNow();
      const bus = await openBus(0);
      await expect
        .poll(async () => (await bus.lastStored())?.position, WAIT)
        .toBeGreaterThanOrEqual(known);
      // Each compares the head for its readiness.
      await expectReady();

      await kept.goBack();
      for (const name of names) {
        await expect
          .poll(async () => (await readyOf(name)).checks.ledger, WAIT)
          .toContain(`the ledger went back: it ends at #${restoredTo}`);
      }
      expect(await spin()).toBe(503);
      // A process that starts after the loss has only NATS to know it from; the console is where the loss is accepted.
      for (const name of ['gateway', 'auditor', 'console']) {
        const killed = stage.named(name).pid() ?? 0;
        process.kill(killed, 'SIGKILL');
        await expect.poll(() => stage.named(name).pid(), WAIT).not.toBe(killed);
        // It waits as for a database that is away, before its ports are open.
        const waits = async () => /"WentBack".*waiting for it/.test(stage.logOf(name));
        const isReady = async () => (await readyOf(name)).status === 'ok';
        await expect.poll(name === 'console' ? isReady : waits, WAIT).toBe(true);
      }
      expect(await headNow()).toBe(restoredTo);

      const pids = names.map((name) => stage.named(name).pid());
      const end = (await bus.lastStored())?.position;
      const { code, output } = await command('restored', '--reason', 'an old standby was promoted');
      expect(output).toContain(`lost       #${restoredTo + 1} to #${end}`);
      expect(output).toContain('restored   epoch 1');
      expect(code).toBe(0);
      for (const [index, name] of names.entries()) {
        await expect.poll(() => stage.named(name).pid(), WAIT).not.toBe(pids[index]);
      }
      await expectReady();
      for (const name of names) expect(stage.logOf(name)).toContain('epoch 1: this process has to');
      await expect.poll(spin, WAIT).toBe(200);
      const next = await openBus(1);
      await expect
        .poll(async () => (await next.lastStored())?.position, WAIT)
        .toBe(await headNow());
      await next.close();
      expect((await bus.lastStored())?.position).toBe(end);
      await bus.close();

      const saved = join(stage.folder, 'saved.jsonl');
      const reset = await command('stream', 'reset', '--save', saved, '--epoch', '0');
      expect(reset).toMatchObject({ code: 0 });
      expect(readFileSync(saved, 'utf8')).toContain(`{"position":${known},`);
      const audited = await command('audit');
      expect(audited.output).toContain(`LOST      epoch 1 at #`);
      expect(audited.output).toContain(`#${restoredTo + 1} to #${end}, with 0 payments`);
      expect(audited.code).toBe(0);
    },
    TIMEOUT_MS,
  );
});
