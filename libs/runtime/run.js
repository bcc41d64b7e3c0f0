/**
 * `node libs/runtime/run.js services/gateway/main.ts ...` runs a program of this repository as plain JavaScript. Compiles
 * all sources into `.build/<fingerprint>/`, which has the layout of the repository, if one of them has changed. Older
 * folders are kept for a day for the processes that run from them.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './install.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILDS = join(ROOT, '.build');
/** `libs/web` runs in browsers only. */
const SOURCES = ['libs', 'services', 'simulator', 'bench'].map((name) => join(ROOT, name));
const MANIFEST = join(ROOT, 'package.json');
const MIGRATIONS = join(ROOT, 'migrations');
/** Packages of hundreds of files; Node loads one bundle four times as fast. */
const BUNDLED = ['kysely', 'typebox', 'typebox/compile', '@solana/spl-token'];
const SKIPPED = new Set(['node_modules', 'dist', 'web']);
/** Tests, and what replaces parts of the product in the process of the tests. */
const OF_VITEST = /\.test\.ts$|\/setup-draws\.ts$/;
const OLD_MS = 24 * 60 * 60 * 1_000;

/**
 * Compiles the sources if one has changed.
 * @param {string} source A TypeScript file, as a path from the root of the repository.
 * @returns {Promise<string>} The compiled file.
 */
export async function compiled(source) {
  const path = relative(ROOT, resolve(ROOT, source)).replace(/\.ts$/, '.js');
  return join(await compile(), path);
}

/** @returns {Promise<string>} The folder of the build. */
export async function compile() {
  const sources = SOURCES.flatMap(filesIn);
  const migrations = filesIn(MIGRATIONS);
  const fingerprint = createHash('sha256');
  for (const path of [...sources, ...migrations, MANIFEST, join(ROOT, 'package-lock.json')]) {
    const { size, mtimeMs } = statSync(path);
    fingerprint.update(`${path} ${size} ${mtimeMs}\n`);
  }
  const target = join(BUILDS, fingerprint.digest('hex').slice(0, 16));
  if (existsSync(target)) return target;
  const unfinished = join(BUILDS, `unfinished-${process.pid}`);
  // Left by a killed process with the same id.
  rmSync(unfinished, { recursive: true, force: true });
  await Promise.all([write(unfinished, sources), bundlePackages(unfinished)]);
  for (const path of [...sources.filter((one) => one.endsWith('.sql')), ...migrations]) {
    const copy = join(unfinished, relative(ROOT, path));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(path, copy);
  }
  linkPackages(unfinished);
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Another process compiled the same.
    if (!existsSync(target)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  removeOld();
  return target;
}

/**
 * @param {string} folder
 * @param {readonly string[]} sources
 */
async function write(folder, sources) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: ROOT,
    input: sources.filter((path) => /\.ts$/.test(path) && !OF_VITEST.test(path)),
    platform: 'node',
    external: (id) => !/^(\.|\/|[a-zA-Z]:|@reelbook\/)/.test(id),
    treeshake: false,
    onwarn: (warning) => process.stderr.write(`${warning.message}\n`),
  });
  await build.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: ROOT,
    paths: (id) => (BUNDLED.includes(id) ? `#packages/${id}` : id),
    entryFileNames: '[name].js',
    sourcemap: true,
  });
  await build.close();
}

/**
 * Bundles each package into a file under `packages/`, imported as `#packages/NAME`.
 * @param {string} folder
 */
async function bundlePackages(folder) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(BUNDLED.map((name) => [name, name])),
    platform: 'node',
    // Must have one instance per process.
    external: ['@solana/web3.js'],
  });
  await build.write({ dir: join(folder, 'packages'), format: 'esm', entryFileNames: '[name].js' });
  await build.close();
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  manifest.imports = { '#packages/*': './packages/*.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

/**
 * Links the node_modules of single workspaces into the build.
 * @param {string} folder
 */
function linkPackages(folder) {
  const nested = ['libs', 'services'].flatMap((area) =>
    readdirSync(join(ROOT, area)).map((workspace) => join(area, workspace)),
  );
  for (const workspace of ['bench', 'simulator', ...nested]) {
    const packages = join(ROOT, workspace, 'node_modules');
    const carrier = join(folder, workspace);
    if (existsSync(packages) && existsSync(carrier)) {
      symlinkSync(packages, join(carrier, 'node_modules'));
    }
  }
}

/**
 * @param {string} path A file, or a folder.
 * @returns {string[]}
 */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return filesIn(inside);
    return /\.(ts|js|sql|json)$|SHA256SUMS/.test(entry.name) ? [inside] : [];
  });
}

function removeOld() {
  for (const name of readdirSync(BUILDS)) {
    const folder = join(BUILDS, name);
    // Another process may remove it at the same time.
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > OLD_MS) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [node = '', , source = '', ...rest] = process.argv;
  const program = await compiled(source);
  process.argv = [node, program, ...rest];
  await import(pathToFileURL(program).href);
}
