import { expect, test } from 'vitest';
import { openUnsent } from './client.ts';

/** Queues of these lengths, opened in this order. @returns the names of the dropped ones, in order. */
function fill(lengths: Readonly<Record<string, number>>, maxBytes: number) {
  const unsent = openUnsent(maxBytes);
  const dropped: string[] = [];
  const current: Record<string, number> = { ...lengths };
  const accounts = Object.keys(lengths).map((name) =>
    unsent.open({
      unsentBytes: () => current[name] ?? 0,
      drop: () => void dropped.push(name),
    }),
  );
  for (const account of accounts) account.update();
  return { unsent, dropped, current, accounts };
}

test('above the maximum the longest queues are dropped, down to three quarters', () => {
  expect(fill({ small: 10, longest: 45, long: 40, none: 0, last: 6 }, 100).dropped).toEqual([
    'longest',
  ]);
  expect(fill({ one: 30, two: 31, three: 32, four: 8 }, 100).dropped).toEqual(['three']);
  expect(fill({ one: 50, two: 50 }, 100).dropped).toEqual([]);
});

test('bytes that were sent meanwhile do not count', () => {
  const { dropped, current, accounts, unsent } = fill({ one: 60, two: 40, three: 0 }, 100);
  Object.assign(current, { one: 0, three: 30 });
  accounts[2]?.update();
  expect(dropped).toEqual([]);
  expect(unsent.measure()).toBe(70);
});

test('a closed queue does not count', () => {
  const { current, accounts, unsent, dropped } = fill({ one: 60, two: 40 }, 100);
  accounts[0]?.close();
  accounts[0]?.update();
  current.two = 90;
  accounts[1]?.update();
  expect([unsent.measure(), dropped]).toEqual([90, []]);
});
