import { expect, test } from 'vitest';
import { checkLicences, readLicences } from './licences.ts';

test('the licence of every dependency allows our use', () => {
  const { counts, faults } = readLicences();
  expect(counts.get('MIT')).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT AND Zlib)', true],
  ['(GPL-3.0 OR MIT)', true],
  ['MIT AND GPL-3.0', false],
  ['SSPL-1.0', false],
  [undefined, false],
])('%s: %s', (license, fine) => {
  const packages = { '': {}, 'libs/own': {}, 'node_modules/@some/one': license ? { license } : {} };
  const { faults } = checkLicences(packages, () => null);
  expect(faults).toEqual(fine ? [] : [`@some/one: ${license ?? 'no licence is named'}`]);
});

test('a licence that the lock file lacks is read from the package, and each exception has a reason', () => {
  const packages = {
    'a/node_modules/old': {},
    'node_modules/rpc-websockets': { license: 'LGPL-3.0-only' },
  };
  const { faults, excepted } = checkLicences(packages, (path) =>
    path.endsWith('old') ? 'MIT' : null,
  );
  expect(faults).toEqual([]);
  expect([...excepted.keys()]).toEqual(['rpc-websockets']);
});
