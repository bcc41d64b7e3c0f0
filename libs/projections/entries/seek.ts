import { EVENTS_PER_COMMAND_MAX } from '@reelbook/event-store/append';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { type EventType, STREAM_KINDS } from '@reelbook/ledger/event-types';
import { AMOUNT_MAX_MINOR, type Asset } from '@reelbook/ledger/money';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../projection.ts';
import { checkFilter, type ExplorerFilter, movedAccount } from './filter.ts';
import { hashPrefix, parseRound, textPrefix } from './projection.ts';
import { findRounds } from './rounds.ts';
import { numbersOf, TYPE_NUMBERS } from './type-numbers.ts';

/** The conditions of a filter on the rows of `entries_v1 as e`: numbers and positions instead of names. */
export interface Sought {
  /** Positions, both included. */
  readonly first: number;
  readonly last: number;
  readonly conditions: readonly Condition[];
}

type Condition = RawBuilder<SqlBool>;

/** Null: no event can match the filter. Throws `Unanswerable`. */
export async function seek(pool: pg.Pool, filter: ExplorerFilter): Promise<Sought | null> {
  const range = await readRange(pool, filter);
  if (!range) return null;
  const conditions: Condition[] = [];
  const where: Where = (condition) => conditions.push(condition);
  if (filter.types) {
    where(sql`e.type in (${sql.raw(numbersOf(filter.types))})`);
    // The same expression as in the index.
    if (filter.types.every((type) => TYPE_NUMBERS[type] > 3)) where(sql`e.type > 3`);
  }
  if (filter.kind === 'player') where(sql`e.type < 100`);
  else if (filter.kind)
    where(sql`e.type >= 100 and e.type / 100 = ${sql.lit(STREAM_KINDS.indexOf(filter.kind))}`);
  if (filter.account) {
    const moved = movedAccount(filter.account, filter.asset);
    if (!moved) return null;
    conditions.push(...moved);
  } else await seekAmount(pool, filter, where);
  for (const part of ['signature', 'withdrawal'] as const) {
    if (filter[part] !== undefined) where(sql`${sql.ref(`e.${part}`)} = ${filter[part]}`);
  }
  if (filter.correlation !== undefined) {
    where(sql`e.correlation = ${textPrefix(filter.correlation)}::int`);
    where(sql`${metaOf('correlation')} = ${filter.correlation}`);
  }
  if (filter.command !== undefined) where(sql`${metaOf('command')} = ${filter.command}`);
  const found = (await seekPlayers(pool, filter, where)) && (await seekNames(pool, filter, where));
  if (!found) return null;
  if (filter.round !== undefined) {
    const positions = await positionsOfRound(pool, filter.round);
    if (positions.length === 0) return null;
    where(isAt(positions));
  }
  return { ...range, conditions };
}

type Where = (condition: Condition) => void;

/** For a column with only a prefix of the hash of a text, the event itself is compared as well. */
function metaOf(part: 'correlation' | 'command'): RawBuilder<string> {
  return sql`(select begun.body->'meta'->>${sql.lit(part)} from public.events as event
    join public.events as begun on begun.position = event.first_position
    where event.position = e.position)`;
}

function isAt(positions: readonly number[]): Condition {
  return sql`e.position = any(${positions}::bigint[])`;
}

/** Events of one amount that are looked up first: Postgres takes a rare amount for a common one. */
const FEW = 500;

/** Minor units of an amount without an asset in one minor unit of the asset. */
const SCALES: Readonly<Record<Asset, bigint>> = { points: 10n ** 7n, token: 1n };

async function seekAmount(
  pool: pg.Pool,
  { asset, direction, amount }: ExplorerFilter,
  where: Where,
): Promise<void> {
  if (!asset && !amount) return;
  const { minMinor = 0n, maxMinor } = amount ?? {};
  const alternatives: Condition[] = [];
  const exact: RawBuilder<{ position: number }>[] = [];
  for (const one of asset ? [asset] : (Object.keys(SCALES) as Asset[])) {
    const scale = asset ? 1n : SCALES[one];
    const least = (minMinor + scale - 1n) / scale;
    const most = maxMinor === undefined ? AMOUNT_MAX_MINOR : maxMinor / scale;
    const column = sql.ref(`e.${one}`);
    const conditions = [sql<SqlBool>`${column} is not null`];
    if (direction) conditions.push(sql`${column} ${sql.raw(direction === 'credit' ? '>' : '<')} 0`);
    // On the column itself, which has statistics; checked numbers, so they may be in the text.
    const [min, max, down, up] = [least, most, -most, -least].map(sql.lit);
    if (least !== 0n || most !== AMOUNT_MAX_MINOR) {
      conditions.push(
        sql`(${column} between ${min} and ${max} or ${column} between ${down} and ${up})`,
      );
    }
    if (least === most) {
      exact.push(sql`(select position from projections.entries_v1 as e where ${column} in (${min}, ${up})
        limit ${sql.lit(FEW + 1)})`);
    }
    alternatives.push(sql`(${sql.join(conditions, sql` and `)})`);
  }
  where(sql`(${sql.join(alternatives, sql` or `)})`);
  if (exact.length < alternatives.length) return;
  const rows = await rowsOf(pool, sql<{ position: number }>`${sql.join(exact, sql` union `)}`);
  if (rows.length > FEW) return;
  where(isAt(rows.map(({ position }) => position)));
}

async function seekPlayers(
  pool: pg.Pool,
  { wallet, publicId, actor }: ExplorerFilter,
  where: Where,
): Promise<boolean> {
  const acting = actor?.startsWith('player:') ? actor.slice('player:'.length) : undefined;
  // A player acts only in their own stream, which names no actor.
  if (acting !== undefined) where(sql`e.actor is null`);
  const requested = [
    ...[wallet, acting].flatMap((one) => (one === undefined ? [] : [{ wallet: one }])),
    ...(publicId === undefined ? [] : [{ publicId }]),
  ];
  for (const one of requested) {
    const player = await readPlayerNumber(pool, one);
    if (player === null) return false;
    where(sql`e.player = ${player}::int`);
  }
  return true;
}

async function seekNames(
  pool: pg.Pool,
  { game, rules, actor }: ExplorerFilter,
  where: Where,
): Promise<boolean> {
  const requested = { game, rules, actor: actor?.startsWith('player:') ? undefined : actor };
  for (const [part, name] of Object.entries(requested)) {
    if (name === undefined) continue;
    const named = tables
      .selectFrom('projections.entries_names_v1')
      .select(['id', 'last'])
      .where('part', '=', part)
      .where('name', '=', name);
    const found = await rowOf(pool, named, 'find-name');
    if (!found) return false;
    const type = part === 'actor' ? sql`int` : sql`smallint`;
    where(sql`${sql.ref(`e.${part}`)} = ${found.id}::${type}`);
    where(sql`e.position <= ${found.last}::bigint`);
  }
  return true;
}

/** Types of events of a round other than its stake and its settlement. */
const OF_ROUNDS: readonly EventType[] = ['IdempotencyKeyRecorded'];

async function positionsOfRound(pool: pg.Pool, id: string): Promise<readonly number[]> {
  const [round] = await findRounds(pool, [id]);
  const named = parseRound(id);
  if (!round || !named) return [];
  const others = tables
    .selectFrom('projections.entries_v1')
    .select('position')
    .where('player', '=', round.player)
    .where('round', '=', named.n)
    .where(sql<boolean>`type > 3 and type in (${sql.raw(numbersOf(OF_ROUNDS))})`);
  const rows = await rowsOf(pool, others, 'find-of-round');
  const { position, settled } = round;
  return [position, ...(settled === null ? [] : [settled]), ...rows.map((row) => row.position)];
}

/** The positions that a filter allows, both included; null: no such event. Throws `Unanswerable`. */
export async function readRange(
  pool: pg.Pool,
  filter: ExplorerFilter,
): Promise<{ readonly first: number; readonly last: number } | null> {
  checkFilter(filter);
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
    // A command's name is the hash of its key, and the ledger has its position under that key.
    const taken = tables
      .selectFrom('idempotency_keys')
      .select('position')
      .where('key', '=', sql<string>`${command}::uuid`);
    const at = (await rowOf(pool, taken))?.position;
    if (at === undefined) return null;
    first = Math.max(first, at);
    last = Math.min(last, at + EVENTS_PER_COMMAND_MAX - 1);
  }
  return first <= last ? { first, last } : null;
}

/** The position of the event with that hash (64 hex digits), among those that the entries have; null: there is none. */
async function findHash(db: Db, hash: string): Promise<number | null> {
  return (await findHashes(db, { start: hash, end: '', limit: 1 }))[0] ?? null;
}

/** Positions of the events whose hash has this start (at least 8 hex digits) and end. */
export async function findHashes(
  db: Db,
  { start, end, limit }: { readonly start: string; readonly end: string; readonly limit: number },
): Promise<readonly number[]> {
  const found = tables
    .selectFrom('projections.entries_v1 as e')
    .innerJoin('events', 'events.position', 'e.position')
    .select('e.position')
    .where('e.position', '>=', sql.lit(1))
    .where('e.hash', '=', sql<number>`${hashPrefix(start)}::int`)
    .where(sql<string>`encode(events.hash, 'hex')`, 'like', `${start}%${end}`)
    .orderBy('e.position')
    .limit(limit);
  // Without a name: its plan must know the values.
  return (await rowsOf(db, found)).map(({ position }) => position);
}

/** The last position recorded at `time` or before, up to `head` or the position that the entries have reached; 0: none. */
export async function readPositionAt(db: Db, time: string, head?: number): Promise<number> {
  return (await search(db, time, '<=', head)) - 1;
}

async function firstPositionSince(db: Db, time: string): Promise<number> {
  return search(db, time, '<');
}

/**
 * The first position that is not `before` the time. Positions have no gaps and times never decrease, so a binary search of
 * some twenty steps finds it without an index on the times. SQL, because the builder has no recursive search.
 */
async function search(db: Db, time: string, before: '<' | '<=', head?: number): Promise<number> {
  const { rows } = await db.query<{ position: number }>(
    `with recursive search(low, high) as (
      select 0::bigint, coalesce($2::bigint, max(position), 0) + 1 from projections.entries_v1
      union all
      select case when is_before then middle else low end,
        case when is_before then high else middle end
      from search, lateral (
        select position as middle, recorded_at ${before} $1::timestamptz as is_before
        from public.events where position = (low + high) / 2) as step
      where high - low > 1
    ) select high as position from search where high - low = 1`,
    [time, head ?? null],
  );
  return rows[0]?.position ?? 1;
}

/** A player's number in the entries; null if there is no such player. */
export async function readPlayerNumber(
  db: Db,
  of: { readonly wallet: string } | { readonly publicId: string },
): Promise<number | null> {
  const [column, value] =
    'wallet' in of ? (['wallet', of.wallet] as const) : (['public_id', of.publicId] as const);
  const number = tables
    .selectFrom('projections.entries_players_v1')
    .select('player')
    .where(column, '=', value);
  return (await rowOf(db, number, `read-player-by-${column}`))?.player ?? null;
}
