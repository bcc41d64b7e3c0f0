import type { CommandMessage } from '@reelbook/bus/bus';
import { assert } from '@reelbook/ledger/assert';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** Events read at once. Well above what one command may have, so that every read holds a whole command. */
export const EVENTS_PER_READ = 2_000;

interface Row {
  position: number;
  first_position: number;
  version: number;
  body: string;
  hash: string;
}

/** A sealed body begins with its position and its stream: no join is needed to know where it belongs. */
const BODY_START = /^\{"position":\d+,"stream":"([0-9A-Za-z-]+)"/;

/** Whole commands behind position `after`, in order; `more` says that there are others behind them. */
export async function readCommands(
  pool: pg.Pool,
  after: number,
): Promise<{ commands: readonly CommandMessage[]; more: boolean }> {
  const { rows } = await pool.query<Row>({
    name: 'read-commands',
    text: `select position, first_position, version, body, encode(hash, 'hex') as hash
      from events where position > $1 order by position limit $2`,
    values: [after, EVENTS_PER_READ],
  });
  const more = rows.length === EVENTS_PER_READ;
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.first_position === row.first_position) group.push(row);
    else groups.push([row]);
  }
  // The last one may be cut. Appends are atomic, so one that ends where the book ends is whole.
  if (more) groups.pop();
  assert(rows.length === 0 || groups.length > 0, 'a command is smaller than a read');
  return { commands: groups.map(toMessage), more };
}

/** The nearest end of a command at or before a position; 0 before the first. */
export async function endOfCommandBefore(pool: pg.Pool, position: number): Promise<number> {
  const { rows } = await pool.query<{ first_position: number }>(
    'select first_position from events where position = $1',
    [position + 1],
  );
  return rows[0] ? rows[0].first_position - 1 : position;
}

function toMessage(rows: readonly Row[]): CommandMessage {
  const first = rows[0];
  const last = rows.at(-1);
  const stream = first && BODY_START.exec(first.body)?.[1];
  assert(first && last && stream, `position ${first?.position} holds a sealed event`);
  return {
    ...parseStream(stream),
    firstPosition: first.position,
    lastPosition: last.position,
    firstVersion: first.version,
    lastVersion: last.version,
    bodies: rows.map((row) => row.body),
    hashes: rows.map((row) => row.hash),
  };
}
