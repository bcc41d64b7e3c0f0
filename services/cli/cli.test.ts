import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostUrls } from '@reelbook/event-store/db';
import { read } from '@reelbook/testing/repository';
import { runFile } from '@reelbook/testing/run-file';
import { runInProcess } from '@reelbook/testing/run-program';
import { expect, onTestFinished, test } from 'vitest';
import { reelbook } from './program.ts';

/** With no setting and no ledger. */
const NOTHING = { PATH: process.env.PATH ?? '', DATA_DIR: '/nowhere' };
const run = (...words: readonly string[]) => runInProcess(reelbook, words, NOTHING);

test('the program prints the same as in this process, with the same exit codes', async () => {
  for (const words of [['help'], ['audit', '--unknown']]) {
    expect(await runFile('services/cli/main.ts', words, NOTHING)).toEqual(await run(...words));
  }
});

test('help lists the commands and the exit codes', async () => {
  const { output, code } = await run('help');
  expect(code).toBe(0);
  for (const [name, [summary]] of Object.entries(reelbook.commands)) {
    expect(output).toMatch(
      new RegExp(`^ {2}${name} {2,}${summary.replaceAll(/[()]/g, '.')}$`, 'm'),
    );
  }
  expect(output).toMatch(/0 {2}success.*\n.*1 {2}.*finding.*\n.*2 {2}.*\n.*3 {2}unproven/);
});

test('every command has a help text, which --help prints as well', async () => {
  for (const name of Object.keys(reelbook.commands)) {
    const help = await run('help', name);
    expect(help, name).toEqual({
      code: 0,
      output: expect.stringMatching(`^${reelbook.call} ${name}`),
    });
    expect(await run(name, '--help')).toEqual(help);
  }
});

test('what a command does not take is refused with code 2 and the reason', async () => {
  const refused: readonly (readonly [words: readonly string[], why: string])[] = [
    [[], 'help <command>'],
    [['toString'], 'Unknown command: toString. "npm run reelbook -- help" lists the commands.'],
    [['help', 'nothing'], 'Unknown command: nothing'],
    [['audit', '--unknown'], "Unknown option '--unknown'"],
    [['restored', 'everything'], "Unexpected argument 'everything'"],
    [['restored', '--kept', '-1'], "Option '--kept' argument is ambiguous"],
    [['restored', '--kept', '1e3'], '--kept must be a position'],
    [['restored'], 'There is no ledger'],
    [['audit', '--mode'], "Option '--mode <value>' argument missing"],
    [['config', 'set', 'path'], 'set PATH VALUE'],
    [['operator', 'add', 'wallet', '--role', 'king'], '--role must be viewer'],
    [['cashier', 'steal'], 'approve WITHDRAWAL'],
    [['ledger', 'diff', 'config'], 'There is no ledger'],
  ];
  for (const [words, why] of refused) {
    const answer = { code: 2, output: expect.stringContaining(why) };
    expect(await run(...words), words.join(' ')).toEqual(answer);
  }
});

/** @returns what reads a file of `keys --cluster`. */
async function makeKeys(): Promise<(name: string) => string> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await run('keys', '--cluster', '--folder', folder)).toMatchObject({ code: 0 });
  return (name) => readFileSync(join(folder, name), 'utf8').trim();
}

test('keys --cluster names every server of docker-compose.cluster.yml, and that file', async () => {
  const made = await makeKeys();
  const hosts = [
    ...hostUrls(made('secrets/database-url')),
    ...made('secrets/nats-url').split(','),
  ].map((url) => new URL(url).hostname);
  expect(hosts).toHaveLength(6);
  for (const host of hosts) expect(read('docker-compose.cluster.yml')).toContain(`\n  ${host}:\n`);
  expect(made('.env')).toContain('COMPOSE_FILE=docker-compose.yml:docker-compose.cluster.yml\n');
  // Two gateways need as many ports, and the console has one.
  const [, from, to] = /GATEWAY_PORTS=(\d+)-(\d+)\n/.exec(made('.env')) ?? [];
  const ports = Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => Number(from) + n);
  const taken = Number(/\$\{ADMIN_PORT:-(\d+)\}/.exec(read('docker-compose.yml'))?.[1]);
  expect(ports.length).toBeGreaterThanOrEqual(2);
  expect(taken).toBeGreaterThan(0);
  // Docker gives any port of the range to a gateway, also the one that the console needs.
  expect(ports).not.toContain(taken);
});

test('no service of docker-compose.cluster.yml logs in as the superuser, or has its password', async () => {
  const made = await makeKeys();
  const cluster = read('docker-compose.cluster.yml');
  const urls = (read('docker-compose.yml') + cluster).match(/\w*DATABASE_URL\w*: .*/g);
  expect(new Set(urls)).toEqual(
    new Set(['', 'READ_'].map((read) => `${read}DATABASE_URL_FILE: /run/secrets/database-url`)),
  );
  const { username, password, pathname } = new URL(hostUrls(made('secrets/database-url'))[0] ?? '');
  for (const who of ['SUPERUSER', 'REPLICATION']) {
    const [, name] = new RegExp(`PATRONI_${who}_USERNAME: (\\w+)`).exec(cluster) ?? [];
    const [, variable] = new RegExp(`PATRONI_${who}_PASSWORD: \\$\\{(\\w+)`).exec(cluster) ?? [];
    const [, secret] = new RegExp(`^${variable}=(.+)$`, 'm').exec(made('.env')) ?? [];
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect([username, password]).not.toContain(name);
    expect(password).not.toBe(secret);
  }
  const [, own] = /REELBOOK_PASSWORD: \$\{(\w+)/.exec(cluster) ?? [];
  expect(made('.env')).toContain(`${own}=${password}\n`);
  // What Patroni runs on the first node, and nothing more for this login.
  expect(read('docker/cluster/patroni.yml')).toContain('--file=/etc/reelbook/login.sql\n');
  expect(read('docker/cluster/Dockerfile')).toMatch(/^COPY .*login.sql \/etc\/reelbook\/$/m);
  const given = read('docker/cluster/login.sql').match(/^(create|alter|grant) .*/gm);
  expect(given).toEqual([
    'create role reelbook_app;',
    'create role reelbook_projector;',
    `create role ${username} login password :'password' in role reelbook_app, reelbook_projector;`,
    `create database ${pathname.slice(1)} owner ${username};`,
  ]);
});
