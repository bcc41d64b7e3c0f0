import { expect, test } from 'vitest';
import { readSettings, SETTINGS, type SettingsError } from './settings.ts';

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

test('defaults hold where nothing is set, and an empty text is nothing', () => {
  const settings = readSettings([], { PORT: '', DATABASE_URL: '  ' });
  expect(settings).toMatchObject({ port: 8080, host: '127.0.0.1', databaseUrl: null, poolMax: 10 });
  expect(settings.dataDir).toMatch(/\/\.reelbook$/);
});

test('every fault is told at once, by name', () => {
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

test('what may be a secret is never repeated', () => {
  const faults = faultsOf({ SEED_KEY: 'hunter2hunter2', DATABASE_URL: 'mysql://u:hunter2@h/d' });
  expect(faults).toHaveLength(2);
  expect(faults.join()).not.toContain('hunter2');
});

test('keys are 32 bytes', () => {
  expect(readSettings(['seedKey'], { SEED_KEY: 'ab'.repeat(32) }).seedKey).toHaveLength(32);
  expect(faultsOf({ SEED_KEY: 'ab'.repeat(31) })).toHaveLength(1);
});

test('each setting says what it means', () => {
  for (const setting of Object.values(SETTINGS)) expect(setting.meaning.length).toBeGreaterThan(10);
});
