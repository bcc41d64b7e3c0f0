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
import { type PlayerBalances, readBalances } from '@reelbook/projections/balances/projection';
import {
  readBalancesOf,
  readStatement,
  readSums,
  type StatementLine,
  type Sum,
} from '@reelbook/projections/entries/balances';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { entries as entriesModel } from '@reelbook/projections/entries/projection';
import { readExplorer, searchPlayers } from '@reelbook/projections/entries/read';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { assertReached } from '@reelbook/projections/projection';
import { sql } from 'kysely';
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

/** Positions of the last events of these types, one index lookup each. */
function latestOf(wallets: readonly string[], position: number) {
  const last = (type: EventType) =>
    sql<number | null>`(select e.position from projections.entries_v1 as e
      where e.player = own.player and e.type > 3 and e.type = ${sql.raw(numbersOf([type]))}
        and e.position <= ${position}
      order by e.position desc limit 1)`;
  return tables
    .selectFrom('projections.entries_players_v1 as own')
    .select('own.wallet')
    .select([
      last('PlayerSuspended').as('suspended'),
      last('PlayerReinstated').as('reinstated'),
      last('SelfExcluded').as('excluded'),
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
  const { reason } = (found.event as PlayerSuspended).data;
  return { ...decided(found), reason };
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

export function playerReads(admin: Admin, { travel }: InspectionCaches) {
  const { pool } = admin;
  return {
    players: async ({ query }) => {
      const limit = query.limit ?? PLAYERS_BY_DEFAULT;
      const moment = await momentOf(admin, textOf(query.at));
      const search = { beginning: textOf(query.q)?.trim(), after: textOf(query.after), limit };
      const players = await searchPlayers(pool, search);
      const wallets = players.map(({ wallet }) => wallet);
      const [held, standings, registered] = await Promise.all([
        moment.position === undefined
          ? readBalances(pool, wallets)
          : readBalancesOf(pool, { wallets, position: moment.position }),
        readStandings(pool, wallets, moment),
        moment.position === undefined ? null : readRegistered(pool, wallets),
      ]);
      const isKnown = (wallet: string) =>
        (registered?.get(wallet)?.position ?? 0) <= (moment.position ?? 0);
      return {
        data: {
          players: players
            .filter(({ wallet }) => isKnown(wallet))
            .map((player) => ({
              ...playerRef(player),
              ...balancesOf(held.get(player.wallet) ?? NOT_YET),
              standing: standings.get(player.wallet) ?? ACTIVE,
            })),
          next: players.length === limit ? (players.at(-1)?.wallet ?? null) : null,
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

/** Of a player that `balances` does not have yet: it follows `entries` independently. */
const NOT_YET = { pointsMinor: 0n, tokenMinor: 0n, position: 0 };

function balancesOf({ pointsMinor, tokenMinor, position }: PlayerBalances) {
  return { balances: [points(pointsMinor), token(tokenMinor)], position };
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
    open_withdrawals: open.length,
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
  const { entries } = await readExplorer(pool, { filter, limit: 1 });
  const [login] = entries;
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
  const types = ['PlayerNoted'] as const;
  const events = await findEvents(pool, { types, wallet }, NOTES_SHOWN);
  return events.map(({ position, time, event }) => {
    const { by, note } = (event as PlayerNoted).data;
    return { position, time, by, note };
  });
}
