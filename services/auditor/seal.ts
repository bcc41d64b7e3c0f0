import { hash as hashOf } from 'node:crypto';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerSealed, SealLedger } from '@reelbook/ledger/seals/decide';
import { type SealsState, sealsDecider } from '@reelbook/ledger/seals/decide';
import { SEALS_STREAM } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';

/** Events per read: a seal is computed as a stream, regardless of its size. */
const EVENTS_PER_READ = 1_000;

/** When the events since the last seal are sealed: at this number, or when the oldest has this age. */
export interface SealTerms {
  readonly everyEvents: number;
  readonly everyMs: number;
}

/** A hash that does not match the previous hash and the body: nothing after it is sealed. */
export class ChainBroken extends Error {
  override name = 'ChainBroken';
  readonly position: number;
  constructor(position: number) {
    super(`the hash at position ${position} does not match the previous hash and the body`);
    this.position = position;
  }
}

/**
 * Seals one range if one is due; null when none is. Checks the chain of the range while reading it, from the hash that the
 * last seal recorded. Two auditors seal a range once: it has one idempotency key, and the second gets the first one's result.
 * A crash at any point leaves the range unsealed and due. Throws `ChainBroken`, and the command executor's errors.
 */
export async function sealDue(options: {
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  readonly terms: SealTerms;
}): Promise<LedgerSealed['data'] | null> {
  const { state } = await options.executor.currentState(sealsDecider, SEALS_STREAM);
  const to = await findEnd(options.pool, state, options.terms);
  if (to === null) return null;
  const command = await computeSeal(options.pool, state, to);
  const correlation = `seal:${command.from}`;
  const executed = await options.executor.execute({
    decider: sealsDecider,
    stream: SEALS_STREAM,
    idempotencyKey: correlation,
    // The end and the root depend on the head that an auditor sees: the second one may see another.
    request: { from: command.from },
    meta: { correlation, actor: 'system:auditor' },
    prepare: async () => ({ command, configVersion: null }),
  });
  assert(executed.kind === 'done', 'a seal is never refused');
  const [sealed] = executed.events;
  assert(sealed, 'a range that was due is sealed by this auditor or another one');
  return sealed.event.data;
}

/** The last position of the range to seal now, or null. Seals alone are never due: each would require another one. */
async function findEnd(
  pool: pg.Pool,
  state: SealsState,
  { everyEvents, everyMs }: SealTerms,
): Promise<number | null> {
  const oldest = tables
    .selectFrom('events')
    .select('recorded_at')
    .where('position', '>', state.to)
    .where('stream', '<>', sql<string>`stream_key(${SEALS_STREAM})`)
    .orderBy('position')
    .limit(sql.lit(1));
  const age = sql<number>`extract(epoch from clock_timestamp() - oldest.recorded_at)::float8`;
  const due = tables
    .selectFrom('ledger_head')
    .innerJoinLateral(oldest.as('oldest'), (join) => join.onTrue())
    .select(['ledger_head.position as head', sql<number>`${age} * 1000`.as('age_ms')]);
  const found = await rowOf(pool, due, 'find-seal-end');
  if (!found) return null;
  if (found.head - state.to >= everyEvents) return state.to + everyEvents;
  return found.age_ms >= everyMs ? found.head : null;
}

/** OpenSSL's. The audit and players use a portable one, so that each checks the other. */
const nativeSha256 = (bytes: Uint8Array) => hashOf('sha256', bytes, 'buffer');

async function computeSeal(pool: pg.Pool, state: SealsState, to: number): Promise<SealLedger> {
  const tree = createRootFold(nativeSha256);
  let position = state.to;
  let hash = state.chainHash ?? GENESIS_HASH;
  while (position < to) {
    const due = tables
      .selectFrom('events')
      .select(['position', 'body', 'hash'])
      .where('position', '>', position)
      .where('position', '<=', to)
      .orderBy('position')
      .limit(EVENTS_PER_READ);
    const rows = await rowsOf(pool, due, 'read-to-seal');
    assert(rows.length > 0, `position ${position + 1} is missing from the ledger`);
    for (const row of rows) {
      hash = chainHash(hash, row.body);
      if (row.position !== ++position || hash !== row.hash.toString('hex')) {
        throw new ChainBroken(position);
      }
      tree.push(row.hash);
    }
  }
  const root = Buffer.from(tree.root()).toString('hex');
  return { type: 'SealLedger', from: state.to + 1, to, root, chainHash: hash };
}
