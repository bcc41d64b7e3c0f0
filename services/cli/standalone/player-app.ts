import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { Say } from './banner.ts';
import { compressFiles } from './compress.ts';

/** What an app is made of beside itself: the libraries that it shares with the servers, and the versions of the rest. */
const SOURCES = [
  'libs/contract',
  'libs/games/fairness',
  'libs/games',
  'libs/ledger',
  'libs/games/proofs',
  'libs/web',
  'package-lock.json',
] as const;
const NOT_SOURCES = new Set(['node_modules', 'dist', '.vite']);

/** Written last. Its time is when the build began: what changes meanwhile is built again. */
const MARK = '.built';

/** Where a build is made, so that an app in use is replaced at once by a complete one. */
const BUILDS = join(REPOSITORY, 'node_modules/.cache/reelbook-apps');

const NAMES = { 'web-player': 'the player app', 'web-admin': "the operators' console" } as const;

/**
 * The folder of a built app; built first when it is missing or older than its sources. Null when there is no such app.
 */
export async function prepareApp(app: keyof typeof NAMES, say: Say): Promise<string | null> {
  const folder = join(REPOSITORY, app);
  const configFile = join(folder, 'vite.config.ts');
  if (!existsSync(configFile)) return null;
  const output = join(folder, 'dist');
  const built = statSync(join(output, MARK), { throwIfNoEntry: false });
  if (built && newest(app) <= built.mtimeMs) return output;
  const begin = new Date();
  say(
    `building ${NAMES[app]} ${built ? 'again: its sources have changed' : '(once, some seconds)'}`,
  );
  mkdirSync(BUILDS, { recursive: true });
  const own = mkdtempSync(join(BUILDS, `${app}-`));
  // In the image another user than the builder serves it.
  chmodSync(own, 0o755);
  // Loaded only when it is needed: it is the heaviest package of all.
  const { build } = await import('vite');
  await build({
    ...{ root: folder, configFile, configLoader: 'runner', logLevel: 'warn' },
    build: { outDir: own, emptyOutDir: true },
  });
  await compressFiles(own);
  writeFileSync(join(own, MARK), '');
  utimesSync(join(own, MARK), begin, begin);
  replaceFolder(output, own);
  return output;
}

/** Puts `own` in the place of `output`. Of two processes that build at the same time one replaces the other's. */
function replaceFolder(output: string, own: string): void {
  const old = `${own}-old`;
  mkdirSync(output, { recursive: true });
  for (;;) {
    try {
      renameSync(output, old);
      renameSync(own, output);
      break;
    } catch (error) {
      // The other process moved its folder here, or this one away, between the two lines.
      const { code } = error as NodeJS.ErrnoException;
      const isRace = code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST';
      if (!isRace || !existsSync(own)) throw error;
      rmSync(old, { recursive: true, force: true });
      mkdirSync(output, { recursive: true });
    }
  }
  rmSync(old, { recursive: true, force: true });
}

function newest(app: string): number {
  return Math.max(...[app, ...SOURCES].map((name) => newestUnder(join(REPOSITORY, name))));
}

function newestUnder(path: string): number {
  if (!existsSync(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const entries = readdirSync(path).filter((name) => !NOT_SOURCES.has(name));
  return Math.max(0, ...entries.map((name) => newestUnder(join(path, name))));
}
