import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { findNatsUrl } from '@reelbook/runtime/data-folder';
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { readSettings } from '@reelbook/runtime/settings';
import { silentLog } from '@reelbook/testing/messages';
import { natsAvailable } from '@reelbook/testing/nats';
import { expect, test } from 'vitest';
import { openBus } from './nats-server.ts';

const settings = { ...readSettings(), natsUrl: null };
const own = natsAvailable() && settings.testContainers !== 'yes' && readSettings().natsUrl === null;

test.runIf(own)('the NATS of the standalone refuses a client without its password', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reelbook-own-nats-'));
  const closers: (() => Promise<void> | void)[] = [];
  const ending = new AbortController();
  const life: Lifecycle = {
    signal: ending.signal,
    onClose: (_name, close) => void closers.push(close),
    fail(error) {
      throw error;
    },
  };
  try {
    const log = openLog({ name: 'test', level: 'silent' });
    const { bus, where } = await openBus({ ...settings, dataDir }, life, log, () => {});
    expect(bus.healthy()).toBe(true);
    expect(await bus.lastStored()).toBeNull();
    const url = findNatsUrl({ dataDir, natsUrl: null }) ?? '';
    const { host, password } = new URL(url);
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
  } finally {
    ending.abort();
    for (const close of closers.reverse()) await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
