/** `npm run packages`: every high one that is known of our packages must be explained in SECURITY.md. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';
import { read } from './repository.ts';

const TIMEOUT_MS = 120_000;
const GRAVE = new Set(['high', 'critical']);

interface Advisory {
  readonly name: string;
  readonly severity: string;
  readonly url: string;
  readonly title: string;
}

/** Grave advisories of a report of `npm audit --json`; null when it is none, for the service did not answer. */
export function graveOnes(text: string): readonly Advisory[] | null {
  let report: { vulnerabilities?: Readonly<Record<string, { via: readonly unknown[] }>> };
  try {
    report = JSON.parse(text);
  } catch {
    return null;
  }
  if (!report.vulnerabilities) return null;
  const all = Object.values(report.vulnerabilities).flatMap(({ via }) => via);
  const grave = all.filter(
    (one): one is Advisory =>
      typeof one === 'object' && one !== null && GRAVE.has(String((one as Advisory).severity)),
  );
  return [...new Map(grave.map((one) => [one.url, one])).values()];
}

/** Those whose id the page does not name. */
export function unexplained(grave: readonly Advisory[], page: string): readonly string[] {
  const idOf = ({ url }: Advisory) => url.slice(url.lastIndexOf('/') + 1);
  return grave
    .filter((one) => !page.includes(idOf(one)))
    .map((one) => `${one.name}: ${one.severity}, ${idOf(one)}, ${one.title}`);
}

function main(): number {
  const audit = spawnSync('npm', ['audit', '--json'], {
    cwd: REPOSITORY,
    env: { PATH: programPath().join(':') },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  const grave = graveOnes(audit.stdout ?? '');
  if (grave === null) {
    process.stdout.write('SKIPPED: the vulnerability service did not respond.\n');
    return 0;
  }
  const faults = unexplained(grave, read('SECURITY.md'));
  for (const fault of faults) process.stdout.write(`FAULT     ${fault}\n`);
  process.stdout.write(`${grave.length} high ones known, ${faults.length} not explained\n`);
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
