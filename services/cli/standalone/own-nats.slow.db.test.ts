import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { readLog } from '@reelbook/event-store/read-log';
import { startPublisher } from '@reelbook/publisher/publisher';
import { findNatsUrl } from '@reelbook/runtime/data-folder';
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { programPath, readSettings } from '@reelbook/runtime/settings';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { silentLog, takeTo, textsIn } from '@reelbook/testing/messages';
import { natsAvailable } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openBus } from './nats-server.ts';

const settings = { ...readSettings(), natsUrl: null };
const own = natsAvailable() && settings.testContainers !== 'yes' && readSettings().natsUrl === null;
const canLimit = spawnSync('prlimit', ['--version']).status === 0;
/** Of a file of the stream: some hundred bets. */
const FILE_MAX_BYTES = 200_000;
const anna = walletOf(1);

let dataDir = '';
let closers: (() => Promise<unknown> | unknown)[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'reelbook-own-nats-'));
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(dataDir, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

async function open(log = openLog({ name: 'test', level: 'silent' })) {
  const ending = new AbortController();
  const life: Lifecycle = {
    signal: ending.signal,
    onClose: (_name, close) => void closers.push(close),
    fail(error) {
      throw error;
    },
  };
  const opened = await openBus({ ...settings, dataDir }, life, log, () => {});
  closers.push(() => ending.abort());
  return opened;
}

const pidOf = () => Number(readFileSync(join(dataDir, 'nats/pid'), 'utf8'));
const urlOf = () => findNatsUrl({ dataDir, natsUrl: null }) ?? '';

/** A ledger whose events are published to the bus. */
async function openLedger(bus: Bus) {
  const database: TestDatabase = await createDatabase();
  closers.push(() => database.drop());
  const pool = database.pool('app', 2);
  const history = createHistory();
  history.register(anna, 100_000_000n);
  const publisher = startPublisher({ pool, bus, log: openLog({ name: 'test', level: 'silent' }) });
  closers.push(publisher.close);
  return {
    publisher,
    async bet(count: number): Promise<number> {
      for (let i = 0; i < count; i++) history.bet(anna, 100n, 0n);
      return history.appendTo(pool);
    },
    /** The stream has every event of the ledger up to `head` once. */
    async expectComplete(head: number): Promise<void> {
      await vi.waitFor(
        async () => expect(await bus.lastStored()).toMatchObject({ position: head }),
        WAIT,
      );
      const ledger = await readLog(pool, { from: 1, limit: 10_000 });
      expect(textsIn(await takeTo(bus, 1, head))).toEqual(ledger.map((event) => event.body));
    },
  };
}

describe.runIf(own)('the NATS of the standalone', () => {
  test('refuses a client without its password', async () => {
    const { bus, where } = await open();
    expect(bus.healthy()).toBe(true);
    expect(await bus.lastStored()).toBeNull();
    const { host, password } = new URL(urlOf());
    for (const wrong of [`nats://${host}`, `nats://reelbook:${'0'.repeat(48)}@${host}`]) {
      const stranger = await connectNats({ url: wrong, log: silentLog });
      expect(stranger.healthy()).toBe(false);
      await expect(stranger.publish([])).rejects.toThrow('no connection');
      await stranger.close();
    }
    expect(where).not.toContain(password);
    for (const file of ['nats-url', 'nats/conf']) {
      expect(readFileSync(join(dataDir, file), 'utf8')).toContain(password);
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
  });

  test('is started again after kill -9, and its stream has every event', async () => {
    const { bus } = await open();
    const ledger = await openLedger(bus);
    await ledger.expectComplete(await ledger.bet(20));
    const before = pidOf();
    const url = urlOf();
    process.kill(before, 'SIGKILL');
    const head = await ledger.bet(20);
    await vi.waitFor(() => expect(bus.healthy()).toBe(false), WAIT);
    await ledger.expectComplete(head);
    expect(pidOf()).not.toBe(before);
    expect(urlOf()).toBe(url);
    await vi.waitFor(() => expect(bus.healthy()).toBe(true), WAIT);
  });

  test('is reported once while it cannot be started, and runs again when it can', async () => {
    const bin = join(dataDir, 'bin');
    mkdirSync(bin);
    const program = programPath().map((folder) => join(folder, 'nats-server'));
    const found = program.find((file) => statSync(file, { throwIfNoEntry: false }));
    copyFileSync(found ?? '', join(bin, 'nats-server'));
    vi.stubEnv('PATH', bin);
    const log = openLog({ name: 'test', level: 'silent' });
    const reported = vi.spyOn(log, 'error');
    const { bus, where } = await open(log);
    expect(where).toContain(bin);
    const ledger = await openLedger(bus);
    await ledger.expectComplete(await ledger.bet(1));
    renameSync(join(bin, 'nats-server'), join(bin, 'gone'));
    process.kill(pidOf(), 'SIGKILL');
    await vi.waitFor(() => expect(reported).toHaveBeenCalled(), WAIT);
    const head = await ledger.bet(5);
    await vi.waitFor(() => expect(ledger.publisher.status().failing).not.toBeNull(), WAIT);
    expect(bus.healthy()).toBe(false);
    renameSync(join(bin, 'gone'), join(bin, 'nats-server'));
    await ledger.expectComplete(head);
    expect(reported).toHaveBeenCalledTimes(1);
    expect(reported.mock.calls[0]?.[1]).toContain('cannot be started again');
  });

  // As a full disk: the server cannot write, and blocks. Its successor has no such limit, as after space was freed.
  test.runIf(canLimit)('is started again when it cannot write', async () => {
    const { bus } = await open();
    const ledger = await openLedger(bus);
    await ledger.expectComplete(await ledger.bet(5));
    const before = pidOf();
    const limit = ['--pid', String(before), `--fsize=${FILE_MAX_BYTES}:unlimited`];
    expect(spawnSync('prlimit', limit).status).toBe(0);
    const head = await ledger.bet(1_000);
    await vi.waitFor(() => expect(ledger.publisher.status().failing).toBe('TIMEOUT'), WAIT);
    expect(bus.healthy()).toBe(false);
    await ledger.expectComplete(head);
    expect(pidOf()).not.toBe(before);
    await vi.waitFor(() => expect(ledger.publisher.status().failing).toBeNull(), WAIT);
    expect(bus.healthy()).toBe(true);
  });
});
