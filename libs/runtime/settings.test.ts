import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, SETTINGS, type SettingsError } from './settings.ts';
import { settingsPage } from './settings-table.ts';

function faultsOf(
  environment: Record<string, string>,
  required: ('databaseUrl' | 'seedKey')[] = [],
) {
  try {
    readSettings(required, environment);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
}

test('unset and empty settings have their defaults', () => {
  const settings = readSettings([], { PORT: '', DATABASE_URL: '  ' });
  expect(settings).toMatchObject({ port: 8080, host: '127.0.0.1', databaseUrl: null, poolMax: 10 });
  expect(settings.dataDir).toMatch(/\/\.reelbook$/);
});

test('all faults are reported together, by name', () => {
  const faults = faultsOf({ PORT: '80 80', LOG_LEVEL: 'loud', NATS_URL: 'localhost:4222' }, [
    'databaseUrl',
    'seedKey',
  ]);
  expect(faults).toHaveLength(5);
  for (const name of ['PORT', 'LOG_LEVEL', 'NATS_URL', 'DATABASE_URL', 'SEED_KEY']) {
    expect(faults.some((fault) => fault.startsWith(`${name} m`))).toBe(true);
  }
});

test.each(['-1', '65536', '8080.5', '0x50', '1e3', 'NaN'])('port %s is refused', (PORT) => {
  expect(faultsOf({ PORT })).toHaveLength(1);
});

test('a possible secret is never repeated', () => {
  const faults = faultsOf({ SEED_KEY: 'hunter2hunter2', DATABASE_URL: 'mysql://u:hunter2@h/d' });
  expect(faults).toHaveLength(2);
  expect(faults.join()).not.toContain('hunter2');
});

test('proxies are addresses, ranges or names of networks', () => {
  const TRUST_PROXY = '10.0.0.1, fd00::/8,loopback';
  expect(readSettings([], { TRUST_PROXY }).trustProxy).toEqual([
    '10.0.0.1',
    'fd00::/8',
    'loopback',
  ]);
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', 'all', '10.0.0.1,']) {
    expect(faultsOf({ TRUST_PROXY: wrong })).toHaveLength(1);
  }
});

test('a public origin has no path, and is written as browsers write it', () => {
  const originOf = (PUBLIC_ORIGIN: string) => readSettings([], { PUBLIC_ORIGIN }).publicOrigin;
  expect(originOf('')).toBe(null);
  expect(originOf('https://Play.Example.com:443/')).toBe('https://play.example.com');
  expect(originOf('http://localhost:80')).toBe('http://localhost');
  expect(originOf('http://[::1]:8080')).toBe('http://[::1]:8080');
  for (const PUBLIC_ORIGIN of [
    'play.example.com',
    'ftp://play.example.com',
    'https://',
    'https://play.example.com/path',
    'https://play.example.com/?q',
    'https://user@play.example.com',
    'https://a.com,https://b.com',
    'https://play.example.com:x',
    'https://play.example.com#',
    'https://a b.com',
  ]) {
    expect(faultsOf({ PUBLIC_ORIGIN }), PUBLIC_ORIGIN).toHaveLength(1);
  }
});

test('a public origin has no path, and is written as browsers write it', () => {
  const originOf = (PUBLIC_ORIGIN: string) => readSettings([], { PUBLIC_ORIGIN }).publicOrigin;
  expect(originOf('')).toBe(null);
  expect(originOf('https://Play.Example.com:443/')).toBe('https://play.example.com');
  expect(originOf('http://localhost:80')).toBe('http://localhost');
  expect(originOf('http://[::1]:8080')).toBe('http://[::1]:8080');
  for (const PUBLIC_ORIGIN of [
    'play.example.com',
    'ftp://play.example.com',
    'https://',
    'https://play.example.com/path',
    'https://play.example.com/?q',
    'https://user@play.example.com',
    'https://a.com,https://b.com',
    'https://play.example.com:x',
    'https://play.example.com#',
    'https://a b.com',
  ]) {
    expect(faultsOf({ PUBLIC_ORIGIN }), PUBLIC_ORIGIN).toHaveLength(1);
  }
});

test('keys are 32 bytes', () => {
  expect(readSettings(['seedKey'], { SEED_KEY: 'ab'.repeat(32) }).seedKey).toHaveLength(32);
  expect(faultsOf({ SEED_KEY: 'ab'.repeat(31) })).toHaveLength(1);
});

test('joint faults are reported together with single faults', () => {
  const SOLANA_RPC_URL = 'https://rpc.example';
  const faults = faultsOf({ PORT: 'x', SOLANA_RPC_URL, TREASURY_KEY: 'hunter2' });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'PORT',
    'TREASURY_KEY',
    'TOKEN_MINT',
  ]);
});

test('any setting may be in a file; an empty file counts as not set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-settings-'));
  const file = join(folder, 'seed-key');
  const faults = (environment: Record<string, string>) => faultsOf(environment, ['seedKey']);
  writeFileSync(file, `${'ab'.repeat(32)}\n`);
  expect(faults({ SEED_KEY_FILE: file })).toEqual([]);
  expect(faults({ SEED_KEY_FILE: file, SEED_KEY: 'ab'.repeat(32) })).toEqual([
    'SEED_KEY_FILE and SEED_KEY are both set',
  ]);
  writeFileSync(file, 'hunter2');
  expect(faults({ SEED_KEY_FILE: file })[0]).toMatch(/^SEED_KEY_FILE must be 64 hexadecimal/);
  writeFileSync(file, 'f'.repeat(70_000));
  expect(faults({ SEED_KEY_FILE: file })[0]).toMatch(/up to 65536 bytes/);
  writeFileSync(file, '\n');
  expect(faults({ SEED_KEY_FILE: file })[0]).toMatch(/^SEED_KEY_FILE is an empty file/);
  rmSync(folder, { recursive: true });
  expect(faults({ SEED_KEY_FILE: file })).toEqual([
    `SEED_KEY_FILE must be a file that can be read, not ${file}`,
  ]);
});

test('each setting has a meaning and a bound, and keys are marked as secrets', () => {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    expect(setting.meaning.length).toBeGreaterThan(10);
    expect(setting.bound).not.toBe('');
    expect(setting.secret, name).toBe(
      /Keys?$|^(database|readDatabase|nats|solanaRpc|testDatabase)Url$/.test(name),
    );
  }
});

test('docs/settings.md is the table; npm run generate writes it', () => {
  const page = new URL('../../docs/settings.md', import.meta.url);
  expect(readFileSync(page, 'utf8')).toBe(settingsPage());
});
