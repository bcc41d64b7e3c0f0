import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DB = '**/*.db.test.ts';
const CONTAINERS = '**/*.containers.test.ts';
/** The default of a second is too short for a machine that does a dozen other things meanwhile. */
const PATIENT = { poll: { timeout: 20_000 } };
const OUTSIDE = ['**/node_modules/**', '**/dist/**', '.reelbook/**'];

export default defineConfig({
  root,
  test: {
    reporters: ['default', `${root}libs/testing/left-out.ts`],
    teardownTimeout: 60_000,
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['{libs,services,web-*}/**/*.test.{ts,tsx}'],
          exclude: [DB, CONTAINERS, ...OUTSIDE],
          // Not for slow tests: for machines that do a dozen other things meanwhile.
          testTimeout: 60_000,
          expect: PATIENT,
        },
      },
      {
        root,
        test: {
          name: 'db',
          include: [`{libs,services}/${DB}`],
          exclude: OUTSIDE,
          globalSetup: ['libs/testing/global-database.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: PATIENT,
        },
      },
      {
        root,
        test: {
          name: 'containers',
          // The suites of `db`, on Postgres and NATS in containers, and what only containers can show.
          include: [`{libs,services}/${DB}`, `{libs,services}/${CONTAINERS}`],
          exclude: OUTSIDE,
          env: { TEST_CONTAINERS: 'yes' },
          globalSetup: ['libs/testing/global-containers.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          // For those who play in their own process what a standalone does not do on demand.
          globalSetup: ['libs/testing/global-database.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: PATIENT,
        },
      },
    ],
  },
});
