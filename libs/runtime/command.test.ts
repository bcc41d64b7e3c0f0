import { expect, test } from 'vitest';
import { EXIT, integerOption, refusalOf, runCommand } from './command.ts';
import { StartError } from './lifecycle.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a refusal is printed with a likely fix; a bug is not a refusal', () => {
  expect(refusalOf(failure('42P01', 'relation "head" does not exist'))).toContain(
    'npm run reelbook -- migrate',
  );
  expect(refusalOf(failure('ECONNREFUSED', ''))).toMatch(/ECONNREFUSED.*npm start/);
  expect(refusalOf(failure('28P01', 'no password'))).toBe('The command failed: no password');
  expect(refusalOf(new TypeError('a bug'))).toBeNull();
});

test.each([
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
])('a database that does not answer is a sentence: %s', (message) => {
  expect(refusalOf(new Error(message))).toBe(
    `The command failed: the database does not respond (${message}).`,
  );
});

test('a command completes after the reader of its output ended', async () => {
  const { exitCode } = process;
  await runCommand(async () => {
    process.stdout.emit('error', failure('EPIPE', 'write EPIPE'));
    return EXIT.no;
  });
  expect(process.exitCode).toBe(EXIT.no);
  process.exitCode = exitCode;
});

test('an integer option is parsed, or refused with its bounds', () => {
  const read = (kills: string) => integerOption({ kills }, 'kills', { max: 10 });
  expect([read('1'), read('10')]).toEqual([1, 10]);
  expect(integerOption({ rate: '0' }, 'rate', { min: 0, max: 5 })).toBe(0);
  for (const wrong of ['', '0', '11', '1.5', '-1', 'ten', '1e309']) {
    expect(() => read(wrong)).toThrow(new StartError('--kills must be an integer from 1 to 10'));
  }
});
