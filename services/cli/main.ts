/** `npm run reelbook`: everything that an operator runs. A command's module is loaded when it is named. */
import { type Program, runProgram } from '@reelbook/runtime/command-line';

const reelbook: Program = {
  call: 'npm run reelbook --',
  about: `Reelbook: an event-sourced game ledger with provably fair games. Commands find the standalone by its DATA_DIR
(.reelbook), or any other ledger by DATABASE_URL. In a container: node services/cli/main.js <command>`,
  commands: {
    start: {
      summary: 'everything in one process, as "npm start"',
      load: () => import('./commands/start.ts'),
    },
    audit: {
      summary: 'proves the ledger, or names the first event that does not hold',
      load: () => import('./commands/audit.ts'),
    },
    ledger: {
      summary: 'finds, shows, compares, exports and verifies events',
      load: () => import('./commands/ledger.ts'),
    },
    config: {
      summary: 'shows the configuration, or changes a value of it',
      load: () => import('./commands/config.ts'),
    },
    operator: {
      summary: 'who may enter the console; the first admin is made by it',
      load: () => import('./commands/operator.ts'),
    },
    cashier: {
      summary: 'withdrawals and unmatched deposits that wait for an operator; solvency',
      load: () => import('./commands/cashier.ts'),
    },
    rebuild: {
      summary: 'a read model from the first event, compared and switched to',
      load: () => import('./commands/rebuild.ts'),
    },
    stream: {
      summary: "whether NATS has this ledger's stream, and how to begin a new one",
      load: () => import('./commands/stream.ts'),
    },
    backup: {
      summary: 'a verified copy of the ledger while it is in use',
      load: () => import('./commands/backup.ts'),
    },
    restore: {
      summary: 'an empty database from a backup, proven by the audit',
      load: () => import('./commands/restore.ts'),
    },
    migrate: {
      summary: 'brings a database up to date',
      load: () => import('./commands/migrate.ts'),
    },
    keys: {
      summary: 'the secrets and the .env of the compose file, once',
      load: () => import('./commands/keys.ts'),
    },
    admin: {
      summary: "the operators' console as a process of its own",
      load: () => import('./commands/admin.ts'),
    },
    demo: {
      summary: 'real players on a running standalone, then the proof of what they saw',
      load: async () => ({ command: (await import('./simulators.ts')).demo }),
    },
    crash: {
      summary: 'services killed under load, then the proof of the ledger',
      load: async () => ({ command: (await import('./simulators.ts')).crash }),
    },
    trial: {
      summary: 'the same on the compose file',
      load: async () => ({ command: (await import('./simulators.ts')).trial }),
    },
  },
};

await runProgram(reelbook, process.argv.slice(2));
