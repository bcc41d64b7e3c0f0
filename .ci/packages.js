/**
 * `npm run packages`: by `npm query`, the packages whose licence is not allowed; by `npm audit`, the high and critical
 * advisories that SECURITY.md does not explain. Both fail.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Licences that allow use, change and redistribution of Reelbook. MPL-2.0 covers only its own files. */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MPL-2.0', 'OFL-1.1', 'Unlicense', 'Zlib'],
  ...['MIT OR Apache-2.0', 'MIT AND ISC AND BSD-3-Clause', '(MIT AND Zlib)'],
];
/** Packages that are used all the same. */
const EXCEPTIONS = [
  // Python-2.0, which allows as much as MIT: of kysely-codegen, in no service and no page.
  'argparse',
  // LGPL-3.0, of @solana/web3.js: used as it is, as a replaceable package.
  'rpc-websockets',
  // MIT, in an older form of the manifest.
  ...['buildcheck', 'cpu-features', 'eyes', 'ssh2'],
  // None in the manifest; its LICENSE.md is the Unlicense.
  'text-encoding-utf-8',
];
const GRAVE = ['high', 'critical'];

/** @returns {any} What npm prints as JSON; null when it prints none. */
function npm(...words) {
  const { stdout } = spawnSync('npm', words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}

const allowed = ALLOWED.map((licence) => `:not([license="${licence}"])`).join('');
const faults = npm('query', `*:not(:root):not(.workspace)${allowed}`)
  .filter(({ name }) => !EXCEPTIONS.includes(name))
  .map(({ name, license }) => `${name}: ${license ?? 'no licence'}`);

const vulnerabilities = npm('audit', '--json')?.vulnerabilities;
if (!vulnerabilities) console.log('SKIPPED: the audit service did not respond.');
const advisories = Object.values(vulnerabilities ?? {}).flatMap(({ via }) => via);
const page = readFileSync('SECURITY.md', 'utf8');
for (const { name, severity, url = '', title } of advisories) {
  const id = url.slice(url.lastIndexOf('/') + 1);
  if (GRAVE.includes(severity) && !page.includes(id))
    faults.push(`${name}: ${severity}, ${id}, ${title}`);
}
for (const fault of faults) console.log(`FAULT  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
