/** `npm run reelbook -- rebuild`: a read model from the first event, next to the live one, compared and switched to. */
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
import { carryOut, type RebuildAction, recordActions } from '@reelbook/projections/recorded-action';
import { count, EXIT, type Exit, endProgress, progressLine, say } from '@reelbook/runtime/command';
import { defineCommand, flag, textOr, UsageError } from '@reelbook/runtime/command-line';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

/** For the rebuild: its reads, its writes, the live checkpoint and the comparison. */
const CONNECTIONS = 4;

export const command = defineCommand({
  usage: {
    '': 'where each read model is',
    'PROJECTION [--switch | --back | --discard] --reason "..."':
      'rebuilds one, or acts on what was rebuilt',
    'all [--switch | --back | --discard] --reason "..."':
      'the same for all of them; the ledger is read once',
  },
  about: `Rebuilds a read model from the first event next to the live one, which is still read and kept up to date. Then
compares both row by row at one position. Run again after a crash or Ctrl-C it goes on from where it was. The ledger records
that it was begun, why, and what came of it. Without an option the rebuilt one is kept next to the live one: run it again with
--switch or --discard.

Exit code 1: the live one differs and was not switched.`,
  options: {
    switch: flag(
      'then makes the rebuilt one live in one transaction: no reader waits for more than a moment, none finds\n' +
        'no table or half of one, and the projector goes on with it. Also repairs a read model that stopped.\n' +
        'The old one is kept for going back.',
    ),
    back: flag('makes the old one live again, caught up with the ledger'),
    discard: flag('drops the rebuilt one and the old one'),
    reason: textOr(
      '',
      '"..."',
      `why, in 1 to ${REASON_MAX_LENGTH} characters; it is in the ledger`,
    ),
  },
  takesArguments: true,
  async run({ reason, ...values }, [name, ...more]) {
    const acts = (['switch', 'back', 'discard'] as const).filter((act) => values[act]);
    if (acts.length > 1) throw new UsageError(`One of --${acts.join(' and --')} at a time.`);
    if (more.length > 0) throw new UsageError('One projection at a time.');
    const wanted = projections.filter((one) => name === 'all' || one.name === name);
    if (name !== undefined && wanted.length === 0) {
      throw new UsageError(`No projection ${name}; there are ${names().join(', ')}.`);
    }
    if (wanted.length > 0 && !isReason(reason)) {
      throw new UsageError(`Say why, in 1 to ${REASON_MAX_LENGTH} characters: --reason "..."`);
    }
    const url = ledgerUrlOf(readSettings());
    const options = { url, max: CONNECTIONS, name: 'rebuild', noStatementTimeout: true };
    const pool = openPool({ ...options, role: 'projector' });
    try {
      if (wanted.length === 0) return await tell(pool);
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
    const more = isUnavailable(error) ? ' Run it again to go on.' : '';
    return `The rebuild could not be done: ${why}${more}`;
  },
});

function names(): readonly string[] {
  return projections.map((one) => one.name);
}

/** Where every read model stands, and what stands beside it. */
async function tell(pool: pg.Pool): Promise<Exit> {
  const checkpoints = await readCheckpoints(pool);
  for (const { name, version } of projections) {
    const own = checkpoints.filter(
      (one) => one.version === version && (one.name === name || one.name.startsWith(`${name}@`)),
    );
    if (own.length === 0) say(`${name}: was never built`);
    for (const one of own) {
      const place = isParallel(one) ? one.name.slice(name.length + 1) : 'live';
      const state = one.error ? `stopped: ${one.error}` : place;
      say(`${name}: position ${count(one.position)}, ${state}`);
    }
  }
  say('\nnpm run reelbook -- help rebuild');
  return EXIT.done;
}

interface Doing {
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  readonly wanted: readonly Projection[];
  readonly act: RebuildAction;
  readonly reason: string;
}

/** The work between its two events in the ledger. */
async function record(o: Doing): Promise<Exit> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CannotRebuild('stopped; run it again to go on'));
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
    if (executed.kind === 'refused') throw new CannotRebuild('the ledger did not take it');
  };
  const wasCancelled = () => stopping.signal.aborted;
  const { pool, wanted: projections, act, reason } = o;
  const acts = { pool, projections, act, job, reason, append, wasCancelled };
  return recordActions(acts, (onDone) => work(o, stopping.signal, onDone));
}

async function work(
  { pool, wanted, act }: Doing,
  signal: AbortSignal,
  record: (name: string) => Promise<void>,
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
    async onDone({ name, rebuilt, dropped }) {
      endProgress();
      const seconds = (performance.now() - started) / 1_000;
      if (rebuilt) say(describe(name, rebuilt, seconds));
      else if (dropped.length > 0) say(`Dropped the ${dropped.join(' and the ')} one of ${name}.`);
      else if (wanted.length === 1)
        throw new CannotRebuild(`there is nothing but the live ${name}`);
      isRight &&= !rebuilt || rebuilt.switched || (rebuilt.comparison?.equal ?? true);
      await record(name);
    },
  });
  endProgress();
  return isRight ? EXIT.done : EXIT.no;
}

function describe(name: string, rebuilt: Rebuilt, seconds: number): string {
  const { from, position, comparison, switched } = rebuilt;
  const rate = count(Math.round((position - from) / Math.max(0.001, seconds)));
  const lines = [
    `${name}: events ${count(Math.min(from + 1, position))} to ${count(position)} applied beside the live one, ${rate} events a second with all`,
  ];
  if (!comparison) {
    lines.push('Not compared: the live one stopped before this position, or was never begun.');
  } else if (comparison.equal) {
    const { rows, position: at } = comparison;
    lines.push(`Equal to the live one at position ${count(at)}: ${count(rows)} rows.`);
  } else {
    const { table, live, replayed } = comparison.firstDifference ?? {};
    lines.push(
      `DIFFERENT from the live one at position ${count(comparison.position)}, first in ${table}:`,
      `  live:    ${live ?? 'no row'}`,
      `  beside:  ${replayed ?? 'no row'}`,
    );
  }
  lines.push(
    switched
      ? 'Switched. What was live is kept: --back goes back to it, --discard drops it.'
      : 'It stands beside the live one: --switch makes it live, --discard drops it.',
  );
  return lines.join('\n');
}
