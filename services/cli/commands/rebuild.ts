/** `npm run reelbook -- rebuild`: rebuilds a read model in parallel with the live one, compares both, switches. */
import { randomUUID } from 'node:crypto';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { isUnavailable, openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { holderName } from '@reelbook/event-store/leased-worker';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { type ReadModelCommand, SHELL } from '@reelbook/ledger/operators/projection-actions';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { isReason, REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { projections } from '@reelbook/projections/all';
import { CannotRebuild, isParallel } from '@reelbook/projections/parallel';
import type { Projection } from '@reelbook/projections/projection';
import type { Rebuilt } from '@reelbook/projections/rebuild';
import {
  type CarriedOut,
  carryOut,
  type RebuildAction,
  recordActions,
} from '@reelbook/projections/recorded-action';
import {
  count,
  EXIT,
  type Exit,
  endProgress,
  print,
  progressLine,
} from '@reelbook/runtime/command';
import { defineCommand, flag, textOr, UsageError } from '@reelbook/runtime/command-line';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

/** For the rebuild: its reads, its writes, the live checkpoint and the comparison. */
const CONNECTIONS = 4;

export const command = defineCommand({
  usage: {
    '': 'List read models and their positions',
    'PROJECTION [--switch | --back | --discard] --reason "..."': 'Rebuild one read model',
    'all [--switch | --back | --discard] --reason "..."':
      'Rebuild all read models; read the ledger once',
  },
  about: `Rebuilds a read model from the first event in parallel with the live one, which stays in use. Then compares both row by
row at one position. After a crash or Ctrl-C, run the command again to continue. The ledger records the start, the reason and
the result. Without an option the rebuilt read model is kept next to the live one: run again with --switch or --discard.

Exit code 1: the live read model differs and was not switched.`,
  options: {
    switch: flag(
      'make the rebuilt read model live, in one transaction. Also repairs a read model that stopped.\n' +
        'The old one is kept for --back.',
    ),
    back: flag('make the old read model live again, up to date with the ledger'),
    discard: flag('drop the rebuilt and the old read model'),
    reason: textOr(
      '',
      '"..."',
      `the reason, recorded in the ledger (1 to ${REASON_MAX_LENGTH} characters)`,
    ),
  },
  takesArguments: true,
  async run({ reason, ...values }, [name, ...more]) {
    const acts = (['switch', 'back', 'discard'] as const).filter((act) => values[act]);
    if (acts.length > 1) throw new UsageError(`Use only one of --${acts.join(' and --')}.`);
    if (more.length > 0) throw new UsageError('Name one projection, or all.');
    const wanted = projections.filter((one) => name === 'all' || one.name === name);
    if (name !== undefined && wanted.length === 0) {
      throw new UsageError(`Unknown projection: ${name}. Projections: ${names().join(', ')}.`);
    }
    if (wanted.length > 0 && !isReason(reason)) {
      throw new UsageError(`--reason "..." is required (1 to ${REASON_MAX_LENGTH} characters).`);
    }
    const url = ledgerUrlOf(readSettings());
    const options = { url, max: CONNECTIONS, name: 'rebuild', noStatementTimeout: true };
    const pool = openPool({ ...options, role: 'projector' });
    try {
      if (wanted.length === 0) return await list(pool);
      const writing = openPool({ ...options, role: 'app', max: 1 });
      const executor = startExecutor({ pool: writing });
      try {
        return await record({ pool, executor, wanted, act: acts[0] ?? 'rebuild', reason });
      } finally {
        await executor.close();
        await writing.end();
      }
    } finally {
      await pool.end();
    }
  },
  explain(error) {
    const why = error instanceof Error ? error.message : String(error);
    const more = isUnavailable(error) ? ' Run the command again to continue.' : '';
    return `The rebuild failed: ${why}${more}`;
  },
});

function names(): readonly string[] {
  return projections.map((one) => one.name);
}

/** Prints the position of every read model, with the rebuilt and the old ones. */
async function list(pool: pg.Pool): Promise<Exit> {
  const checkpoints = await readCheckpoints(pool);
  for (const { name, version } of projections) {
    const own = checkpoints.filter(
      (one) => one.version === version && (one.name === name || one.name.startsWith(`${name}@`)),
    );
    if (own.length === 0) print(`${name}: not built`);
    for (const one of own) {
      const place = isParallel(one) ? one.name.slice(name.length + 1) : 'live';
      const state = one.error ? `stopped: ${one.error}` : place;
      print(`${name}: position ${count(one.position)}, ${state}`);
    }
  }
  print('\nnpm run reelbook -- help rebuild');
  return EXIT.done;
}

interface Job {
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  readonly wanted: readonly Projection[];
  readonly act: RebuildAction;
  readonly reason: string;
}

/** Does the work and records its start and its end in the ledger. */
async function record(o: Job): Promise<Exit> {
  const stopping = new AbortController();
  const stop = () =>
    stopping.abort(new CannotRebuild('stopped; run the command again to continue'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const job = randomUUID();
  const append = async (command: ReadModelCommand) => {
    const executed = await o.executor.execute({
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
  const { pool, wanted: projections, act, reason } = o;
  const acts = { pool, projections, act, job, reason, append, wasCancelled };
  return recordActions(acts, (onDone) => work(o, stopping.signal, onDone));
}

async function work(
  { pool, wanted, act }: Job,
  signal: AbortSignal,
  record: (one: CarriedOut) => Promise<void>,
): Promise<Exit> {
  const started = performance.now();
  const progress = progressLine();
  const step = wanted.length === 1 ? `rebuild ${wanted[0]?.name}` : 'rebuild all';
  const onProgress = ({ position, target }: { position: number; target: number }) =>
    progress({ step, done: position, total: target, of: 'events' });
  let isRight = true;
  await carryOut(pool, {
    projections: wanted,
    act,
    holder: holderName('rebuild'),
    steps: { signal, onProgress },
    async onDone(one) {
      const { name, rebuilt, dropped } = one;
      endProgress();
      const seconds = (performance.now() - started) / 1_000;
      if (rebuilt) print(describe(name, rebuilt, seconds));
      else if (dropped.length > 0)
        print(`Dropped the ${dropped.join(' and the ')} one of ${name}.`);
      else if (wanted.length === 1) throw new CannotRebuild(`${name} has only a live read model`);
      isRight &&= !rebuilt || rebuilt.switched || (rebuilt.comparison?.equal ?? true);
      await record(one);
    },
  });
  endProgress();
  return isRight ? EXIT.done : EXIT.no;
}

function describe(name: string, rebuilt: Rebuilt, seconds: number): string {
  const { from, position, comparison, switched } = rebuilt;
  const rate = count(Math.round((position - from) / Math.max(0.001, seconds)));
  const lines = [
    `${name}: events ${count(Math.min(from + 1, position))} to ${count(position)} applied, ${rate} events per second in total`,
  ];
  if (!comparison) {
    lines.push(
      'Not compared: the live read model stopped before this position, or was never built.',
    );
  } else if (comparison.equal) {
    const { rows, position: at } = comparison;
    lines.push(`Equal to the live one at position ${count(at)}: ${count(rows)} rows.`);
  } else {
    const { table, live, replayed } = comparison.firstDifference ?? {};
    lines.push(
      `DIFFERENT from the live one at position ${count(comparison.position)}, first in ${table}:`,
      `  live:    ${live ?? 'no row'}`,
      `  rebuilt: ${replayed ?? 'no row'}`,
    );
  }
  lines.push(
    switched
      ? 'Switched. The old read model is kept: --back restores it, --discard drops it.'
      : 'The rebuilt read model is kept: --switch makes it live, --discard drops it.',
  );
  return lines.join('\n');
}
