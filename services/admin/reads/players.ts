import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { readBoth, readPosition } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/routes';
import { type ChainedRecord, findEvents, readEvents } from '@reelbook/inspection/event';
import {
  findChanges,
  readPointInTime,
  type TimeTravel,
  toPlain,
} from '@reelbook/inspection/point-in-time';
import type { EventType } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { assetOf, type SelfExcluded } from '@reelbook/ledger/player/protection-events';
import { protectionAt } from '@reelbook/ledger/player/protection-state';
import type { PlayerNoted, PlayerSuspended } from '@reelbook/ledger/player/standing';
import { isRegistered, openRounds, type PlayerState } from '@reelbook/ledger/player/state';
import { withdrawalsOf } from '@reelbook/ledger/player/withdrawal-state';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { playerStream } from '@reelbook/ledger/streams';
import {
  readStatement,
  readSums,
  type StatementLine,
  type Sum,
} from '@reelbook/projections/entries/balances';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { entries as entriesModel } from '@reelbook/projections/entries/projection';
import {
  END_MIN,
  likeOf,
  type PlayerNamed,
  partOf,
  readExplorer,
} from '@reelbook/projections/entries/read';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { assertReached } from '@reelbook/projections/projection';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { amount, playerRef, points, sentenceAnswer, textOf, token } from './convert.ts';
import type { InspectionCaches } from './point-in-time.ts';

/** The time, and the last position if it is in the past. */
interface Moment {
  readonly nowMs: number;
  readonly position?: number | undefined;
}

/** What keeps a player from playing, with the event that began it. */
export interface Standing {
  readonly suspended: ReturnType<typeof suspensionOf>;
  readonly excluded: ReturnType<typeof exclusionOf>;
}

const ACTIVE: Standing = { suspended: null, excluded: null };

/** Players who are suspended or excluded at a moment, by wallet, according to the entries. */
async function readStandings(
  pool: pg.Pool,
  wallets: readonly string[],
  { nowMs, position = Number.MAX_SAFE_INTEGER }: Moment,
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await rowsOf(pool, latestOf(wallets, position), 'read-standings');
  const begun = rows.map(({ wallet, suspended, reinstated, excluded }) => ({
    wallet,
    excluded,
    suspended: (suspended ?? 0) > (reinstated ?? 0) ? suspended : null,
  }));
  const events = await readEvents(
    pool,
    begun.flatMap(({ suspended, excluded }) => [suspended ?? [], excluded ?? []].flat()),
  );
  const at = new Map(events.map((event) => [event.position, event]));
  const standings = begun.map(({ wallet, suspended, excluded }) => {
    const standing: Standing = {
      suspended: suspensionOf(at.get(suspended ?? 0)),
      excluded: exclusionOf(at.get(excluded ?? 0), nowMs),
    };
    return [wallet, standing] as const;
  });
  return new Map(standings.filter(([, { suspended, excluded }]) => suspended ?? excluded));
}

/** The standing by events of the player, ascending. */
export function standingBy(events: readonly RecordedEvent[], nowMs: number): Standing {
  const last = (type: EventType) => events.findLast(({ event }) => event.type === type);
  const suspended = last('PlayerSuspended');
  const isOver = (last('PlayerReinstated')?.position ?? 0) > (suspended?.position ?? 0);
  return {
    suspended: suspensionOf(isOver ? undefined : suspended),
    excluded: exclusionOf(last('SelfExcluded'), nowMs),
  };
}

/** The last event of the player of the row `own` up to a position that meets a condition. */
const lastOf = (condition: RawBuilder<unknown>, position: number) =>
  sql<number | null>`(select e.position from projections.entries_v1 as e
    where e.player = own.player and e.position <= ${position} and ${condition}
    order by e.position desc limit 1)`;

const ofTypes = (...types: EventType[]) =>
  // The exact condition of the partial indexes.
  sql<SqlBool>`e.type > 3 and e.type in (${sql.raw(numbersOf(types))})`;

/** Positions of the last events of these types, one index lookup each. */
function latestOf(wallets: readonly string[], position: number) {
  return tables
    .selectFrom('projections.entries_players_v1 as own')
    .select('own.wallet')
    .select([
      lastOf(ofTypes('PlayerSuspended'), position).as('suspended'),
      lastOf(ofTypes('PlayerReinstated'), position).as('reinstated'),
      lastOf(ofTypes('SelfExcluded'), position).as('excluded'),
    ])
    .where('own.wallet', '=', anyOf('text', [...new Set(wallets)]));
}

const decided = ({ position, time, meta }: RecordedEvent) => ({
  position,
  since: time,
  by: meta.actor,
});

function suspensionOf(found: RecordedEvent | undefined) {
  if (!found) return null;
  return { ...decided(found), reason: (found.event as PlayerSuspended).data.reason };
}

function exclusionOf(found: RecordedEvent | undefined, nowMs: number) {
  if (!found) return null;
  const { untilMs, reason = null } = (found.event as SelfExcluded).data;
  if (untilMs !== null && untilMs <= nowMs) return null;
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  return { ...decided(found), reason, until };
}

const LINES_BY_DEFAULT = 50;

/** One page of the changes of a balance in an interval, newest first. */
async function readLines(pool: pg.Pool, wallet: string, query: AdminRequest<'statement'>['query']) {
  const { asset, limit = LINES_BY_DEFAULT } = query;
  const [from, to] = [textOf(query.from), textOf(query.to)];
  const first = from === undefined ? 1 : (await lastBefore(pool, from)) + 1;
  const end = to === undefined ? (await readHead(pool)).position : await lastBefore(pool, to);
  const before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, end + 1);
  const account = { account: `player:${wallet}`, asset };
  const page = await readStatement(pool, { ...account, before, limit: limit + 1 });
  const within = page.filter(({ position }) => position >= first);
  const shown = within.slice(0, limit);
  const events = await readEvents(pool, shown);
  const byPosition = new Map(events.map((event) => [event.position, event]));
  // Without a change in the interval, the balance is that of the last change before it.
  const left = page[0]?.afterMinor ?? 0n;
  const [newest, oldest] = [shown[0], shown.at(-1)];
  return {
    wallet,
    lines: shown.flatMap((line) => {
      const recorded = byPosition.get(line.position);
      return recorded ? [lineOf(asset, line, recorded)] : [];
    }),
    opening: amount(asset, oldest ? oldest.afterMinor - oldest.deltaMinor : left),
    closing: amount(asset, newest?.afterMinor ?? left),
    next: within.length > limit ? (oldest?.position ?? null) : null,
  };
}

function lineOf(
  asset: Asset,
  { deltaMinor, afterMinor }: StatementLine,
  { position, time, event }: ChainedRecord,
) {
  const { data } = event;
  return {
    position,
    time,
    type: event.type,
    ...sentenceAnswer(sentenceOf(event)),
    round: 'round' in data ? (data.round ?? null) : null,
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
    signature: 'signature' in data ? data.signature : null,
    amount: amount(asset, deltaMinor),
    after: amount(asset, afterMinor),
  };
}

/** The last position before a time, exclusive. Times have milliseconds. */
async function lastBefore(pool: pg.Pool, time: string): Promise<number> {
  if (!isTime(time)) throw new Unanswerable(`${time} is not an ISO 8601 time`);
  return (await readPointInTime(pool, new Date(Date.parse(time) - 1).toISOString())).position;
}

const PLAYERS_BY_DEFAULT = 50;
const MINUTE_MS = 60_000;

interface Listed extends PlayerNamed {
  readonly player: number;
  /** What the list is sorted by. */
  readonly key: string;
  readonly points: string;
  readonly token: string;
  /** Of the last event that the player caused. */
  readonly time: string | null;
}

/** A page of the players of a search and a standing, with the balances and the last act of each, descending. */
function listOf(query: AdminRequest<'players'>['query'], moment: Moment) {
  const { position } = moment;
  const { standing, sort = 'activity', limit = PLAYERS_BY_DEFAULT } = query;
  const until = position ?? Number.MAX_SAFE_INTEGER;
  const active = lastOf(sql`e.actor is null`, until);
  const moved = lastOf(sql`(e.points is not null or e.token is not null)`, until);
  const isNow = position === undefined;
  const nickname = isNow
    ? sql`own.nickname`
    : sql`(select body->'data'->>'nickname' from public.events as named
        where named.position = ${lastOf(ofTypes('NicknameChanged'), until)})`;
  const held = isNow
    ? sql`left join projections.balances_v1 as held using (wallet)`
    : sql`left join lateral (select (body->'data'->'after'->>'pointsMinor')::numeric as points,
          (body->'data'->'after'->>'tokenMinor')::numeric as token
        from public.events as one where one.position = ${moved}) as held on true`;
  const isByBalance = sort === 'points' || sort === 'token';
  const key = {
    activity: sql`coalesce(${active}, 0)`,
    points: sql`coalesce(held.points, 0)`,
    token: sql`coalesce(held.token, 0)`,
    // Players are numbered as they register.
    registered: sql`own.player`,
  }[sort];
  const found = sql`
    from projections.entries_players_v1 as own ${isNow || isByBalance ? held : sql``}
      cross join lateral (select ${key} as key) as sorted
    where ${sql.join([sql`true`, ...conditionsOf()], sql` and `)}`;
  // A player's last act is not after the last event: those before the acts of as many others are not looked up.
  const recent = sql`and (held.position >= (
    select case when count(*) = ${limit} then min(key) else 0 end
    from (select key ${found} order by held.position desc nulls last limit ${limit}) as newest)) is not false`;
  return sql<Listed>`
    with page as (
      select own.*, key ${found} ${isNow && sort === 'activity' ? recent : sql``}
      order by key desc, player desc limit ${limit}
    )
    select player, wallet, public_id as "publicId", ${nickname} as nickname, key::text as key,
      coalesce(held.points, 0)::text as points, coalesce(held.token, 0)::text as token,
      last.recorded_at as time
    from page as own ${held} left join public.events as last on last.position = ${active}
    order by own.key desc, player desc`;

  function* conditionsOf() {
    const beginning = textOf(query.q)?.trim();
    if (beginning) {
      const [exact, lower] = [likeOf(beginning), likeOf(beginning.toLowerCase())];
      const { start, end } = partOf(beginning);
      const ending = (text: string) => `%${likeOf(text).slice(0, -1)}`;
      yield sql`(wallet like ${likeOf(start)} and wallet like ${ending(end)}
        or wallet like ${ending(beginning)} and ${beginning.length >= END_MIN}
        or public_id like ${exact} or lower(${nickname}) like ${lower})`;
    }
    if (standing) yield isOf(standing, moment);
    // Registered by then: the player causes the registration.
    if (!isNow) yield sql`${active} is not null`;
    if (query.after !== undefined) {
      const [, keyed, player] = /^(-?\d{1,40})_(\d{1,9})$/.exec(String(query.after)) ?? [];
      if (!keyed) throw new Unanswerable('after must be `next` of a page');
      yield sql`(key::numeric, player) < (${keyed}::numeric, ${player}::int)`;
    }
  }
}

/** Whether the player of the row `own` is active, suspended or excluded. */
function isOf(
  standing: 'active' | 'suspended' | 'excluded',
  { nowMs, position = Number.MAX_SAFE_INTEGER }: Moment,
) {
  const last = (type: EventType) => lastOf(ofTypes(type), position);
  const suspended = sql`coalesce(${last('PlayerSuspended')}, 0) > coalesce(${last('PlayerReinstated')}, 0)`;
  const excluded = sql`exists (
    select from public.events as begun where begun.position = ${last('SelfExcluded')}
      and coalesce((body->'data'->>'untilMs')::numeric > ${nowMs}, true))`;
  // Few of all players.
  const ever = sql`player in (select e.player from projections.entries_v1 as e
    where ${ofTypes('PlayerSuspended', 'SelfExcluded')})`;
  if (standing === 'active') return sql`not (${ever} and (${suspended} or ${excluded}))`;
  return sql`(${ever} and ${standing === 'suspended' ? suspended : excluded})`;
}

export function playerReads(admin: Admin, { travel }: InspectionCaches) {
  const { pool } = admin;
  return {
    players: async ({ query }) => {
      const moment = await momentOf(admin, textOf(query.at));
      const players = await rowsOf(pool, listOf(query, moment));
      const wallets = players.map(({ wallet }) => wallet);
      const [standings, registered] = await Promise.all([
        readStandings(pool, wallets, moment),
        readRegistered(pool, wallets),
      ]);
      const last = players.at(-1);
      return {
        data: {
          players: players.map((player) => ({
            ...playerRef(player),
            balances: [points(BigInt(player.points)), token(BigInt(player.token))],
            registered: registered.get(player.wallet)?.time ?? null,
            active: player.time,
            standing: standings.get(player.wallet) ?? ACTIVE,
          })),
          next:
            last && players.length === (query.limit ?? PLAYERS_BY_DEFAULT)
              ? `${last.key}_${last.player}`
              : null,
        },
      };
    },
    player: async ({ params, query }) => {
      const moment = await momentOf(admin, textOf(query.at));
      return { data: await readDetail(admin, travel, params.wallet, moment) };
    },
    statement: async ({ params, query }) => ({
      data: await readLines(pool, params.wallet, query),
    }),
  } satisfies Partial<AdminHandlers>;
}

/** The point in time `at`; without it, now. Throws `Unanswerable`. */
async function momentOf({ pool, clock }: Admin, at: string | undefined): Promise<Moment> {
  if (at === undefined) return { nowMs: await clock.agreedMs() };
  const { position, time } = await readPointInTime(pool, at);
  await assertReached(pool, entriesModel, position);
  return { position, nowMs: time === null ? 0 : Date.parse(time) };
}

async function readDetail({ pool }: Admin, travel: TimeTravel, wallet: string, moment: Moment) {
  const stream = playerStream(wallet);
  const until = moment.position ?? Number.MAX_SAFE_INTEGER;
  const now = moment.position === undefined ? await readBoth(pool, playerDecider, stream) : null;
  const { state, version } =
    now?.folded ??
    ((await travel.streamAt(stream, moment.position ?? 0)) as {
      state: PlayerState;
      version: number;
    });
  if (!isRegistered(state)) {
    throw new Refused({ failed: 'not-found', detail: { what: 'there is no such player' } });
  }
  const [registered, position, session, overChain, sums, standings] = await Promise.all([
    readRegistered(pool, [wallet]),
    readPosition(pool, { stream, version }),
    readSession(pool, wallet, until),
    readOverChain(pool, wallet, until),
    readSums(pool, { wallet, after: 0, until }),
    readStandings(pool, [wallet], moment),
  ]);
  const { open } = withdrawalsOf(state);
  const heldMinor = open.reduce((sum, { netMinor, feeMinor }) => sum + netMinor + feeMinor, 0n);
  return {
    wallet,
    public_id: state.publicId,
    nickname: state.nickname,
    stream,
    version,
    position: position ?? 0,
    registered: registered.get(wallet) ?? null,
    balances: [points(state.pointsMinor), token(state.tokenMinor)],
    held: [token(heldMinor)],
    rounds: state.rounds,
    open_rounds: openRounds(state).map(([game, { round, stakeMinor }]) => ({
      round,
      game,
      stake: points(stakeMinor),
    })),
    seeds: seedsOf(state),
    ...protectionOf(state, moment.nowMs),
    standing: standings.get(wallet) ?? ACTIVE,
    session,
    all_time: { ...figuresOf(sums), ...overChain },
    state: toPlain(state),
    stored_differs: now?.difference ? findChanges(toPlain(now.folded), toPlain(now.stored)) : [],
  };
}

/** A voided round counts as not played. */
function figuresOf(sums: ReadonlyMap<EventType, Sum>) {
  const [bets, wins, voids] = [sums.get('BetPlaced'), sums.get('BetWon'), sums.get('BetVoided')];
  const stakedMinor = -(bets?.pointsMinor ?? 0n) - (voids?.pointsMinor ?? 0n);
  const wonMinor = wins?.pointsMinor ?? 0n;
  return {
    rounds: (bets?.events ?? 0) - (voids?.events ?? 0),
    wins: wins?.events ?? 0,
    staked: points(stakedMinor),
    won: points(wonMinor),
    net: points(wonMinor - stakedMinor),
  };
}

function seedsOf({ seeds }: PlayerState) {
  if (!seeds) return null;
  return {
    pair: seeds.pair,
    server_seed_hash: seeds.activeHash,
    next_server_seed_hash: seeds.nextHash,
    client_seed: seeds.clientSeed,
    nonce: seeds.nonce,
  };
}

function protectionOf(state: PlayerState, nowMs: number) {
  const { limits, excluded, realityCheck } = protectionAt(
    state,
    Math.max(nowMs, state.protection?.atMs ?? 0),
  );
  return {
    limits: limits.map(({ kind, period, amountMinor, usedMinor, pending }) => {
      const asset = assetOf(kind);
      return {
        limit: kind,
        period,
        amount: amount(asset, amountMinor),
        used: amount(asset, usedMinor),
        pending: pending
          ? {
              amount: pending.amountMinor === null ? null : amount(asset, pending.amountMinor),
              holds_from: new Date(pending.fromMs).toISOString(),
            }
          : null,
      };
    }),
    excluded: excluded
      ? { until: excluded.untilMs === null ? null : new Date(excluded.untilMs).toISOString() }
      : null,
    reality_check_minutes: realityCheck?.everyMs ? realityCheck.everyMs / MINUTE_MS : null,
  };
}

/** Figures since the last login. */
async function readSession(pool: pg.Pool, wallet: string, until: number) {
  const filter = { wallet, types: ['SessionStarted'] as const, toPosition: until };
  const [login] = (await readExplorer(pool, { filter, limit: 1 })).entries;
  if (!login) return null;
  const { position, time: since } = login;
  const sums = await readSums(pool, { wallet, after: position, until });
  return { position, since, ...figuresOf(sums) };
}

/** Total deposits and withdrawals over the chain. */
async function readOverChain(pool: pg.Pool, wallet: string, until: number) {
  const sums = tables.selectNoFrom((eb) => [
    eb
      .selectFrom('projections.entries_players_v1 as own')
      .innerJoin('projections.entries_v1 as e', 'e.player', 'own.player')
      .select(sql<string>`coalesce(sum(e.token), 0)::text`.as('sum'))
      .where('wallet', '=', wallet)
      .where('e.position', '<=', until)
      // The exact condition of the partial index.
      .where(sql<boolean>`e.type > 3 and e.type = ${sql.raw(numbersOf(['DepositCredited']))}`)
      .as('deposited'),
    eb
      .selectFrom('projections.withdrawals_v1')
      .select(sql<string>`coalesce(sum(net + fee), 0)::text`.as('sum'))
      .where('wallet', '=', wallet)
      // A finalized withdrawal does not change any more.
      .where('status', '=', sql.lit('finalized'))
      .where('position', '<=', until)
      .as('withdrawn'),
  ]);
  const found = await rowOf(pool, sums, 'read-over-chain');
  return {
    deposited: token(BigInt(found?.deposited ?? 0)),
    withdrawn: token(BigInt(found?.withdrawn ?? 0)),
  };
}

/** Position and time of registration: the first event of each stream. */
export async function readRegistered(pool: pg.Pool, wallets: readonly string[]) {
  const wanted = sql<{ wallet: string }>`unnest(${[...new Set(wallets)]}::text[])`;
  const first = tables
    .selectFrom(wanted.as<'wanted'>(sql`wanted(wallet)`))
    .innerJoin('events', (join) =>
      join
        .on('stream', '=', sql<string>`stream_key('player-' || wallet)`)
        .on('version', '=', sql.lit(1)),
    )
    .select(['wallet', 'position', 'recorded_at as time']);
  const rows = await rowsOf(pool, first, 'read-registered');
  return new Map(rows.map(({ wallet, position, time }) => [wallet, { position, time }]));
}

const NOTES_SHOWN = 200;

/** The newest notes of operators on a player. */
export async function readNotes({ pool }: Pick<Admin, 'pool'>, wallet: string) {
  const events = await findEvents(pool, { types: ['PlayerNoted'], wallet }, NOTES_SHOWN);
  return events.map(({ position, time, event }) => {
    const { by, note } = (event as PlayerNoted).data;
    return { position, time, by, note };
  });
}
