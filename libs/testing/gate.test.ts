import { describe, expect, test } from 'vitest';
import { FLAKY_MAX, filesToRepeat, isOfMachine, judge, rowsOf } from '../../.ci/judge.js';
import { read } from './repository.ts';

const TIMED_OUT = 'Error: Test timed out in 150000ms.\nIf this is a long-running test, ...';

type Report = Parameters<typeof filesToRepeat>[0][number];

const file = (name: string, passed: number, ...errors: string[]) => {
  const failures = errors.map((error, i) => ({ test: `test ${i}`, error }));
  return { file: name, project: 'db', ms: 1, passed, failures, tests: [] };
};
const report = (files: Report['files'], more: Partial<Report> = {}): Report => {
  return {
    name: 'test.all',
    step: 'test',
    again: false,
    filters: [],
    unhandled: [],
    files,
    ...more,
  };
};
const step = (code = 0) => ({ name: 'test', code, tests: true });
const ended = (reports: readonly Report[], code = 0, flaky = '') =>
  judge({ steps: [step(code)], reports, flaky });

test.each([
  TIMED_OUT,
  'Error: Hook timed out in 60000ms.',
  'TimeoutError: locator.click: Timeout 60000ms exceeded.',
  'Error: the standalone did not become ready:\nnpm',
  'Error: nats-server did not start',
  'Error: page.goto: net::ERR_NETWORK_CHANGED at http://127.0.0.1/',
  'TargetClosedError: page.click: Target page, context or browser has been closed',
])('a machine can cause %s', (error) => {
  expect(isOfMachine(error)).toBe(true);
});

test.each([
  'AssertionError: expected 990 to be 1000',
  'AssertionError: expected 990 to be 1000\nError: Matcher did not succeed in time.',
  'AssertionError: the page timed out: Test timed out in 5ms',
  'Error: chain broken at 17',
  'TypeError: x is not a function',
  'Error: wrapped\nAssertionError: expected 1 to be 2',
])('a machine does not cause %s', (error) => {
  expect(isOfMachine(error)).toBe(false);
});

describe('a run', () => {
  test('passes with its tests', () => {
    expect(ended([report([file('a', 3), file('b', 2)])])).toEqual({
      passed: 5,
      failed: 0,
      lines: [],
    });
  });

  test('with a failure of the machine that passed alone is flaky and passes', () => {
    const first = report([file('a', 2, TIMED_OUT), file('b', 1)]);
    expect(filesToRepeat([first])).toMatchObject([{ name: 'test.all', step: 'test', file: 'a' }]);
    const again = report([file('a', 3)], { again: true });
    const { passed, failed, lines } = ended([first, again], 1);
    expect({ passed, failed }).toEqual({ passed: 4, failed: 0 });
    expect(lines).toEqual([expect.stringMatching(/^FLAKY a > test 0: Error: Test timed out/)]);
  });

  test.each([
    ['failed again', [report([file('a', 2, TIMED_OUT)], { again: true })]],
    ['did not run again', []],
    ['ran again without a passed test', [report([file('a', 0)], { again: true })]],
    ['had an unhandled error', [report([file('a', 3)], { again: true, unhandled: ['Error'] })]],
    ['was another one', [report([file('b', 3)], { again: true })]],
    ['ran again in another step', [report([file('a', 3)], { again: true, name: 'slow.all' })]],
  ])('is refused when the file %s', (_how, again) => {
    expect(ended([report([file('a', 2, TIMED_OUT)]), ...again], 1).failed).toBeGreaterThan(0);
  });

  test('with a failed assertion is refused, and nothing runs again', () => {
    const reports = [report([file('a', 2, TIMED_OUT), file('b', 1, 'AssertionError: 1')])];
    expect(filesToRepeat(reports)).toEqual([]);
    expect(ended(reports, 1).failed).toBe(2);
    const both = [report([file('a', 2, TIMED_OUT, 'AssertionError: 1')])];
    expect(filesToRepeat(both)).toEqual([]);
    expect(ended([...both, report([file('a', 4)], { again: true })], 1).failed).toBe(2);
  });

  test.each([
    ['no test', [report([])], /no test passed$/],
    ['only skipped tests', [report([file('a', 0)])], /no test passed$/],
    [
      'a filter that no passed test matches',
      [report([file('a', 1)], { filters: ['a', 'c'] })],
      /in "c"$/,
    ],
    ['no report', [], /no report of its tests$/],
    [
      'an unhandled error',
      [report([file('a', 1)], { unhandled: ['Error: late'] })],
      /Error: late$/,
    ],
  ])('with %s is refused', (_what, reports, why) => {
    const { failed, lines } = ended(reports);
    expect(failed).toBeGreaterThan(0);
    expect(lines.join('\n')).toMatch(why);
  });

  test.each([
    [1, [report([file('a', 1)])]],
    [2, [report([file('a', 1, TIMED_OUT)]), report([file('a', 2)], { again: true })]],
    [124, [report([file('a', 1, TIMED_OUT)]), report([file('a', 2)], { again: true })]],
  ])('whose step ended with code %i for another reason is refused', (code, reports) => {
    expect(ended(reports, code).lines).toContain(`REFUSED test: exit code ${code}`);
  });

  test(`is refused with more than ${FLAKY_MAX} flaky tests`, () => {
    const run = (count: number) => {
      const errors = Array.from({ length: count }, () => TIMED_OUT);
      return ended([report([file('a', 1, ...errors)]), report([file('a', 9)], { again: true })], 1);
    };
    expect(run(FLAKY_MAX).failed).toBe(0);
    expect(run(FLAKY_MAX + 1).failed).toBe(1);
  });

  test('is refused when a test is flaky again before it was fixed', () => {
    const reports = [report([file('a', 1, TIMED_OUT)]), report([file('a', 2)], { again: true })];
    const table = (fix: string) =>
      `# Flaky\n\n| test | date | output | cause | fix |\n| --- | --- | --- | --- | --- |\n| a > test 0 | 2026-11-25 | x | y | ${fix} |`;
    expect(ended(reports, 1, table('')).failed).toBe(1);
    expect(ended(reports, 1, table('waits for the state')).failed).toBe(0);
  });
});

test('docs/flaky.md has complete rows, and at most one open row for a test', () => {
  const rows = rowsOf(read('docs/flaky.md'));
  for (const { test: name, date, output, cause } of rows) {
    expect([name, output, cause]).not.toContain('');
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  const open = rows.filter(({ fix }) => fix === '').map(({ test: name }) => name);
  expect(new Set(open).size).toBe(open.length);
});
