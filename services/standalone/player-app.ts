import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Say } from './banner.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const APP = join(REPOSITORY, 'web-player');
/** What the app is made of: itself, the libraries that it shares with the servers, and the versions of the rest. */
const SOURCES = [
  'web-player',
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

/** The folder of the built player app; built first when it is missing or older than its sources. */
export async function preparePlayerApp(say: Say): Promise<string> {
  const output = join(APP, 'dist');
  const mark = join(output, MARK);
  const built = statSync(mark, { throwIfNoEntry: false });
  if (built && newest() <= built.mtimeMs) return output;
  const begin = new Date();
  say(
    `building the player app ${built ? 'again: its sources have changed' : '(once, some seconds)'}`,
  );
  // Loaded only when it is needed: it is the heaviest package of all.
  const { build } = await import('vite');
  await build({ root: APP, configFile: join(APP, 'vite.config.ts'), logLevel: 'warn' });
  writeFileSync(mark, '');
  utimesSync(mark, begin, begin);
  return output;
}

function newest(): number {
  return Math.max(...SOURCES.map((name) => newestUnder(join(REPOSITORY, name))));
}

function newestUnder(path: string): number {
  if (!existsSync(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const entries = readdirSync(path).filter((name) => !NOT_SOURCES.has(name));
  return Math.max(0, ...entries.map((name) => newestUnder(join(path, name))));
}
