import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { compiled } from './run.js';

const SERVICE = await compiled('libs/runtime/service.ts');

/** A service in a separate process, because the tests end it. */
function run(body: string, environment: Record<string, string> = {}) {
  const script = `
    import { startService } from ${JSON.stringify(SERVICE)};
    await startService({
      name: 'tested',
      settings: ['databaseUrl'],
      async start(service) {
        const print = (word) => console.log(word);
        ${body}
      },
    });`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://ledger', ...environment },
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
    if (/"url":"[^"]+"/.test(output.out)) child.emit('ready');
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  return { child, output };
}

/** Without the log, which has its own buffer. */
const printed = (out: string) => out.split('\n').filter((line) => line && !line.startsWith('{'));

test('wrong settings are listed together before anything is opened; exit code 2', async () => {
  const { child, output } = run(`print('opened');`, { DATABASE_URL: '', STATUS_PORT: 'many' });
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(output.out).toBe('');
  expect(output.err).toMatch(/Wrong settings:[\s\S]*DATABASE_URL must be set/);
  expect(output.err).toContain('STATUS_PORT');
  expect(output.err).not.toContain('    at ');
});

test('/ready checks the parts, /metrics shows their metrics, and they close in reverse order', async () => {
  const { child, output } = run(`
    service.add('first', { close: () => print('closed first'), checks: [{ name: 'one', check: () => null }] });
    service.add('second', { close: () => print('closed second'), checks: [{ name: 'two', check: () => 'away' }] });
    service.onReady((url) => print('ready at ' + url));`);
  await once(child, 'ready');
  const url = /"url":"([^"]+)"/.exec(output.out)?.[1] ?? '';
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', checks: { one: null, two: 'away' } },
  ]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('process_cpu_seconds_total{service="tested"}');
  expect(metrics).toContain('reelbook_check_failing{check="two",service="tested"} 1');
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(printed(output.out)).toEqual([`ready at ${url}`, 'closed second', 'closed first']);
});

test('an uncaught error is logged, closes the parts and exits with 1', async () => {
  const { child, output } = run(`
    service.add('first', { close: () => print('closed first') });
    service.onReady(() => setTimeout(() => Promise.reject(new Error('unseen')), 20));`);
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output.out).toMatch(/"level":60.*unseen/);
  expect(printed(output.out)).toEqual(['closed first']);
});
