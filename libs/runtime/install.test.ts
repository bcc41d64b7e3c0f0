import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isInstalled } from './install.js';

const root = mkdtempSync(join(tmpdir(), 'reelbook-install-'));
const [WANTED, FOUND] = ['package-lock.json', 'node_modules/.package-lock.json'];
const LISTED = {
  '': { name: 'all' },
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-1' },
  'node_modules/other-platform': { version: '1.0.0', integrity: 'sha512-2', optional: true },
};
const { 'node_modules/one': one } = LISTED;

function writeLock(path: string, packages: object, atS: number): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify({ packages }));
  utimesSync(join(root, path), atS, atS);
}

afterEach(() => rmSync(root, { recursive: true }));

test('packages are installed in a fresh clone, and again when a newer lock file lists others', () => {
  writeLock(WANTED, LISTED, 1_000);
  expect(isInstalled(root)).toBe(false);
  writeLock(FOUND, { 'node_modules/one': { ...one, version: '0.9.0' } }, 999);
  expect(isInstalled(root)).toBe(false);
  writeLock(FOUND, {}, 999);
  expect(isInstalled(root)).toBe(false);
  writeLock(FOUND, {}, 1_000);
  expect(isInstalled(root)).toBe(true);
});

test('a checkout of the same lock file at a later time installs nothing', () => {
  writeLock(WANTED, LISTED, 1_000);
  writeLock(FOUND, { 'node_modules/one': one }, 999);
  expect(isInstalled(root)).toBe(true);
});
