import { hash as hashOf } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { encode } from '@reelbook/ledger/codec';
import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { foldNames, type PlayerNames } from '../players.ts';
import { changeRows, type Projection } from '../projection.ts';
import { TYPE_NUMBERS } from './type-numbers.ts';

const TABLES = `
-- An index of the ledger: one narrow row per event with its search keys and the figures to add up. Everything that is only
-- displayed is read from the event itself.

-- Players by number, in the order of their registrations.
create table if not exists entries_players_v1 (
  player int primary key,
  wallet text not null unique,
  public_id text not null unique,
  nickname text
);
create index if not exists entries_players_v1_wallet
  on entries_players_v1 (wallet text_pattern_ops);
create index if not exists entries_players_v1_wallet_end
  on entries_players_v1 (reverse(wallet) text_pattern_ops);
create index if not exists entries_players_v1_public_id
  on entries_players_v1 (public_id text_pattern_ops);
create index if not exists entries_players_v1_nickname
  on entries_players_v1 (lower(nickname) text_pattern_ops) where nickname is not null;

-- Games, rules and actors by number, each in the order in which they first appear.
create table if not exists entries_names_v1 (
  part text not null,
  name text not null,
  id int not null,
  -- End of the block of the last event that has the name: a search for a name stops there.
  last bigint not null,
  primary key (part, name)
);

-- Accounts other than players', and players, all players' accounts together: the balance of each after the last event of
-- a block of 1,000 positions that moved it.
create table if not exists entries_balances_v1 (
  line text not null,
  asset text not null,
  block bigint not null,
  position bigint not null,
  after numeric not null,
  primary key (line, asset, block)
);

-- A player's sums by type of event, per block of 1,000 movements (n / 1000), once the block is complete.
create table if not exists entries_sums_v1 (
  player int not null,
  block int not null,
  type smallint not null,
  -- Position of the last of them.
  last bigint not null,
  events int not null,
  points numeric not null,
  token numeric not null,
  primary key (player, block, type)
);

create table if not exists entries_v1 (
  position bigint primary key,
  -- What the event gave the stream's player, signed; null: nothing of that asset moved. No event moves more than 10^18.
  points bigint,
  token bigint,
  -- Of a timed round: the position of its settlement, 0 while it is open. Other rounds are settled by their own command.
  settled bigint,
  -- Null outside the streams of players.
  player int,
  -- Movements of the player's money up to here; an exchange is two.
  n int,
  -- The number in the round's id: it counts all rounds of the player.
  round int,
  -- Of a stake: the number of the player's rounds of this game up to here.
  game_round int,
  -- The first 4 bytes of a hash of the text, and of the event's own hash: a search by them compares the event as well.
  correlation int not null,
  hash int not null,
  -- Null if the player of the stream acted.
  actor int,
  -- See type-numbers.ts.
  type smallint not null,
  game smallint,
  rules smallint,
  withdrawal text,
  -- Of a transaction on the chain.
  signature text
);
-- Unique indexes stay during a rebuild: rows are found by them while the tables are filled.
create unique index if not exists entries_v1_player on entries_v1 (player, position)
  where player is not null;
create unique index if not exists entries_v1_rounds on entries_v1 (player, game, game_round)
  where game_round is not null;
create unique index if not exists entries_v1_open on entries_v1 (player, round)
  where settled = 0;

-- Small indexes, of the few events that are not of a bet.
create index if not exists entries_v1_acts on entries_v1 (player, type, position) where type > 3;
create index if not exists entries_v1_type on entries_v1 (type, position) where type > 3;
create index if not exists entries_v1_kind on entries_v1 ((type / 100), position)
  where type >= 100;
create index if not exists entries_v1_token on entries_v1 (position) where token is not null;
create index if not exists entries_v1_token_of on entries_v1 (player, position)
  where token is not null;
create index if not exists entries_v1_token_amount on entries_v1 (token)
  where token is not null;
create index if not exists entries_v1_actor on entries_v1 (actor, position)
  where actor is not null;
create index if not exists entries_v1_signature_start on entries_v1 (signature text_pattern_ops) where signature is not null;
create index if not exists entries_v1_signature_end on entries_v1 (reverse(signature) text_pattern_ops)
  where signature is not null;
create index if not exists entries_v1_withdrawal on entries_v1 (withdrawal, position)
  where withdrawal is not null;

-- Columns of few values, which the index stores once, with 6 bytes per row; so without the position.
create index if not exists entries_v1_points on entries_v1 (points) where points is not null;
create index if not exists entries_v1_game on entries_v1 (game) where game is not null;
create index if not exists entries_v1_rules on entries_v1 (rules) where rules is not null;

-- Of every event and all different, so it must cost next to nothing: a summary per range of pages, created once the range is
-- full. The position is in it because Postgres takes the order of the table from it: otherwise it would expect to read the
-- entire table.
create index if not exists entries_v1_hashes on entries_v1 using brin (position int8_minmax_ops,
    correlation int4_bloom_ops (n_distinct_per_range = 1200),
    hash int4_bloom_ops (n_distinct_per_range = 2000))
  with (pages_per_range = 20, autosummarize = on);
`;

export const entries: Projection<EntriesChanges> = {
  name: 'entries',
  version: 1,
  tables: [
    { name: 'entries_players_v1', key: ['player'] },
    { name: 'entries_names_v1', key: ['part', 'id'] },
    { name: 'entries_balances_v1', key: ['line', 'asset', 'block'] },
    { name: 'entries_sums_v1', key: ['player', 'block', 'type'] },
    { name: 'entries_v1', key: ['position'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

/** Positions of one row of a line. Part of the tables' meaning: a change needs a new version. */
export const BLOCK = 1_000;

/** Movements of a player in one row of sums. A change needs a new version too. */
export const SUMS_BLOCK = 1_000;

/** The lines of the trial balance: accounts, with all players' accounts as one line. */
export const LINES = ['players', 'house', 'fees', 'withdrawals', 'unmatched', 'chain'] as const;
export type Line = (typeof LINES)[number];

/** The search keys of an event as text: `apply` gives them numbers. */
export interface Entry extends Moved {
  readonly position: number;
  readonly type: EventType;
  /** Null outside the streams of players. */
  readonly wallet: string | null;
  readonly game: string | null;
  readonly rules: string | null;
  /** Null: the player of the stream. */
  readonly actor: string | null;
  readonly round: number | null;
  /** For the stake of a timed round: the position of its settlement within the batch, or 0. */
  readonly settled: number | null;
  readonly correlation: number;
  readonly hash: number;
  readonly withdrawal: string | null;
  readonly signature: string | null;
}

/** What an event gave the player of its stream, signed; null: nothing of that asset moved. */
export interface Moved {
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
}

/** What the batch gave a line within one block, and the last position that did. */
export interface LineBlock {
  readonly line: Line;
  readonly asset: Asset;
  readonly block: number;
  readonly position: number;
  readonly deltaMinor: bigint;
}

/** Of a round that an earlier batch began. */
export interface LateSettlement {
  readonly wallet: string;
  readonly round: number;
  readonly position: number;
}

export interface EntriesChanges {
  readonly entries: readonly Entry[];
  readonly names: readonly PlayerNames[];
  readonly lines: readonly LineBlock[];
  readonly late: readonly LateSettlement[];
}

export function fold(events: readonly RecordedEvent[]): EntriesChanges {
  const lines = new Map<string, LineBlock>();
  const late: LateSettlement[] = [];
  const begun = new Map<string, number>();
  const entries: Entry[] = [];
  for (const recorded of events) {
    const { position, event } = recorded;
    const entry = toEntry(recorded);
    const { wallet, round } = entry;
    if (wallet !== null && round !== null) {
      const key = `${wallet} ${round}`;
      if (event.type === 'BetPlaced') begun.set(key, entries.length);
      else if (isSettlement(event)) {
        const index = begun.get(key);
        const placed = entries[index ?? -1];
        if (index === undefined || !placed) late.push({ wallet, round, position });
        else if (placed.settled === 0) entries[index] = { ...placed, settled: position };
      }
    }
    entries.push(entry);
    addPostings(lines, recorded);
  }
  return { entries, names: foldNames(events), lines: [...lines.values()], late };
}

function isSettlement({ type }: AnyEvent): boolean {
  return type === 'BetWon' || type === 'BetLost' || type === 'BetVoided';
}

function addPostings(
  blocks: Map<string, LineBlock>,
  { event, stream, position }: RecordedEvent,
): void {
  for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
    const line = lineOf(account);
    const block = blockOf(position);
    const key = `${line} ${asset} ${block}`;
    const before = blocks.get(key)?.deltaMinor ?? 0n;
    blocks.set(key, { line, asset, block, position, deltaMinor: before + deltaMinor });
  }
}

export function lineOf(account: string): Line {
  if (account.startsWith('player:')) return 'players';
  const line = LINES.find((one) => one === account);
  assert(line, `no line of the trial balance for account ${account}`);
  return line;
}

/** The first block begins with position 1. */
export function blockOf(position: number): number {
  return Math.floor((position - 1) / BLOCK);
}

/** The first 4 bytes of a hash (64 hex digits) as a signed integer. */
export function hashPrefix(hash: string): number {
  return Number.parseInt(hash.slice(0, 8), 16) | 0;
}

const ROUND_ID = /^(.+)-([1-9]\d{0,9})$/;
const INT_MAX = 2 ** 31 - 1;

/** `<publicId>-<n>`; null if it is no id of a round. */
export function parseRound(id: string): { readonly publicId: string; readonly n: number } | null {
  const [, publicId, digits] = ROUND_ID.exec(id) ?? [];
  const n = Number(digits);
  return publicId !== undefined && n <= INT_MAX ? { publicId, n } : null;
}

/** What an event gave a player. Throws at a type that is not listed. */
export function movedBy(event: AnyEvent, wallet: string): Moved {
  const own = `player:${wallet}`;
  const moved = { points: null as bigint | null, token: null as bigint | null };
  for (const { account, asset, deltaMinor } of postings(event, wallet)) {
    if (account === own) moved[asset] = (moved[asset] ?? 0n) + deltaMinor;
  }
  return { pointsMinor: moved.points, tokenMinor: moved.token };
}

function toEntry({ event, stream, position, meta, hash }: RecordedEvent): Entry {
  const { kind, id } = parseStream(stream);
  const { data } = event;
  return {
    position,
    type: event.type,
    wallet: kind === 'player' ? id : null,
    ...movedBy(event, id),
    game: 'game' in data ? data.game : null,
    rules: 'rules' in data ? data.rules : null,
    actor: meta.actor === `player:${id}` ? null : meta.actor,
    round: 'round' in data && data.round ? (parseRound(data.round)?.n ?? null) : null,
    settled: event.type === 'BetPlaced' && event.data.timed ? 0 : null,
    correlation: textPrefix(meta.correlation),
    hash: hashPrefix(hash),
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
    signature: 'signature' in data ? data.signature : null,
  };
}

/** The first bytes of the hash of a text as a signed integer. */
export function textPrefix(text: string): number {
  return hashPrefix(hashOf('sha256', text));
}

/**
 * One statement reads the state that the batch needs and one writes its rows; others run only when a player is new or renamed
 * or a round of an earlier batch ends.
 */
async function apply(client: pg.ClientBase, changes: EntriesChanges): Promise<void> {
  const known = await readKnown(client, changes);
  const { names, late } = changes;
  const added = names.flatMap(({ publicId, ...one }) =>
    publicId === null ? [] : [{ ...one, publicId, player: numberOf(known, 'player', one.wallet) }],
  );
  const renamed = names.filter(({ publicId }) => publicId === null);
  const ended = late.map((one) => ({ ...one, player: playerOf(known, one.wallet) }));
  const movedBefore = new Map([...known].filter(([key]) => key.startsWith('n ')));
  const rows = changes.entries.map((entry) => toRow(entry, known));
  const named = changes.entries.flatMap((entry) =>
    PARTS.flatMap((part) => {
      const name = entry[part];
      if (name === null) return [];
      const last = BigInt((blockOf(entry.position) + 1) * BLOCK);
      return [{ part, name, id: numberOf(known, part, name), last }];
    }),
  );
  const used = new Map(named.map((one) => [`last ${one.part} ${one.name}`, one]));
  const moved = [...used].flatMap(([key, one]) => (known.get(key) === one.last ? [] : [one]));
  const held = changes.lines.map((one) => {
    return { ...one, after: add(known, `held ${one.line} ${one.asset}`, one.deltaMinor) };
  });
  await changeRows(client, { name: 'apply-entries-players', text: REGISTER }, added);
  await changeRows(client, { name: 'apply-entries-renamed', text: RENAME }, renamed);
  // Before the rows: of a player's rounds with one number only one is open.
  await changeRows(client, { name: 'apply-entries-settled', text: SETTLE }, ended);
  const values = [encode(moved), encode(held)];
  await changeRows(client, { name: 'apply-entries', text: INSERT, values }, rows);
  const completed = [...new Set(changes.entries.flatMap(({ wallet }) => wallet ?? []))]
    .map((wallet) => ({
      player: playerOf(known, wallet),
      from: sumsBlockOf(movedBefore.get(`n ${wallet}`) ?? 0n),
      to: sumsBlockOf(known.get(`n ${wallet}`) ?? 0n),
    }))
    .filter(({ from, to }) => from < to);
  await changeRows(client, { name: 'apply-entries-sums', text: SUM }, completed);
}

const sumsBlockOf = (n: bigint) => n / BigInt(SUMS_BLOCK);

const PARTS = ['game', 'rules', 'actor'] as const;

/**
 * The state that the batch continues from, updated by each row: numbers by name (`player <wallet>`, `game <name>`), the
 * highest number of each kind (`last player`), where a name was last used (`last game <name>`), movements of a player (`n
 * <wallet>`), rounds of a player and game (`rounds <wallet> <game>`), the balance of a line (`held <line> <asset>`).
 */
type Known = Map<string, bigint>;

async function readKnown(client: pg.ClientBase, changes: EntriesChanges): Promise<Known> {
  const wallets = new Set(changes.entries.flatMap(({ wallet }) => wallet ?? []));
  const begun = new Map(
    changes.entries
      .filter(({ type }) => type === 'BetPlaced')
      .map(({ wallet, game }) => [`${wallet} ${game}`, { wallet, game }]),
  );
  const { rows } = await client.query<{ key: string; value: string }>({
    name: 'apply-entries-known',
    text: KNOWN,
    values: [[...wallets], encode([...begun.values()]), encode(changes.lines)],
  });
  return new Map(rows.map(({ key, value }) => [key, BigInt(value)]));
}

const KNOWN = `
  select 'last player' as key, coalesce(max(player), 0)::text as value from entries_players_v1
  union all
  select 'last ' || part, max(id)::text from entries_names_v1 group by part
  union all
  select part || ' ' || name, id::text from entries_names_v1
  union all
  select 'last ' || part || ' ' || name, last::text from entries_names_v1
  union all
  select 'player ' || wallet, player::text from entries_players_v1 where wallet = any($1::text[])
  union all
  select 'n ' || wallet, last.n::text from entries_players_v1 as own, lateral (
      select n from entries_v1 as e where e.player = own.player order by position desc limit 1
    ) as last
    where wallet = any($1::text[])
  union all
  select 'rounds ' || wallet || ' ' || requested.game, last.game_round::text
    from json_to_recordset($2) as requested(wallet text, game text)
    join entries_players_v1 as own using (wallet)
    join entries_names_v1 as known on part = 'game' and name = requested.game, lateral (
      select game_round from entries_v1 as e
      where e.player = own.player and e.game = known.id and game_round is not null
      order by game_round desc limit 1) as last
  union all
  select distinct 'held ' || requested.line || ' ' || requested.asset, last.after::text
    from json_to_recordset($3) as requested(line text, asset text), lateral (
      select after from entries_balances_v1 as held
      where held.line = requested.line and held.asset = requested.asset
      order by block desc limit 1) as last`;

/** Numbers follow the order in which the ledger first has each name, independent of batches. */
function numberOf(known: Known, part: string, name: string): bigint {
  const key = `${part} ${name}`;
  const number = known.get(key) ?? add(known, `last ${part}`, 1n);
  known.set(key, number);
  return number;
}

function playerOf(known: Known, wallet: string): bigint {
  const player = known.get(`player ${wallet}`);
  assert(player, `the stream of ${wallet}, which never registered`);
  return player;
}

function add(known: Known, key: string, delta: bigint): bigint {
  const sum = (known.get(key) ?? 0n) + delta;
  known.set(key, sum);
  return sum;
}

/** A column without a value is left out. */
function toRow(entry: Entry, known: Known) {
  const { position, type, wallet, pointsMinor, tokenMinor, game } = entry;
  const own = wallet === null ? null : { player: playerOf(known, wallet) };
  const moved = (pointsMinor === null ? 0n : 1n) + (tokenMinor === null ? 0n : 1n);
  return {
    position,
    type: TYPE_NUMBERS[type],
    correlation: entry.correlation,
    hash: entry.hash,
    ...(own && { ...own, n: add(known, `n ${wallet}`, moved) }),
    ...(pointsMinor !== null && { points: pointsMinor }),
    ...(tokenMinor !== null && { token: tokenMinor }),
    ...(entry.round !== null && { round: entry.round }),
    ...(type === 'BetPlaced' && { gameRound: add(known, `rounds ${wallet} ${game}`, 1n) }),
    ...(entry.settled !== null && { settled: entry.settled }),
    ...(game !== null && { game: numberOf(known, 'game', game) }),
    ...(entry.rules !== null && { rules: numberOf(known, 'rules', entry.rules) }),
    ...(entry.actor !== null && { actor: numberOf(known, 'actor', entry.actor) }),
    ...(entry.withdrawal !== null && { withdrawal: entry.withdrawal }),
    ...(entry.signature !== null && { signature: entry.signature }),
  };
}

const REGISTER = `
  insert into entries_players_v1 (player, wallet, public_id, nickname)
  select player, wallet, "publicId", nickname
  from json_to_recordset($1) as new(player int, wallet text, "publicId" text, nickname text)`;

const RENAME = `
  update entries_players_v1 as own set nickname = new.nickname
  from json_to_recordset($1) as new(wallet text, nickname text) where own.wallet = new.wallet`;

const SETTLE = `
  update entries_v1 as bet set settled = new.position
  from json_to_recordset($1) as new(player int, round int, position bigint)
  where bet.player = new.player and bet.round = new.round and bet.settled = 0`;

const INSERT = `
  with named as (
    insert into entries_names_v1 (part, name, id, last)
    select part, name, id, last
    from json_to_recordset($2) as new(part text, name text, id int, last bigint)
    on conflict (part, name) do update set last = excluded.last
  ), held as (
    insert into entries_balances_v1 (line, asset, block, position, after)
    select line, asset, block, position, after
    from json_to_recordset($3) as new(line text, asset text, block bigint, position bigint,
      after numeric)
    on conflict (line, asset, block) do update
      set position = excluded.position, after = excluded.after)
  insert into entries_v1 (position, points, token, settled, player, n, round, game_round, correlation,
    hash, actor, type, game, rules, withdrawal, signature)
  select position, points, token, settled, player, n, round, "gameRound", correlation, hash, actor,
    type, game, rules, withdrawal, signature
  from json_to_recordset($1) as new(position bigint, points bigint, token bigint, settled bigint,
    player int, n int, round int, "gameRound" int, correlation int, hash int, actor int,
    type smallint, game smallint, rules smallint, withdrawal text, signature text)`;

/** The completed blocks of movements, by their first entry. */
const SUM = `
  insert into entries_sums_v1 (player, block, type, last, events, points, token)
  select player, n / ${SUMS_BLOCK}, type, max(position), count(*), coalesce(sum(points), 0),
    coalesce(sum(token), 0)
  from json_to_recordset($1) as completed(player int, "from" int, "to" int)
    join entries_v1 using (player)
  where n < completed."to" * ${SUMS_BLOCK}
    and position > coalesce((select max(last) from entries_sums_v1 as before
      where before.player = completed.player and before.block = completed."from" - 1), 0)
  group by 1, 2, 3`;
