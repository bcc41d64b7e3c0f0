import { EVENTS_PER_COMMAND_MAX } from '@reelbook/event-store/append';
import { kyselyOf } from '@reelbook/event-store/db';
import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import type { StreamKind } from '@reelbook/ledger/streams';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type pg from 'pg';
import { type Db, reachedSql } from '../projection.ts';
import { checkFilter, type ExplorerFilter, isRangeAlone } from './filter.ts';
import { hashPrefix } from './fold.ts';
import { explorer } from './projection.ts';

export const EXPLORER_LIMIT_MAX = 500;

export interface ExplorerEntry {
  readonly position: number;
  readonly time: string;
  readonly type: EventType;
  readonly kind: StreamKind;
  /** The player of the stream, under the nickname of now; null for other streams. */
  readonly player: {
    readonly wallet: string;
    readonly publicId: string;
    readonly nickname: string | null;
  } | null;
  readonly version: number;
  /** What the event gave the player, signed; null: nothing of that asset moved. */
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
  readonly game: string | null;
  readonly round: string | null;
  readonly rules: string | null;
  readonly correlation: string;
  readonly command: string;
  readonly actor: string;
  /** Of a transaction on the chain. */
  readonly signature: string | null;
  readonly withdrawal: string | null;
}

export interface ExplorerPage {
  readonly entries: readonly ExplorerEntry[];
  /** `before` of the next page; null: there is none. */
  readonly next: number | null;
}

/** The tables as they are read: see `table.sql`. Amounts are asked for as texts, for they outgrow numbers. */
interface Tables {
  explorer_v3: {
    position: number;
    recorded_at: string;
    type: EventType;
    kind: StreamKind;
    wallet: string | null;
    version: number;
    points: string | null;
    token: string | null;
    game: string | null;
    round: string | null;
    rules: string | null;
    correlation: string;
    command: string;
    actor: string | null;
    signature: string | null;
    withdrawal: string | null;
    hash_prefix: string;
    points_abs: string | null;
    token_abs: string | null;
  };
  explorer_players_v3: { wallet: string; public_id: string; nickname: string | null };
}

type Entries<O> = SelectQueryBuilder<Tables & { e: Tables['explorer_v3'] }, 'e', O>;

/** Events that meet a filter, newest first, from before a position on. Throws `Unanswerable`. */
export async function readExplorer(
  pool: pg.Pool,
  o: {
    readonly filter: ExplorerFilter;
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<ExplorerPage> {
  const { filter, before, limit } = o;
  assert(limit >= 1 && limit <= EXPLORER_LIMIT_MAX, 'a limit');
  checkFilter(filter);
  const between = await positionsOf(pool, filter);
  if (!between) return { entries: [], next: null };
  const last = Math.min(between.last, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const found = await compile(pool, filter, { first: between.first, last, limit }).execute();
  const entries = found.map(toEntry);
  return { entries, next: found.length === limit ? (found.at(-1)?.position ?? null) : null };
}

/**
 * The live tail: events that meet a filter and came after a position, oldest first. `tail` is the `after` of the next
 * look: how far this one has seen. Throws `Unanswerable`.
 */
export async function readSince(
  pool: pg.Pool,
  o: { readonly filter: ExplorerFilter; readonly after: number; readonly limit: number },
): Promise<{ readonly entries: readonly ExplorerEntry[]; readonly tail: number }> {
  const { filter, after, limit } = o;
  assert(limit >= 1 && limit <= EXPLORER_LIMIT_MAX, 'a limit');
  checkFilter(filter);
  // Before the rows: what is applied meanwhile is of the next look.
  const reached = await readReached(pool);
  const between = await positionsOf(pool, filter);
  if (!between) return { entries: [], tail: Math.max(after, reached) };
  const first = Math.max(between.first, after + 1);
  const last = Math.min(between.last, reached);
  const query = compile(pool, filter, { first, last, limit, order: 'asc' });
  const entries = (await query.execute()).map(toEntry);
  const seen = entries.length === limit ? (entries.at(-1)?.position ?? reached) : reached;
  return { entries, tail: Math.max(after, seen) };
}

/** How far the explorer has come. */
export async function readReached(db: Db): Promise<number> {
  const { rows } = await db.query<{ reached: number | null }>(
    `select reached from ${reachedSql(explorer)} as checkpoint(reached)`,
  );
  return rows[0]?.reached ?? 0;
}

/** The statement of a page, for whoever wants to know how it is planned. */
export function compile(
  pool: pg.Pool,
  filter: ExplorerFilter,
  o: {
    readonly first: number;
    readonly last: number;
    readonly limit: number;
    /** Of positions; descending without. */
    readonly order?: 'asc' | 'desc';
  },
) {
  const db = kyselyOf<Tables>(pool).withSchema('projections');
  const all = db.selectFrom('explorer_v3 as e') as Entries<object>;
  const order = o.order ?? 'desc';
  const within = <O>(query: Entries<O>) =>
    narrow(db, query, filter).where('e.position', '>=', o.first).where('e.position', '<=', o.last);
  // The index of amounts gives the page's positions by itself; with its rows Postgres would walk half the book instead.
  const found = isRangeAlone(filter)
    ? all.where(
        'e.position',
        'in',
        within(all).select('e.position').orderBy('e.position', order).limit(o.limit),
      )
    : within(all);
  return found
    .leftJoin('explorer_players_v3 as p', 'p.wallet', 'e.wallet')
    .select(['e.position', 'e.recorded_at', 'e.type', 'e.kind', 'e.wallet', 'e.version'])
    .select(['e.game', 'e.round', 'e.rules', 'e.correlation', 'e.command', 'e.actor'])
    .select(['e.signature', 'e.withdrawal', 'p.public_id', 'p.nickname'])
    .select([sql<string | null>`e.points::text`.as('points')])
    .select([sql<string | null>`e.token::text`.as('token')])
    .orderBy('e.position', order)
    .limit(o.limit);
}

const EXACT = [
  ...(['game', 'round', 'rules', 'correlation', 'command'] as const),
  ...(['signature', 'withdrawal'] as const),
] as const;

function narrow<O>(db: Kysely<Tables>, all: Entries<O>, filter: ExplorerFilter): Entries<O> {
  const { types, kind, wallet, publicId, actor, asset, amount } = filter;
  let query = all;
  if (types) query = query.where('e.type', 'in', types);
  if (kind) query = query.where('e.kind', '=', kind);
  if (wallet) query = query.where('e.wallet', '=', wallet);
  if (publicId) {
    const owner = db.selectFrom('explorer_players_v3').where('public_id', '=', publicId);
    query = query.where('e.wallet', '=', owner.select('wallet'));
  }
  for (const column of EXACT) {
    const value = filter[column];
    if (value !== undefined) query = query.where(`e.${column}`, '=', value);
  }
  if (actor?.startsWith('player:')) {
    // A player acts in his own stream only, and there is not named again.
    const player = actor.slice('player:'.length);
    query = query.where('e.wallet', '=', player).where('e.actor', 'is', null);
  } else if (actor) query = query.where('e.actor', '=', actor);
  if (!asset) return query;
  query = query.where(`e.${asset}`, 'is not', null);
  const magnitude = `e.${asset}_abs` as const;
  const { minMinor, maxMinor } = amount ?? {};
  // One amount comes from its index in the order of positions; a range has to be sorted or filtered.
  if (minMinor !== undefined && minMinor === maxMinor) {
    return query.where(magnitude, '=', minMinor.toString());
  }
  if (minMinor !== undefined) query = query.where(magnitude, '>=', minMinor.toString());
  if (maxMinor !== undefined) query = query.where(magnitude, '<=', maxMinor.toString());
  return query;
}

/** What a filter says of positions, both included; null: no such event. Throws `Unanswerable`. */
export async function readRange(
  pool: pg.Pool,
  filter: ExplorerFilter,
): Promise<{ readonly first: number; readonly last: number } | null> {
  checkFilter(filter);
  return positionsOf(pool, filter);
}

async function positionsOf(
  pool: pg.Pool,
  filter: ExplorerFilter,
): Promise<{ first: number; last: number } | null> {
  const { from, to, fromPosition = 1, toPosition = Number.MAX_SAFE_INTEGER } = filter;
  const { command, hash } = filter;
  let [first, last] = [fromPosition, toPosition];
  if (hash) {
    const at = await findHash(pool, hash);
    if (at === null) return null;
    [first, last] = [Math.max(first, at), Math.min(last, at)];
  }
  if (from) first = Math.max(first, await firstPositionSince(pool, from));
  if (to) last = Math.min(last, (await firstPositionSince(pool, to)) - 1);
  if (command) {
    // A command's name is what it claimed, and the book knows by its key where it stands.
    const { rows } = await pool.query<{ position: number }>(
      'select position from claims where key = $1::uuid',
      [command],
    );
    const at = rows[0]?.position;
    if (at === undefined) return null;
    first = Math.max(first, at);
    last = Math.min(last, at + EVENTS_PER_COMMAND_MAX - 1);
  }
  return first <= last ? { first, last } : null;
}

/** Where the event with that hash stands (64 hex digits), as far as the explorer has come; null: nowhere. */
export async function findHash(db: Db, hash: string): Promise<number | null> {
  const { rows } = await db.query<{ position: number }>({
    name: 'find-hash',
    text: `select position from projections.explorer_v3 join public.events using (position)
      where hash_prefix = $1::bigint and hash = decode($2, 'hex')`,
    values: [hashPrefix(hash), hash],
  });
  return rows[0]?.position ?? null;
}

/** The last position recorded at `time` or before; 0: none. For whoever travels to a time. */
export async function readPositionAt(db: Db, time: string): Promise<number> {
  return (await search(db, time, '<=')) - 1;
}

async function firstPositionSince(db: Db, time: string): Promise<number> {
  return search(db, time, '<');
}

/**
 * The first position that is not `before` the time. Positions have no holes and times never run backwards, so some
 * twenty steps by halves find it, and no index on the times is paid for.
 */
async function search(db: Db, time: string, before: '<' | '<='): Promise<number> {
  const { rows } = await db.query<{ position: number }>(
    `with recursive search(low, high) as (
      select 0::bigint, coalesce(max(position), 0) + 1 from projections.explorer_v3
      union all
      select case when is_before then middle else low end,
        case when is_before then high else middle end
      from search, lateral (
        select position as middle, recorded_at ${before} $1 as is_before
        from projections.explorer_v3 where position = (low + high) / 2) as step
      where high - low > 1
    ) select high as position from search where high - low = 1`,
    [time],
  );
  return rows[0]?.position ?? 1;
}

type Found = Awaited<ReturnType<ReturnType<typeof compile>['execute']>>[number];

function toEntry(row: Found): ExplorerEntry {
  const { position, type, kind, version, game, round, rules, correlation, command } = row;
  const { wallet, public_id: publicId, nickname } = row;
  return {
    position,
    time: row.recorded_at,
    type,
    kind,
    player: wallet && publicId ? { wallet, publicId, nickname } : null,
    version,
    pointsMinor: row.points === null ? null : BigInt(row.points),
    tokenMinor: row.token === null ? null : BigInt(row.token),
    game,
    round,
    rules,
    correlation,
    command,
    actor: row.actor ?? `player:${wallet}`,
    signature: row.signature,
    withdrawal: row.withdrawal,
  };
}
