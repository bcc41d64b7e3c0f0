import { describe, expect, test } from 'vitest';
import { agreedAfter, careOf, directionOf, leastFor, mayChangeAlone } from './care.ts';
import { type Config, defaultConfig } from './config.ts';
import { editConfig, listConfig } from './edit.ts';

const edited = (path: string, text: string, from: Config = defaultConfig): Config => {
  const result = editConfig(from, path, text);
  if ('fault' in result) throw new Error(result.fault.code);
  return result.config;
};
const textOf = (path: string) =>
  listConfig(defaultConfig).find((one) => one.path === path)?.text ?? '';
const care = (path: string, text: string) => careOf(defaultConfig, edited(path, text), []);

const paths = listConfig(defaultConfig).map(({ path }) => path);

describe('a value', () => {
  test('that can be set has a direction', () => {
    expect(paths.filter((path) => directionOf(path) === undefined)).toEqual([]);
  });

  test('that is unknown needs two people and the wait', () => {
    const more = { ...defaultConfig, jackpot: { maxMinor: 1n } } as Config;
    expect(careOf(defaultConfig, more, [])).toBe('wait');
    expect(careOf(more, edited('bigWinMultiple', '5', more), [])).toBe('one');
    const lower = { ...defaultConfig, jackpot: { maxMinor: 0n } } as Config;
    expect(careOf(more, lower, [])).toBe('wait');
    expect(careOf(more, defaultConfig, [])).toBe('wait');
    expect(directionOf('__proto__.constructor')).toBeUndefined();
  });
});

describe('a limit', () => {
  test('is tightened by one and loosened by two', () => {
    for (const path of paths) {
      const direction = directionOf(path);
      if (direction !== 'lower' && direction !== 'higher') continue;
      if (path.endsWith('Minutes') || path.startsWith('welcome')) continue;
      const now = BigInt(textOf(path));
      const changed = [care(path, `${now - 1n}`), care(path, `${now + 1n}`)];
      const expected = direction === 'lower' ? ['one', 'wait'] : ['wait', 'one'];
      expect.soft(changed, path).toEqual(expected);
    }
  });

  test('the fee needs two people and the wait in both directions', () => {
    expect(care('withdraw.feeRate', '6/100')).toBe('wait');
    expect(care('withdraw.feeRate', '49/1000')).toBe('wait');
  });

  test('null is the loosest', () => {
    const hourly = edited('protection.realityCheckMinutes', '60');
    expect(careOf(defaultConfig, hourly, [])).toBe('one');
    expect(careOf(hourly, defaultConfig, [])).toBe('wait');
    expect(careOf(hourly, edited('protection.realityCheckMinutes', '30', hourly), [])).toBe('one');
  });
});

test('rates, rules and addresses need two people and the wait', () => {
  expect(care('exchange.pointsToToken', '1/200')).toBe('wait');
  expect(care('exchange.tokenToPoints', '99')).toBe('wait');
  expect(care('games.slot-machine.rules', 'slot-2')).toBe('wait');
  expect(care('token.projectWallet', 'P'.repeat(44))).toBe('wait');
});

test('one person turns a switch off; two turn it on, without the wait if it was off by one and nothing else is changed', () => {
  const off = edited('withdraw.enabled', 'false');
  expect(careOf(defaultConfig, off, [])).toBe('one');
  expect(careOf(off, defaultConfig, [])).toBe('wait');
  const change = { before: defaultConfig, after: off };
  const agreed = agreedAfter([], { ...change, isAlone: true });
  expect(careOf(off, defaultConfig, agreed)).toBe('restore');
  expect(careOf(off, defaultConfig, agreedAfter(agreed, { ...change, isAlone: false }))).toBe(
    'wait',
  );
  const more = edited('withdraw.dayMaxTokenMinor', '999999999999999');
  expect(careOf(off, more, agreed)).toBe('wait');
  expect(leastFor(['withdraw.enabled', 'games.slot-machine.enabled'])).toBe('operator');
  expect(leastFor(['withdraw.enabled', 'withdraw.feeRate'])).toBe('admin');
});

test('the shell alone makes the changes of a start, and all changes until two admins have been added', () => {
  const shell = (after: Config, adminsEver: number, before: Config | null = defaultConfig) =>
    mayChangeAlone(before, after, { by: 'system:config-command', adminsEver });
  const looser = edited('adjust.singleOperatorMaxTokenMinor', '999999999999999');
  expect([shell(looser, 1), shell(looser, 2)]).toEqual([true, false]);
  expect(mayChangeAlone(defaultConfig, looser, { by: 'operator:ann', adminsEver: 0 })).toBe(false);
  expect(mayChangeAlone(null, looser, { by: 'operator:ann', adminsEver: 0 })).toBe(false);
  expect(shell(defaultConfig, 2, null)).toBe(true);
  const slot = defaultConfig.games['slot-machine'];
  if (!slot) throw new Error('the slot is configured by default');
  const withGame = { ...defaultConfig, games: { ...defaultConfig.games, wheel: slot } };
  expect(shell(withGame, 2)).toBe(true);
  expect(shell({ ...withGame, adjust: looser.adjust }, 2)).toBe(false);
  // A removed game could be added again with other limits.
  expect(shell({ ...defaultConfig, games: {} }, 2)).toBe(false);
  const chained = edited('token.contract', 'C'.repeat(43));
  expect(shell(chained, 2)).toBe(true);
  expect(shell(edited('token.contract', 'D'.repeat(43)), 2, chained)).toBe(false);
});
