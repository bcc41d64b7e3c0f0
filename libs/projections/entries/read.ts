import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf, unreadable } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { readBody } from '@reelbook/ledger/codec';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';
import { type Db, readReached } from '../projection.ts';
import type { ExplorerFilter } from './filter.ts';
import { entries, movedBy } from './projection.ts';
import { readPositionAt, type Sought, seek } from './seek.ts';

const EXPLORER_LIMIT_MAX = 500;

/** An event as the explorer lists it; the player of its stream has the current nickname. */
export type ExplorerEntry = ReturnType<typeof entryOf>;

/**
 * Events that match a filter, newest first, from before a position on. `next` is `before` of the next page; null: there is
 * none. Throws `Unanswerable`.
 */
export async function readExplorer(
  pool: pg.Pool,
  options: {
    readonly filter: ExplorerFilter;
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<{ readonly entries: readonly ExplorerEntry[]; readonly next: number | null }> {
  const { filter, before, limit } = options;
  assert(limit >= 1 && limit <= EXPLORER_LIMIT_MAX, 'a limit');
  const sought = await seek(pool, filter);
  if (!sought) return { entries: [], next: null };
  const last = Math.min(sought.last, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const found = await readPage(pool, { ...sought, last }, { limit, order: 'desc' });
  return {
    entries: found,
    next: found.length === limit ? (found.at(-1)?.position ?? null) : null,
  };
}

/**
 * The live end: events that match a filter and came after a position, oldest first. `tail` is the `after` of the next
 * call: the last position that this one covered. Throws `Unanswerable`.
 */
export async function readSince(
  pool: pg.Pool,
  options: { readonly filter: ExplorerFilter; readonly after: number; readonly limit: number },
): Promise<{ readonly entries: readonly ExplorerEntry[]; readonly tail: number }> {
  const { filter, after, limit } = options;
  assert(limit >= 1 && limit <= EXPLORER_LIMIT_MAX, 'a limit');
  // Before the rows: what is applied meanwhile belongs to the next call.
  const reached = await readReached(pool, entries);
  const sought = await seek(pool, filter);
  if (!sought) return { entries: [], tail: Math.max(after, reached) };
  const first = Math.max(sought.first, after + 1);
  const last = Math.min(sought.last, reached);
  const found = await readPage(pool, { ...sought, first, last }, { limit, order: 'asc' });
  const seen = found.length === limit ? (found.at(-1)?.position ?? reached) : reached;
  return { entries: found, tail: Math.max(after, seen) };
}

/** The number of events that match a filter, at most `max`. Throws `Unanswerable`. */
export async function countMatches(
  pool: pg.Pool,
  options: { readonly filter: ExplorerFilter; readonly max: number },
): Promise<number> {
  const sought = await seek(pool, options.filter);
  if (!sought) return 0;
  const matching = tables
    .selectFrom('projections.entries_v1 as e')
    .select('e.position')
    .where((eb) => eb.and([...sought.conditions]))
    .where('e.position', '>=', sought.first)
    .where('e.position', '<=', sought.last)
    .limit(options.max);
  const counted = tables
    .selectFrom(matching.as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await rowOf(pool, counted))?.count ?? 0);
}

/** The number of players who acted since a time. */
export async function countActive(db: Db, since: string): Promise<number> {
  const counted = tables
    .selectFrom('projections.entries_v1')
    .select(sql<number>`count(distinct player)::int`.as('count'))
    .where('position', '>', await readPositionAt(db, since))
    .where('player', 'is not', null)
    .where('actor', 'is', null);
  return (await rowOf(db, counted, 'count-active'))?.count ?? 0;
}

interface PageOf {
  readonly limit: number;
  /** Of positions. */
  readonly order: 'asc' | 'desc';
}

/** The query of a page, exported to inspect its plan. */
function pageOf({ first, last, conditions }: Sought, { limit, order }: PageOf) {
  const found = tables
    .selectFrom('projections.entries_v1 as e')
    .select(['e.position', 'e.player'])
    .where((eb) => eb.and([...conditions]))
    .where('e.position', '>=', first)
    .where('e.position', '<=', last)
    .orderBy('e.position', order)
    .limit(limit);
  return tables
    .selectFrom(found.as('e'))
    .innerJoin('events as event', 'event.position', 'e.position')
    .leftJoin('events as begun', 'begun.position', 'event.first_position')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('projections.entries_players_v1 as own')
          .select(['own.public_id', 'own.nickname'])
          .whereRef('own.player', '=', 'e.player')
          .limit(1)
          .as('p'),
      (join) => join.onTrue(),
    )
    .select(['e.position', 'event.body', 'begun.body as first_body', 'p.public_id', 'p.nickname'])
    .orderBy('e.position', order);
}

/** `first_body` is null if the ledger has no such event, which happens only after tampering. */
type Row = InferResult<ReturnType<typeof pageOf>>[number];

async function readPage(pool: pg.Pool, sought: Sought, options: PageOf) {
  return (await rowsOf(pool, pageOf(sought, options))).map(toEntry);
}

function toEntry(row: Row): ExplorerEntry {
  try {
    return entryOf(row);
  } catch (error) {
    return unreadable<ExplorerEntry>({ position: row.position }, error);
  }
}

function entryOf({ body, first_body, public_id: publicId, nickname }: Row) {
  const { position, stream, version, time, event } = eventOf(body);
  const meta = first_body === null ? null : readBody(first_body).meta;
  const { type, data } = event;
  const { kind, id: wallet } = parseStream(stream);
  return {
    position,
    time,
    type,
    sentence: sentenceOf(event),
    kind,
    player: publicId === null ? null : { wallet, publicId, nickname },
    version,
    ...movedBy(event, wallet),
    game: 'game' in data ? data.game : null,
    round: 'round' in data ? (data.round ?? null) : null,
    rules: 'rules' in data ? data.rules : null,
    correlation: meta?.correlation ?? '',
    command: meta?.command ?? '',
    actor: meta?.actor ?? '',
    signature: 'signature' in data ? data.signature : null,
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
  };
}

const PLAYERS_LIMIT_MAX = 200;

/** A player with the current nickname. */
export interface PlayerNamed {
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
}

const PLAYERS = tables
  .selectFrom('projections.entries_players_v1')
  .select(['wallet', 'public_id as publicId', 'nickname']);

/** Characters of a wallet's end by which an index finds few. */
export const END_MIN = 4;

/**
 * Players whose wallet, public id or nickname has this prefix (nicknames regardless of case), or whose wallet has this end or is
 * abbreviated to it, by wallet.
 */
export async function searchPlayers(
  db: Db,
  { beginning, limit }: { readonly beginning: string; readonly limit: number },
): Promise<readonly PlayerNamed[]> {
  assert(limit >= 1 && limit <= PLAYERS_LIMIT_MAX, 'a limit');
  const { start, end } = partOf(beginning);
  const ending = (text: string) => likeOf([...text].reverse().join(''));
  const byEnd = (text: string) => PLAYERS.where(sql<string>`reverse(wallet)`, 'like', ending(text));
  // Each name by its own index.
  const named = byEnd(end)
    .where('wallet', 'like', likeOf(start))
    .union(byEnd(beginning).where(sql.lit(beginning.length >= END_MIN)))
    .union(PLAYERS.where('public_id', 'like', likeOf(beginning)))
    .union(PLAYERS.where(sql<string>`lower(nickname)`, 'like', likeOf(beginning.toLowerCase())));
  const found = tables.selectFrom(named.as('found')).selectAll();
  return rowsOf(db, found.orderBy('wallet').limit(limit));
}

/** Those of the wallets that are players. */
export async function readPlayersNamed(
  db: Db,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, PlayerNamed>> {
  const named = PLAYERS.where('wallet', '=', anyOf('text', [...new Set(wallets)]));
  const rows = await rowsOf(db, named, 'read-players-named');
  return new Map(rows.map((row) => [row.wallet, row]));
}

/** The start and end of an abbreviated identifier, `AbCd…WxYz`; the end is empty without an ellipsis. */
export function partOf(typed: string): { readonly start: string; readonly end: string } {
  const [start = '', end = ''] = typed.trim().split(/\s*(?:…|\.{2,})\s*/);
  return { start, end };
}

/** The pattern of a prefix. */
export function likeOf(beginning: string): string {
  return `${beginning.replace(/[\\%_]/g, '\\$&')}%`;
}
