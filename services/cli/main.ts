/** `npm run reelbook`: everything that an operator runs. A command's module is loaded when it is named. */
import { existsSync } from 'node:fs';
import { complain } from '@reelbook/runtime/command';
import { type Command, type Program, runProgram } from '@reelbook/runtime/command-line';

/** A command of the simulator, which the image does not have. */
const ofCheckout = (load: () => Promise<{ readonly command: Command }>) => async () =>
  existsSync(new URL('../../simulator', import.meta.url)) ? load() : { command: ELSEWHERE };

const ELSEWHERE: Command = {
  async run() {
    process.exitCode = complain('It runs in a checkout of the repository only.');
  },
};

const reelbook: Program = {
  call: 'npm run reelbook --',
  about: `Reelbook: an event-sourced game ledger with provably fair games. Commands find the standalone by its DATA_DIR
(.reelbook), or any other ledger by DATABASE_URL. In a container: node services/cli/main.js <command>`,
  commands: {
    start: ['everything in one process, as "npm start"', () => import('./commands/start.ts')],
    audit: [
      'proves the ledger, or names the first event that does not hold',
      () => import('./commands/audit.ts'),
    ],
    ledger: [
      'finds, shows, compares, exports and verifies events',
      () => import('./commands/ledger.ts'),
    ],
    config: [
      'shows the configuration, or changes a value of it',
      () => import('./commands/config.ts'),
    ],
    operator: [
      'who may enter the console; the first admin is made by it',
      () => import('./commands/operator.ts'),
    ],
    cashier: [
      'withdrawals and unmatched deposits that wait for an operator; solvency',
      () => import('./commands/cashier.ts'),
    ],
    rebuild: [
      'a read model from the first event, compared and switched to',
      () => import('./commands/rebuild.ts'),
    ],
    stream: [
      "whether NATS has this ledger's stream, and how to begin a new one",
      () => import('./commands/stream.ts'),
    ],
    backup: [
      'a verified copy of the ledger while it is in use',
      () => import('./commands/backup.ts'),
    ],
    restore: [
      'an empty database from a backup, proven by the audit',
      () => import('./commands/restore.ts'),
    ],
    migrate: ['brings a database up to date', () => import('./commands/migrate.ts')],
    keys: [
      'the secrets and the .env of the compose file, once',
      () => import('./commands/keys.ts'),
    ],
    admin: ["the operators' console as a process of its own", () => import('./commands/admin.ts')],
    demo: [
      'real players on a running standalone, then the proof of what they saw',
      ofCheckout(() => import('@reelbook/simulator/commands/demo')),
    ],
    crash: [
      'services killed under load, then the proof of the ledger',
      ofCheckout(() => import('@reelbook/simulator/commands/crash')),
    ],
    trial: [
      'the same on the compose file',
      ofCheckout(() => import('@reelbook/simulator/commands/trial')),
    ],
  },
};

await runProgram(reelbook, process.argv.slice(2));
