import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { Say } from './banner.ts';
import { compressFiles } from './compress.ts';

/** What an app is made of beside itself: the libraries that it shares with the servers, and the versions of the rest. */
const SOURCES = [
  'libs/contract',
  'libs/fairness',
  'libs/games',
  'libs/ledger',
  'libs/proofs',
  'libs/web',
  'package-lock.json',
] as const;
const NOT_SOURCES = new Set(['node_modules', 'dist', '.vite']);

/** Written last, so that a build that was killed halfway counts as none. Its time is when the build began. */
const MARK = '.built';

const NAMES = { 'web-player': 'the player app', 'web-admin': "the operators' console" } as const;

/**
 * The folder of a built app; built first when it is missing or older than its sources. Null when there is no such app.
 */
export async function prepareApp(app: keyof typeof NAMES, say: Say): Promise<string | null> {
  const folder = join(REPOSITORY, app);
  const configFile = join(folder, 'vite.config.ts');
  if (!existsSync(configFile)) return null;
  const output = join(folder, 'dist');
  const mark = join(output, MARK);
  const built = statSync(mark, { throwIfNoEntry: false });
  if (built && newest(app) <= built.mtimeMs) return output;
  const begin = new Date();
  say(
    `building ${NAMES[app]} ${built ? 'again: its sources have changed' : '(once, some seconds)'}`,
  );
  // Loaded only when it is needed: it is the heaviest package of all.
  const { build } = await import('vite');
  await build({ root: folder, configFile, configLoader: 'runner', logLevel: 'warn' });
  await compressFiles(output);
  writeFileSync(mark, '');
  utimesSync(mark, begin, begin);
  return output;
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
