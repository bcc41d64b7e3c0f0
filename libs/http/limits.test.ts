import { beforeEach, describe, expect, test } from 'vitest';
import { clientAddress, type Limit, openLimit, openSignInLimits } from './limits.ts';
import { Refused } from './routes.ts';

describe('a limit', () => {
  let nowMs: number;
  let limit: Limit;
  beforeEach(() => {
    nowMs = 0;
    limit = openLimit({ max: 2, windowMs: 10_000 }, () => nowMs);
  });

  test('counts each caller in windows, and states the time until the next', () => {
    expect([limit.count('a'), limit.count('a')]).toEqual([null, null]);
    nowMs = 3_500;
    expect([limit.count('a'), limit.count('b')]).toEqual([7, null]);
    nowMs = 10_000;
    expect([limit.count('a'), limit.has('b')]).toEqual([null, true]);
    nowMs = 13_500;
    expect(limit.has('b')).toBe(false);
  });

  test('counts a call that costs several', () => {
    expect([limit.count('a', 3), limit.count('b', 2), limit.count('b')]).toEqual([10, null, 10]);
  });

  test('is checked without a count', () => {
    for (let n = 0; n < 5; n++) limit.check('a');
    limit.take('a');
    limit.take('a');
    expect(() => limit.check('a')).toThrow(Refused);
    expect(() => limit.take('a')).toThrow(Refused);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('the address of %s is %s', (ip, address) => {
  expect(clientAddress({ ip })).toBe(address);
});

describe('sign-ins', () => {
  const [address, wallet] = ['192.0.2.1', 'victim'];
  const open = () =>
    openSignInLimits({ all: { max: 100 }, failed: { max: 2 }, accepted: { max: 2 } });
  const good = async () => 'session';
  const bad = (failed: 'login-invalid' | 'login-used' | 'unavailable') => async () => {
    throw new Refused({ failed });
  };
  const failureOf = (run: Promise<unknown>) =>
    run.then(
      () => null,
      (error: unknown) => (error as Refused).message,
    );

  test('failed ones get 429 above their limit, and use up nothing of the wallet that they name', async () => {
    const { run } = open();
    const got = [];
    for (const failed of ['login-invalid', 'login-used', 'login-invalid'] as const) {
      got.push(await failureOf(run({ address, wallet }, bad(failed))));
    }
    expect(got).toEqual(['login-invalid', 'login-used', 'too-many-requests']);
    expect(await run({ address, wallet }, good)).toBe('session');
    const other = run({ address: '192.0.2.2', wallet }, bad('login-invalid'));
    expect(await failureOf(other)).toBe('login-invalid');
  });

  test('a failure of the server counts for no one', async () => {
    const { run } = open();
    for (let n = 0; n < 5; n++) {
      expect(await failureOf(run({ address, wallet }, bad('unavailable')))).toBe('unavailable');
    }
  });

  test('successful ones are limited per wallet, from any address', async () => {
    const { run } = open();
    for (const from of ['192.0.2.1', '192.0.2.2']) await run({ address: from, wallet }, good);
    const third = run({ address: '192.0.2.3', wallet }, good);
    expect(await failureOf(third)).toBe('too-many-requests');
    expect(await run({ address, wallet: 'other' }, good)).toBe('session');
  });
});
