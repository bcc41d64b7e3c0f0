import { readBody } from '@reelbook/ledger/codec';
import { isEventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { parseStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import type pg from 'pg';
import type { Finding } from './findings.ts';

/** Touched by every event that is missing: its contents are unknown. */
export const MISSING = 'missing';
/** Touched by every event that moves BSM. */
export const TOKEN_MOVED = 'token';

const MISSING_NAMED_MAX = 100;

/** What the missing events of these positions touch. */
export function missing(first: number, last: number): readonly string[] {
  const count = Math.min(last - first + 1, MISSING_NAMED_MAX);
  const places = Array.from({ length: Math.max(count, 0) }, (_, i) => `#${first + i}`);
  return [MISSING, ...places];
}

interface Row {
  readonly position: number;
  readonly day: string;
  readonly body: string;
  /** By the column: the text of an altered event may name another one. */
  readonly stream: string | null;
}

/** By position: the accounts and rows that the events of findings touch; the event's own stream first, then ids, names and `#position`. */
export async function readTouched(
  client: pg.PoolClient,
  findings: readonly Finding[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const { rows } = await client.query<Row>(
    `select position, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD') as day, body::text as body, name as stream
      from events left join streams on streams.key = events.stream where position = any($1)`,
    [findings.flatMap(({ position }) => position ?? [])],
  );
  return new Map(rows.map((row) => [row.position, touchedBy(row)]));
}

function touchedBy({ position, day, body, stream }: Row): ReadonlySet<string> {
  const names = new Set([stream ?? '', `#${position}`]);
  try {
    const { stream: own, type, data } = readBody(body);
    names.add(own);
    for (const text of textsIn(data)) {
      names.add(text);
      names.add(`${day} ${text}`);
      if (WALLET_PATTERN.test(text)) names.add(`player-${text}`);
    }
    if (type === 'WithdrawalFinalized') names.add('fees-earned token');
    const event = { type, data } as AnyEvent;
    for (const { account, asset } of isEventType(type)
      ? postings(event, parseStream(own).id)
      : []) {
      names.add(`${account.startsWith('player:') ? 'players' : account} ${asset}`);
      if (asset === 'token') names.add(TOKEN_MOVED);
    }
  } catch {
    // What an unreadable event touches is known by its columns only.
  }
  return names;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
