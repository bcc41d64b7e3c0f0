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

test('each alert of a cluster has a test in which it fires', () => {
  const [, cluster = ''] = read(`${FOLDER}/alerts.yml`).split('name: reelbook-cluster');
  const alerts = cluster.match(/(?<=alert: )\w+/g) ?? [];
  expect(alerts.length).toBeGreaterThan(10);
  const fired = read(`${FOLDER}/alerts.test.yml`).match(
    /(?<=alertname: )\w+(?=\n +exp_alerts:\n)/g,
  );
  expect(alerts.filter((name) => !fired?.includes(name))).toEqual([]);
});

test('what is scraped of a cluster are the processes and nodes of its compose files', () => {
  const compose = ['docker-compose.yml', 'docker-compose.cluster.yml'].map(read).join('');
  const scraped = read(`${FOLDER}/cluster.yml`);
  const [, names = ''] = /names: \[(.*)\]/.exec(scraped) ?? [];
  const targets = scraped.match(/(?<=")[\w-]+(?=:\d+")/g) ?? [];
  const hosts = [...names.split(', '), ...targets];
  expect(hosts.filter((host) => !compose.includes(`\n  ${host}:\n`))).toEqual([]);
  for (const kind of ['etcd', 'postgres'])
    expect(hosts.filter((host) => host.startsWith(kind))).toHaveLength(3);
});

test('the exporter of NATS reads every NATS server of the cluster, at the port of its monitoring', () => {
  const compose = read('docker-compose.cluster.yml');
  const [, command = ''] =
    /\n {2}nats-exporter:\n(?: {4}.*\n)*? {4}command: (\[.*\])/.exec(compose) ?? [];
  const [services = ''] = compose.split('\nvolumes:\n');
  const servers = [...services.matchAll(/\n {2}(nats(?:-\d)?):\n/g)].map(([, name]) => name);
  expect(servers).toHaveLength(3);
  const [, port] = /http_port: (\d+)/.exec(read('docker/nats.conf')) ?? [];
  const urls = servers.map((name) => `http://${name}:${port}`);
  expect(JSON.parse(command)).toEqual(['-jsz=all', ...urls]);
});

if (spawnSync('promtool', ['--version']).status === 0) {
  test('promtool accepts the rules, and the alerts fire when they should', () => {
    expect(promtool('check', 'config', 'cluster.yml')).toMatchObject({ status: 0 });
    expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
    expect(promtool('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
  });
} else {
  console.warn('SKIPPED: the tests of the Prometheus rules. Put promtool on the PATH.');
}
