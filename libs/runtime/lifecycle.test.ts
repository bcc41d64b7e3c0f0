import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { compiled } from './run.js';

const LIFECYCLE = await compiled('libs/runtime/lifecycle.ts');
const LOG = await compiled('libs/runtime/log.ts');

/** A separate process, because the tests end it. `output` is complete after its end. */
function run(body: string): { child: ChildProcess; output: { out: string; err: string } } {
  const script = `
    import { runProcess, StartError } from ${JSON.stringify(LIFECYCLE)};
    import { openLog } from ${JSON.stringify(LOG)};
    const print = (word) => console.log(word);
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await runProcess(openLog({ name: 'test', level: 'silent' }), async (life) => {
      const alive = setInterval(() => {}, 1000);
      ${body}
      print('ready');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
    if (String(chunk).includes('ready')) child.emit('ready');
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  return { child, output };
}

test('parts close in reverse order, and a duplicate signal is ignored', async () => {
  const { child, output } = run(`
    life.onClose('first', () => print('closed first'));
    life.onClose('second', async () => { await wait(150); print('closed second'); });`);
  await once(child, 'ready');
  child.kill('SIGTERM');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([output.out, code]).toEqual(['ready\nclosed second\nclosed first\n', 0]);
});

test('a part that fails to close does not keep the others open', async () => {
  const { child, output } = run(`
    life.onClose('first', () => print('closed first'));
    life.onClose('second', () => { throw new Error('stuck'); });`);
  await once(child, 'ready');
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  expect([output.out, code]).toEqual(['ready\nclosed first\n', 0]);
});

test('a failed start closes its parts, prints the reason without a stack and exits with 2', async () => {
  const { child, output } = run(`
    life.onClose('first', () => print('closed first'));
    throw new StartError('the port is taken');`);
  const [code] = await once(child, 'close');
  expect([output, code]).toEqual([{ out: 'closed first\n', err: '\nthe port is taken\n' }, 2]);
});

test('a system error of a wrong setting is printed without a stack, any other error with it', async () => {
  const taken = run(`
    const { createServer } = await import('node:net');
    const server = createServer().listen(0);
    await new Promise((_, reject) => createServer().on('error', reject).listen(server.address().port));`);
  const broken = run('life.nothing();');
  const ended = await Promise.all([taken, broken].map(({ child }) => once(child, 'close')));
  expect(ended.map(([code]) => code)).toEqual([2, 2]);
  expect(taken.output.err).toMatch(/^\nlisten EADDRINUSE: address already in use .*\n$/);
  expect(broken.output.err).toMatch(/TypeError: life\.nothing is not a function\n +at /);
});

test('an uncaught error closes in order and exits with 1', async () => {
  const { child, output } = run(`
    life.onClose('first', () => print('closed first'));
    setTimeout(() => Promise.reject(new Error('unseen')), 50);`);
  const [code] = await once(child, 'close');
  expect([output.out, code]).toEqual(['ready\nclosed first\n', 1]);
});

/** Its clock is so fast that the deadline of closing passes immediately. */
const HURRIED = `
  const { setTimeout: inTime } = globalThis;
  globalThis.setTimeout = (act, ms, ...rest) => inTime(act, ms / 100, ...rest);`;

test.each([
  ['a fault', `setTimeout(() => life.fail(new Error('Postgres ended')), 0);`, 1],
  ['a start that cannot be', `throw new StartError('the port is taken');`, 2],
])(
  'after %s a part that never closes keeps the process until the deadline, not longer',
  async (_after, act, code) => {
    const { child, output } = run(`
    ${HURRIED}
    life.onClose('first', () => print('closed first'));
    life.onClose('second', () => new Promise(() => print('closing second')));
    ${act}`);
    const [ended] = await once(child, 'close');
    expect([ended, output.out.replace('ready\n', '')]).toEqual([code, 'closing second\n']);
  },
);
