/** The commands of operators. Only the module of the named one is loaded. */
import { existsSync } from 'node:fs';
import { type Command, type Program, printError } from '@reelbook/runtime/command';

/** A command of the simulator. The container image does not contain the simulator. */
const checkoutOnly = (load: () => Promise<{ readonly command: Command }>) => async () =>
  existsSync(new URL('../../simulator', import.meta.url)) ? load() : { command: UNAVAILABLE };

const UNAVAILABLE: Command = {
  async run() {
    process.exitCode = printError('This command requires a checkout of the repository.');
  },
};

export const reelbook: Program = {
  call: 'npm run reelbook --',
  about: `Reelbook is an event-sourced game ledger with provably fair games. Commands use the ledger in DATABASE_URL, or the
standalone ledger in DATA_DIR (.reelbook). In a container, run: node services/cli/main.js <command>`,
  commands: {
    start: ['Run all services in one process ("npm start")', () => import('./commands/start.ts')],
    audit: [
      'Verify the ledger and report the first invalid event',
      () => import('./commands/audit.ts'),
    ],
    ledger: ['Find, show, compare, export and verify events', () => import('./commands/ledger.ts')],
    verify: [
      'Verify an export or evidence without a database',
      () => import('./commands/verify.ts'),
    ],
    config: ['Show the configuration or change a value', () => import('./commands/config.ts')],
    operator: [
      'List, add, change and revoke operators of the console',
      () => import('./commands/operator.ts'),
    ],
    cashier: [
      'Review withdrawals and unmatched deposits; check solvency',
      () => import('./commands/cashier.ts'),
    ],
    rebuild: ['Rebuild read models from the first event', () => import('./commands/rebuild.ts')],
    stream: ['Check or reset the NATS stream', () => import('./commands/stream.ts')],
    restored: [
      'Pause payments and audit a ledger that was restored',
      () => import('./commands/restored.ts'),
    ],
    migrate: ['Apply new migrations to the database', () => import('./commands/migrate.ts')],
    keys: [
      'Create the secrets and the .env of the compose file',
      () => import('./commands/keys.ts'),
    ],
    admin: [
      "Run the operators' console as a separate process",
      () => import('./commands/admin.ts'),
    ],
    demo: [
      'Simulate players on a running standalone and verify their results',
      checkoutOnly(() => import('@reelbook/simulator/commands/demo')),
    ],
    crash: [
      'Kill services under load and verify the ledger',
      checkoutOnly(() => import('@reelbook/simulator/commands/crash')),
    ],
  },
};
