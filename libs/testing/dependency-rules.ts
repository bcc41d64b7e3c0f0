/**
 * `npm run lint`: who may import whom, by .dependency-cruiser.cjs. A cruiser with a wrong setting sees no module at
 * all and finds no fault, so it must also have seen modules of every package.
 */
import { spawnSync } from 'node:child_process';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { exists, listPackages } from './repository.ts';

interface Cruise {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
      readonly cycle?: readonly { readonly name: string }[];
    }[];
  };
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

function cruise(): Cruise {
  const folders = [
    'libs',
    'services',
    'web-player',
    'web-admin',
    'e2e',
    'bench',
    'simulator',
  ].filter(exists);
  const program = `${REPOSITORY}node_modules/.bin/depcruise`;
  const settings = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const result = spawnSync(program, [...settings, ...folders], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (!result.stdout.startsWith('{')) {
    throw new Error(`depcruise failed: ${result.error?.message ?? ''}${result.stderr}`);
  }
  return JSON.parse(result.stdout) as Cruise;
}

function main(): number {
  const { modules, summary } = cruise();
  const unseen = listPackages().filter(
    (name) => !modules.some((module) => module.source.startsWith(`${name}/`)),
  );
  for (const { rule, from, to, cycle } of summary.violations) {
    const way = cycle ? ` -> ${cycle.map((step) => step.name).join(' -> ')}` : ` -> ${to}`;
    process.stderr.write(`${rule.name}: ${from}${way}\n`);
  }
  for (const name of unseen) process.stderr.write(`the cruise saw no module of ${name}\n`);
  const faults = summary.violations.length + unseen.length;
  process.stdout.write(`dependency rules: ${summary.totalCruised} modules seen, ${faults} wrong\n`);
  return faults === 0 ? 0 : 1;
}

process.exitCode = main();
