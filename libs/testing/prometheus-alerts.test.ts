/** The Prometheus rules: their metrics exist, and promtool accepts them and their own tests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { expect, test } from 'vitest';
import { read } from './repository.ts';

const FOLDER = 'docker/prometheus';
const promtool = (...parameters: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, {
    cwd: join(REPOSITORY, FOLDER),
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
};

test('every metric of Reelbook in a rule is one that a service exports', () => {
  const exported = new Set(read('docs/metrics.md').match(/(?<=\| `)reelbook_\w+/g));
  const used = read(`${FOLDER}/alerts.yml`).match(/\breelbook_\w+/g) ?? [];
  expect(used.length).toBeGreaterThan(15);
  const unknown = used.filter((name) => !exported.has(name.replace(/_(bucket|count|sum)$/, '')));
  expect(unknown).toEqual([]);
});

if (spawnSync('promtool', ['--version']).status === 0) {
  test('promtool accepts the rules, and the alerts fire when they should', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
    expect(promtool('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
  });
} else {
  console.warn('SKIPPED: the tests of the Prometheus rules. Put promtool on the PATH.');
}
