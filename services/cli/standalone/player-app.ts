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
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { PrintLine } from './banner.ts';

/** Text; fonts are compressed already. */
const TEXT = /\.(css|html|js|svg)$/;
const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Writes a `.br` and a `.gz` next to every text file of a built app, for `servePages`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => TEXT.test(name));
  await Promise.all(texts.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  await writeFile(`${path}.br`, await asBrotli(plain));
  await writeFile(`${path}.gz`, await asGzip(plain, { level: constants.Z_BEST_COMPRESSION }));
}

/** Sources of an app outside its folder: shared libraries and the versions of packages. */
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

/** Written last, with the start time of the build: sources that change during the build cause another build. */
const MARK = '.built';

/** Builds are written here first, then moved: an app in use is replaced atomically. */
const BUILDS = join(REPOSITORY, 'node_modules/.cache/reelbook-apps');

const NAMES = { 'web-player': 'the player app', 'web-admin': "the operators' console" } as const;

/**
 * The folder of a built app. Builds it if it is missing or older than its sources. Null if there is no such app.
 */
export async function prepareApp(
  app: keyof typeof NAMES,
  printLine: PrintLine,
): Promise<string | null> {
  const folder = join(REPOSITORY, app);
  const configFile = join(folder, 'vite.config.ts');
  if (!existsSync(configFile)) return null;
  const output = join(folder, 'dist');
  const built = statSync(join(output, MARK), { throwIfNoEntry: false });
  if (built && newest(app) <= built.mtimeMs) return output;
  const begin = new Date();
  printLine(
    `building ${NAMES[app]} ${built ? 'again: its sources have changed' : '(once, takes some seconds)'}`,
  );
  mkdirSync(BUILDS, { recursive: true });
  const own = mkdtempSync(join(BUILDS, `${app}-`));
  // In the image another user than the builder serves it.
  chmodSync(own, 0o755);
  // Loaded on demand: vite is large.
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile,
    configLoader: 'runner',
    logLevel: 'warn',
    build: { outDir: own, emptyOutDir: true },
  });
  await compressFiles(own);
  writeFileSync(join(own, MARK), '');
  utimesSync(join(own, MARK), begin, begin);
  replaceFolder(output, own);
  return output;
}

/** Replaces `output` with `own`. Of two concurrent builds the later one stays. */
function replaceFolder(output: string, own: string): void {
  const old = `${own}-old`;
  mkdirSync(output, { recursive: true });
  for (;;) {
    try {
      renameSync(output, old);
      renameSync(own, output);
      break;
    } catch (error) {
      // Another process moved its folder here, or this one away, between the two calls.
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
