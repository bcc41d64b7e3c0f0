import type { LedgerCommand } from '@reelbook/event-store/bus/batch';
import type { Stored } from '@reelbook/event-store/bus/bus';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';

/** Events per read. Well above the maximum of one command, so that every read has a complete command. */
export const EVENTS_PER_READ = 2_000;

const EVENTS = tables
  .selectFrom('events')
  .select(['position', 'first_position', 'body', sql<string>`encode(hash, 'hex')`.as('hash')]);
type Row = InferResult<typeof EVENTS>[number];

/** A sealed body begins with its position and its stream: no join is needed. */
const BODY_START = /^\{"position":\d+,"stream":"([0-9A-Za-z-]+)"/;

/** Complete commands after a position, in order; `more`: others follow them. */
export async function readCommands(
  pool: pg.Pool,
  after: Stored,
): Promise<{ commands: readonly LedgerCommand[]; more: boolean }> {
  const page = EVENTS.where('position', '>', after.position)
    .orderBy('position')
    .limit(EVENTS_PER_READ);
  const rows = await rowsOf(pool, page, 'read-commands');
  const more = rows.length === EVENTS_PER_READ;
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.first_position === row.first_position) group.push(row);
    else groups.push([row]);
  }
  // The last one may be cut. Appends are atomic, so one that ends where the ledger ends is complete.
  if (more) groups.pop();
  assert(rows.length === 0 || groups.length > 0, 'a command is smaller than a read');
  let previousHash = after.hash;
  const commands = groups.map((group) => {
    const command = toCommand(group, previousHash);
    previousHash = command.hash;
    return command;
  });
  return { commands, more };
}

/** The nearest end of a command at or before a position; 0 before the first. */
export async function endOfCommandBefore(pool: pg.Pool, position: number): Promise<number> {
  const next = await rowOf(pool, EVENTS.where('position', '=', position + 1));
  return next ? next.first_position - 1 : position;
}

function toCommand(rows: readonly Row[], previousHash: string): LedgerCommand {
  const first = rows[0];
  const last = rows.at(-1);
  const stream = first && BODY_START.exec(first.body)?.[1];
  assert(first && last && stream, `position ${first?.position} has a sealed event`);
  const { position: firstPosition } = first;
  const bodies = rows.map((row) => row.body);
  return { stream, firstPosition, bodies, previousHash, hash: last.hash };
}
