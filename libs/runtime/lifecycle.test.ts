import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A process of its own, since what is tested is how a process ends. */
function run(body: string): { child: ChildProcess; output(): string } {
  const script = `
    import { runProcess, StartError } from './lifecycle.ts';
    import { openLog } from './log.ts';
    const say = (word) => console.log(word);
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await runProcess(openLog({ name: 'test', level: 'silent' }), async (life) => {
      const alive = setInterval(() => {}, 1000);
      ${body}
      say('ready');
    });`;
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
      if (String(chunk).includes('ready')) child.emit('ready');
    });
  }
  return { child, output: () => text };
}

test('parts close in reverse order, and a signal that comes twice is one', async () => {
  const { child, output } = run(`
    life.onClose('first', () => say('closed first'));
    life.onClose('second', async () => { await wait(150); say('closed second'); });`);
  await once(child, 'ready');
  child.kill('SIGTERM');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(output()).toBe('ready\nclosed second\nclosed first\n');
  expect(code).toBe(0);
});

test('a part that does not close does not keep the others open', async () => {
  const { child, output } = run(`
    life.onClose('first', () => say('closed first'));
    life.onClose('second', () => { throw new Error('stuck'); });`);
  await once(child, 'ready');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([output(), code]).toEqual(['ready\nclosed first\n', 0]);
});

test('a start that cannot be closes what it opened, says why without a stack, and ends with 2', async () => {
  const { child, output } = run(`
    life.onClose('first', () => say('closed first'));
    throw new StartError('the port is taken');`);
  const [code] = await once(child, 'exit');
  expect([output(), code]).toEqual(['\nthe port is taken\nclosed first\n', 2]);
});

test('a fault that nobody caught closes in order and ends with 1', async () => {
  const { child, output } = run(`
    life.onClose('first', () => say('closed first'));
    setTimeout(() => Promise.reject(new Error('unseen')), 50);`);
  const [code] = await once(child, 'exit');
  expect([output(), code]).toEqual(['ready\nclosed first\n', 1]);
});
