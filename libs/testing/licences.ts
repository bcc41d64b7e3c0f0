/** Licences of the dependencies. `npm run packages` prints them; a test checks them. */
import { fileURLToPath } from 'node:url';
import { exists, read } from './repository.ts';

/** Licences that allow use, change and redistribution of Reelbook. MPL-2.0 covers only its own files. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]);

/** Packages that are used all the same, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  argparse:
    'Python-2.0, which allows as much as MIT: comes with kysely-codegen, in no service and no page',
  'rpc-websockets': 'LGPL-3.0, of @solana/web3.js: used as it is, as a replaceable package',
  '@event-driven-io/emmett': 'names none: a yardstick of the benchmark, in no service and no page',
  '@event-driven-io/emmett-postgresql': 'names none: a yardstick of the benchmark',
  '@event-driven-io/pongo': 'names none: comes with that yardstick',
  '@event-driven-io/dumbo': 'names none: comes with that yardstick',
  'text-encoding-utf-8': 'names none in its manifest; its LICENSE.md is the Unlicense',
};

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

export interface Licences {
  /** Packages by licence. */
  readonly counts: ReadonlyMap<string, number>;
  /** Exceptions that were used, with their reason. */
  readonly excepted: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** Goes through every package of the lock file. `licenceIn` reads a licence that the lock file lacks. */
export function checkLicences(
  packages: Readonly<Record<string, Locked>>,
  licenceIn: (path: string) => string | null,
): Licences {
  const counts = new Map<string, number>();
  const excepted = new Map<string, string>();
  const faults: string[] = [];
  for (const [path, { license, link }] of Object.entries(packages)) {
    if (link || !path.includes('node_modules/')) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? licenceIn(path);
    counts.set(licence ?? 'none', (counts.get(licence ?? 'none') ?? 0) + 1);
    if (licence !== null && allows(licence)) continue;
    const reason = EXCEPTIONS[name];
    if (reason) excepted.set(name, reason);
    else faults.push(`${name}: ${licence ?? 'no licence is named'}`);
  }
  return { counts, excepted, faults };
}

/** Of a choice one must be allowed, of a sum all. */
function allows(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(allows);
  return plain.split(' AND ').every((one) => ALLOWED.has(one.trim()));
}

/** Older manifests use other forms. */
function licenceIn(path: string): string | null {
  const manifest = `${path}/package.json`;
  if (!exists(manifest)) return null;
  const { license, licenses } = JSON.parse(read(manifest)) as {
    license?: string | { type?: string };
    licenses?: readonly (string | { type?: string })[];
  };
  const [first] = [license, ...(licenses ?? [])].filter(Boolean);
  return typeof first === 'string' ? first : (first?.type ?? null);
}

export function readLicences(): Licences {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  return checkLicences(packages, licenceIn);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { counts, excepted, faults } = readLicences();
  const print = (text: string) => process.stdout.write(`${text}\n`);
  for (const [licence, count] of [...counts].sort((a, b) => b[1] - a[1]))
    print(`${count}\t${licence}`);
  for (const [name, reason] of excepted) print(`excepted  ${name}: ${reason}`);
  for (const fault of faults) print(`FAULT     ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
