import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bornAt } from '@reelbook/runtime/processes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataFolder } from './lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelbook-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockFile = () => join(folder, 'lock');

test('the folder is made, held and given back', async () => {
  const inner = join(folder, 'made/for/us');
  const lock = await lockDataFolder(inner);
  expect(JSON.parse(readFileSync(join(inner, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
  await (await lockDataFolder(inner)).release();
});

test('a process that lives keeps it', async () => {
  const other = spawn('sleep', ['60']);
  const pid = other.pid ?? 0;
  writeFileSync(lockFile(), JSON.stringify({ pid, born: bornAt(pid) }));
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${pid}) is running on the data`);
  other.kill('SIGKILL');
  await once(other, 'exit');
  (await lockDataFolder(folder)).release();
});

test.each([
  ['a process whose id another has now', JSON.stringify({ pid: 1, born: 'another boot 12' })],
  ['a process that was killed while it wrote', ''],
  ['nobody that can be read', '{"pid":'],
])('a lock of %s is taken over', async (_who, text) => {
  writeFileSync(lockFile(), text);
  (await lockDataFolder(folder)).release();
});

test('of two that find a dead lock at the same time, one gets it', async () => {
  writeFileSync(lockFile(), '');
  const outcomes = await Promise.allSettled([start(), start(), start()]);
  const got = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : 'failed',
  );
  expect(got.filter((word) => word === 'locked')).toHaveLength(1);
});

/** Another process, since a process may take over its own lock. */
async function start(): Promise<string> {
  const script = `
    import { lockDataFolder } from './lock.ts';
    await lockDataFolder(${JSON.stringify(folder)});
    process.stdout.write('locked');
    setTimeout(() => {}, 1500);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}

test('a folder that cannot be is told as such', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(lockDataFolder(join(folder, 'file/inside'))).rejects.toThrow('cannot be written');
});
