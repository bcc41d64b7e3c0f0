import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { chainHash } from '@reelbook/event-store/hash-chain';
import { readHead } from '@reelbook/event-store/read-log';
import { createDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { silentLog } from '@reelbook/testing/messages';
import { natsAvailable, startNats } from '@reelbook/testing/nats';
import { runInProcess } from '@reelbook/testing/run-program';
import { expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';
import { readCommands } from './publisher.ts';

test.runIf(natsAvailable())('an operator inspects, saves and resets a stream', async () => {
  const [database, nats] = [await createDatabase(), await startNats()];
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-stream-'));
  const bus = await connectNats({ url: nats.url, log: silentLog });
  try {
    const settings = { DATABASE_URL: database.url, NATS_URL: nats.url, DATA_DIR: folder };
    const run = (...args: readonly string[]) =>
      runInProcess(reelbook, ['stream', ...args], settings);
    const pool = database.pool('app');
    const history = createHistory();
    history.register(walletOf(1));
    await history.appendTo(pool);
    const { position, hash } = await readHead(pool);
    await bus.lastStored();
    const { commands } = await readCommands(pool, { position: 0, hash: '0'.repeat(64) });
    await bus.publish(commands);
    expect(await run()).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
    expect(await run('reset')).toMatchObject({ code: 1 });
    expect(await bus.lastStored()).toEqual({ position, hash });

    const lost = '{"what":"happened after the backup"}';
    await bus.publish([
      {
        stream: 'config',
        firstPosition: position + 1,
        bodies: [lost],
        previousHash: hash,
        hash: chainHash(hash, lost),
      },
    ]);
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('FOREIGN') });
    const file = join(folder, 'saved.jsonl');
    const reset = await run('reset', '--save', file);
    expect(reset).toMatchObject({ code: 0, output: expect.stringContaining('1 events in') });
    expect(readFileSync(file, 'utf8')).toBe(`${lost}\n`);
    expect(await bus.lastStored()).toBeNull();
    expect(await run('--help')).toMatchObject({ code: 0 });
    expect(await run('purge')).toMatchObject({ code: 2 });
  } finally {
    await bus.close();
    await nats.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
