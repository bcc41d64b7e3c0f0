import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bornAt } from '@reelbook/runtime/processes';
import { compiled } from '@reelbook/runtime/run.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataFolder } from './lock.ts';

const LOCK = await compiled('services/cli/standalone/lock.ts');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelbook-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockFile = () => join(folder, 'lock');

test('the folder is created, locked and released', async () => {
  const inner = join(folder, 'a/new/folder');
  const lock = await lockDataFolder(inner);
  expect(JSON.parse(readFileSync(join(inner, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
  await (await lockDataFolder(inner)).release();
});

test('a running process keeps the lock', async () => {
  const other = spawn('sleep', ['600']);
  const pid = other.pid ?? 0;
  writeFileSync(lockFile(), JSON.stringify({ pid, born: bornAt(pid) }));
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${pid}) is running on the data`);
  other.kill('SIGKILL');
  await once(other, 'exit');
  (await lockDataFolder(folder)).release();
});

test.each([
  ['a process whose id was reused', JSON.stringify({ pid: 1, born: 'another boot 12' })],
  ['a process that was killed while writing it', ''],
  ['an unreadable holder', '{"pid":'],
])('a lock of %s is taken over', async (_holder, text) => {
  writeFileSync(lockFile(), text);
  (await lockDataFolder(folder)).release();
});

test('one of two processes that find a stale lock takes it', async () => {
  writeFileSync(lockFile(), '');
  const others = [start(), start(), start()];
  const output = await Promise.all(others.map((other) => other.output));
  expect(output.sort()).toEqual(['', '', 'locked']);
  for (const other of others) other.end();
});

/** Another process, because a process may take over its own lock. It runs until it is ended or fails to lock. */
function start(): { readonly output: Promise<string>; end(): void } {
  const script = `
    import { lockDataFolder } from ${JSON.stringify(LOCK)};
    await lockDataFolder(${JSON.stringify(folder)});
    process.stdout.write('locked');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const output = Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk)),
    once(child, 'close').then(() => ''),
  ]);
  return { output, end: () => child.stdin.end() };
}

test('a folder that cannot be written is reported', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(lockDataFolder(join(folder, 'file/inside'))).rejects.toThrow('cannot be written');
});
