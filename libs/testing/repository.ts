import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';

const NOT_OURS = new Set([
  'node_modules',
  'dist',
  '.git',
  '.build',
  '.reelbook',
  'artifacts',
  'coverage',
]);

/** The folders of the workspaces, such as `libs/ledger`. */
export function listPackages(): readonly string[] {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: readonly string[] };
  return workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const base = pattern.slice(0, -2);
    return foldersIn(base).map((name) => `${base}/${name}`);
  });
}

/** Every file of ours under a folder whose name matches, as paths from the root. */
export function listFiles(folder: string, name: RegExp): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path, name);
    return name.test(entry.name) ? [path] : [];
  });
}

export function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
    .map((entry) => entry.name);
}

export function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8');
}

export function exists(path: string): boolean {
  return existsSync(join(REPOSITORY, path));
}
