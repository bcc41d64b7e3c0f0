import { VERSION } from '@reelbook/runtime/version';
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
