/**
 * `npm run test:lag`: the suites of databases and browsers with every follower of the ledger late, in both orders. What
 * follows `--` names the files, as for vitest.
 */
import { spawnSync } from 'node:child_process';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { LAG_ORDERS } from '@reelbook/runtime/test-lag';

const PROJECTS = ['--project', 'db', '--project', 'e2e'];

function main(files: readonly string[]): number {
  spawnSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY, stdio: 'inherit' });
  const failed: string[] = [];
  for (const order of LAG_ORDERS.filter((one) => one !== 'none')) {
    process.stdout.write(`\nTEST_LAG=${order}\n`);
    const run = ['run', '--config', 'libs/testing/vitest.config.ts', ...PROJECTS, ...files];
    const { status } = spawnSync('env', [`TEST_LAG=${order}`, 'vitest', ...run], {
      cwd: REPOSITORY,
      stdio: 'inherit',
    });
    if (status !== 0) failed.push(order);
  }
  if (failed.length > 0) process.stderr.write(`failed with TEST_LAG=${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
