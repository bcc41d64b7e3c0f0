import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { WAIT } from './wait.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DB = '**/*.db.test.{ts,tsx}';
/** Tests that start and kill processes, or take seconds each. */
const SLOW = '**/*.slow{,.db}.test.ts';
const CONTAINERS = '**/*.containers.test.ts';
const OUTSIDE = ['**/node_modules/**', '**/dist/**', '.build/**', '.reelbook/**'];
/** Most tests wait for Postgres or for other processes, so two cores run four of them. */
const WORKERS = 4;
const SHARED = {
  exclude: OUTSIDE,
  /** When a file begins, and what its random tests draw from. */
  setupFiles: ['libs/testing/setup-day.ts', 'libs/testing/setup-draws.ts'],
  /** Files of a worker share their modules. What a test changes is its own: a database, a folder, a port. */
  isolate: false,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  /** The default of a second is too short for a machine that does other work as well. */
  expect: { poll: WAIT },
};

export default defineConfig({
  root,
  test: {
    reporters: ['default', `${root}libs/testing/reporter.ts`],
    teardownTimeout: 60_000,
    maxWorkers: WORKERS,
    experimental: { fsModuleCache: true },
    projects: [
      {
        root,
        test: {
          ...SHARED,
          name: 'unit',
          include: ['{bench,libs,services,simulator,web-*}/**/*.test.{ts,tsx}'],
          exclude: [DB, SLOW, CONTAINERS, ...OUTSIDE],
        },
      },
      {
        root,
        test: {
          ...SHARED,
          name: 'db',
          include: [`{libs,services,simulator,web-*}/${DB}`],
          exclude: [SLOW, ...OUTSIDE],
          globalSetup: ['libs/testing/global-database.ts'],
        },
      },
      {
        root,
        test: {
          ...SHARED,
          name: 'slow',
          include: [`{libs,services,simulator,web-*}/${SLOW}`],
          globalSetup: ['libs/testing/global-database.ts'],
        },
      },
      {
        root,
        test: {
          ...SHARED,
          name: 'containers',
          // The suites of `db`, on Postgres and NATS in containers, and what only containers can show.
          include: [
            `{libs,services,simulator,web-*}/${DB}`,
            `{libs,services,simulator}/${CONTAINERS}`,
          ],
          env: { TEST_CONTAINERS: 'yes' },
          globalSetup: ['libs/testing/global-containers.ts'],
          hookTimeout: 300_000,
        },
      },
      {
        root,
        test: {
          ...SHARED,
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          // A browser and a site keep two cores busy.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          // The database is for those who play in their own process what a standalone does not do on demand.
          globalSetup: ['libs/testing/global-database.ts', 'e2e/global-site.ts'],
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
