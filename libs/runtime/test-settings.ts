import { choice, integer, type Parser, parser, url } from './parsers.ts';
import { secretSetting, setting } from './setting.ts';
import { LAG_ORDERS } from './test-lag.ts';

export type TestSeed = 'fixed' | 'fresh' | number;

const SEED_BOUND = 'fixed, fresh or a 32-bit integer';
const seed: Parser<TestSeed> = parser(SEED_BOUND, (text) => {
  if (text === 'fixed' || text === 'fresh') return text;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value !== (value | 0)) {
    throw new Error(`must be ${SEED_BOUND}, not "${text}"`);
  }
  return value;
});

/** Settings of the tests. */
export const testSettings = {
  testDatabaseUrl: secretSetting(
    'TEST_DATABASE_URL',
    url('postgres', 'postgresql'),
    'Postgres for the tests, with a superuser login; default: an embedded Postgres',
  ),
  testContainers: setting(
    'TEST_CONTAINERS',
    'no',
    choice('yes', 'no'),
    'whether the tests start Postgres and NATS in containers; `npm run test:containers` sets yes',
  ),
  testOutageS: setting(
    'TEST_OUTAGE_S',
    '3',
    integer(1, 600, 'seconds'),
    'duration of an outage in the tests',
  ),
  testSeed: setting(
    'TEST_SEED',
    'fixed',
    seed,
    'seed of the random tests; fixed: the same in every run; fresh: a new one for each test file, set by `npm run test:random`',
  ),
  testLag: setting(
    'TEST_LAG',
    'none',
    choice(...LAG_ORDERS),
    'for tests only: delays each read model by a different time; forward or reverse: increasing or decreasing in registry order',
  ),
} as const;
