/** `npm run reelbook -- rebuild`: rebuilds read models from the ledger and replaces the live ones. */
import { randomUUID } from 'node:crypto';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { type ReadModelCommand, SHELL } from '@reelbook/ledger/operators/projection-actions';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { isReason, REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { projections } from '@reelbook/projections/all';
import type { Projection } from '@reelbook/projections/projection';
import { CannotRebuild, type Rebuilt, rebuild } from '@reelbook/projections/rebuild';
import { recordActions } from '@reelbook/projections/recorded-action';
import {
  count,
  defineCommand,
  EXIT,
  type Exit,
  endProgress,
  print,
  progressLine,
  textOr,
  UsageError,
} from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

/** See `rebuild`. */
const CONNECTIONS = 5;

export const command = defineCommand({
  usage: {
    '': 'List read models and their positions',
    'PROJECTION --reason "..."': 'Rebuild one read model',
    'all --reason "..."': 'Rebuild all read models; read the ledger once',
  },
  about: `Rebuilds a read model from the first event in tables of its own, while the live one stays in use. Then compares both row
by row at one position, and makes the new one live in a short transaction. Also repairs a read model that stopped. The ledger
records the start, the reason, the result and the rows that differed. Requires the login of migrate. After a crash or
Ctrl-C the old read model is live; run the command again to begin again.

Exit code 1: the read model differed from the ledger, and was replaced.`,
  options: {
    reason: textOr(
      '',
      '"..."',
      `the reason, recorded in the ledger (1 to ${REASON_MAX_LENGTH} characters)`,
    ),
  },
  takesArguments: true,
  async run({ reason }, [name, ...more]) {
    if (more.length > 0) throw new UsageError('Name one projection, or all.');
    const wanted = projections.filter((one) => name === 'all' || one.name === name);
    if (name !== undefined && wanted.length === 0) {
      const names = projections.map((one) => one.name).join(', ');
      throw new UsageError(`Unknown projection: ${name}. Projections: ${names}.`);
    }
    if (wanted.length > 0 && !isReason(reason)) {
      throw new UsageError(`--reason "..." is required (1 to ${REASON_MAX_LENGTH} characters).`);
    }
    const url = ledgerUrlOf(readSettings());
    const options = { url, name: 'rebuild', noStatementTimeout: true };
    const pool = openPool({ ...options, role: 'owner', max: CONNECTIONS });
    const writing = openPool({ ...options, role: 'app', max: 1 });
    const executor = startExecutor({ pool: writing });
    try {
      return wanted.length === 0
        ? await list(pool)
        : await rebuildAndRecord({ pool, executor, wanted, reason });
    } finally {
      await executor.close();
      await writing.end();
      await pool.end();
    }
  },
  explain(error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The rebuild failed: ${why}`;
  },
});

/** Prints the position of every read model. */
async function list(pool: pg.Pool): Promise<Exit> {
  const checkpoints = await readCheckpoints(pool);
  for (const { name, version } of projections) {
    const own = checkpoints.find((one) => one.version === version && one.name === name);
    const state = own?.error ? `stopped: ${own.error}` : 'live';
    print(own ? `${name}: position ${count(own.position)}, ${state}` : `${name}: not built`);
  }
  print('\nnpm run reelbook -- help rebuild');
  return EXIT.done;
}

/** Does the work and records its start and its end in the ledger. */
async function rebuildAndRecord(options: {
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  readonly wanted: readonly Projection[];
  readonly reason: string;
}): Promise<Exit> {
  const { pool, wanted, reason } = options;
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CannotRebuild('stopped; the old read model is live'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const job = randomUUID();
  const append = async (command: ReadModelCommand) => {
    const executed = await options.executor.execute({
      decider: operatorsDecider,
      stream: OPERATORS_STREAM,
      idempotencyKey: `command:${SHELL}:${randomUUID()}`,
      request: null,
      meta: { actor: SHELL, correlation: job },
      prepare: async () => ({ command, configVersion: null }),
    });
    if (executed.kind === 'refused') throw new CannotRebuild('the ledger refused the command');
  };
  const wasCancelled = () => stopping.signal.aborted;
  const started = performance.now();
  const progress = progressLine();
  const step = wanted.length === 1 ? `rebuild ${wanted[0]?.name}` : 'rebuild all';
  let isEqual = true;
  // The ledger knows a rebuild that replaces the live one as a switch.
  const act = { projections: wanted, act: 'switch', job, reason } as const;
  await recordActions({ pool, append, wasCancelled, ...act }, (onDone) =>
    rebuild(pool, wanted, {
      signal: stopping.signal,
      onProgress: ({ position, target }) =>
        progress({ step, done: position, total: target, of: 'events' }),
      async onRebuilt(rebuilt) {
        endProgress();
        print(describe(rebuilt, (performance.now() - started) / 1_000));
        isEqual &&= rebuilt.comparison?.equal ?? true;
        await onDone(rebuilt);
      },
    }),
  );
  endProgress();
  return isEqual ? EXIT.done : EXIT.no;
}

function describe({ name, position, comparison }: Rebuilt, seconds: number): string {
  const rate = count(Math.round(position / Math.max(0.001, seconds)));
  const lines = [
    `${name}: live with events 1 to ${count(position)}, ${rate} events per second in total`,
  ];
  if (!comparison) {
    lines.push('Not compared: it was never built, or had stopped before this position.');
  } else if (comparison.equal) {
    const { rows, position: at } = comparison;
    lines.push(`Equal to the old one at position ${count(at)}: ${count(rows)} rows.`);
  } else {
    const { table, live, replayed } = comparison.firstDifference ?? {};
    lines.push(
      `DIFFERENT from the old one at position ${count(comparison.position)}, first in ${table}:`,
      `  old: ${live ?? 'no row'}`,
      `  new: ${replayed ?? 'no row'}`,
    );
  }
  return lines.join('\n');
}
