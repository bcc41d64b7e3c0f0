import { choice, integer, url } from './parsers.ts';
import { secretSetting, setting } from './setting.ts';
import { LAG_ORDERS } from './test-lag.ts';

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
  testLag: setting(
    'TEST_LAG',
    'none',
    choice(...LAG_ORDERS),
    'for tests only: delays each read model by a different time; forward or reverse: increasing or decreasing in registry order',
  ),
} as const;
