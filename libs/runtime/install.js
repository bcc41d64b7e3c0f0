/**
 * Installs the packages of package-lock.json when `node_modules` lacks them or has other versions. `run.js` imports it
 * first, so that every command works in a fresh clone. A check of two file times otherwise.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @param {string} root
 * @returns {boolean} Whether `node_modules` has what package-lock.json lists.
 */
export function isInstalled(root) {
  const wanted = join(root, 'package-lock.json');
  // npm writes it last, at the end of an installation.
  const found = join(root, 'node_modules/.package-lock.json');
  const foundAt = statSync(found, { throwIfNoEntry: false });
  if (!foundAt) return false;
  if (statSync(wanted).mtimeMs <= foundAt.mtimeMs) return true;
  // Git gives a checked out file the current time: the contents decide.
  const installed = packagesIn(found);
  return Object.entries(packagesIn(wanted)).every(([path, { version, integrity, optional }]) => {
    const one = installed[path];
    if (!one) return path === '' || optional === true;
    return one.version === version && one.integrity === integrity;
  });
}

/**
 * @param {string} path A lock file.
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>}
 */
function packagesIn(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** @param {string} problem */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

if (!isInstalled(ROOT)) {
  process.stderr.write(
    '  · installing the packages of package-lock.json, once; some minutes at most\n',
  );
  // Without --no-save an older npm would rewrite package-lock.json.
  const options = ['--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { error, status, signal } = spawnSync('npm', ['install', ...options], {
    cwd: ROOT,
    // Its errors only: standard output is for the program.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error)
    fail(`npm cannot be started (${error.message}). It comes with Node: https://nodejs.org`);
  if (status !== 0) {
    fail(
      `The packages were not installed: npm ended with ${signal ?? `exit code ${status}`}, its reason is above. ` +
        'Try again, or run "npm install" for its full output.',
    );
  }
}
