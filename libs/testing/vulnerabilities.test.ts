import { expect, test } from 'vitest';
import { graveOnes, unexplained } from './vulnerabilities.ts';

const advisory = (severity: string, id: string) => ({
  ...{ name: 'one', severity, title: 'a hole' },
  url: `https://github.com/advisories/${id}`,
});
const report = (...via: unknown[]) => JSON.stringify({ vulnerabilities: { one: { via } } });

test('each high one must be explained by its id', () => {
  const text = report('other', advisory('high', 'GHSA-a'), advisory('low', 'GHSA-b'));
  const grave = graveOnes(text) ?? [];
  expect(unexplained(grave, 'nothing')).toEqual(['one: high, GHSA-a, a hole']);
  expect(unexplained(grave, 'GHSA-a is not reached')).toEqual([]);
  expect(
    graveOnes(report(advisory('critical', 'GHSA-a'), advisory('critical', 'GHSA-a'))),
  ).toHaveLength(1);
});

test('a service that does not answer is no finding', () => {
  expect(graveOnes('')).toBeNull();
  expect(graveOnes('{"message":"405 Method Not Allowed"}')).toBeNull();
});
