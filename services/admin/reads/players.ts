import type { PlayerDetail } from '@reelbook/contract/admin/players';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readBoth, readPosition } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { findChanges, toPlain } from '@reelbook/inspection/changes';
import { readPointInTime } from '@reelbook/inspection/point-in-time';
import type { TimeTravel } from '@reelbook/inspection/stream-at';
import type { EventType } from '@reelbook/ledger/event-types';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { assetOf } from '@reelbook/ledger/player/protection-events';
import { protectionAt } from '@reelbook/ledger/player/protection-state';
import { isRegistered, openRounds, type PlayerState } from '@reelbook/ledger/player/state';
import { withdrawalsOf } from '@reelbook/ledger/player/withdrawals';
import { playerStream } from '@reelbook/ledger/streams';
import { type PlayerBalances, readBalances } from '@reelbook/projections/balances/projection';
import { readBalancesOf, readSums, type Sum } from '@reelbook/projections/entries/balances';
import { entries as entriesModel } from '@reelbook/projections/entries/projection';
import { readExplorer, searchPlayers } from '@reelbook/projections/entries/read';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { assertReached } from '@reelbook/projections/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers } from '../context.ts';
import { amount, playerRef, points, textOf, token } from './convert.ts';
import type { InspectionCaches } from './inspection-caches.ts';
import { ACTIVE, type Moment, readStandings } from './standing.ts';
import { readLines } from './statement.ts';

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

async function readDetail(
  { pool }: Admin,
  travel: TimeTravel,
  wallet: string,
  moment: Moment,
): Promise<PlayerDetail> {
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
    ...{ staked: points(stakedMinor), won: points(wonMinor), net: points(wonMinor - stakedMinor) },
  };
}

function seedsOf({ seeds }: PlayerState): PlayerDetail['seeds'] {
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
async function readSession(
  pool: pg.Pool,
  wallet: string,
  until: number,
): Promise<PlayerDetail['session']> {
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
  return new Map(rows.map(({ wallet, ...registered }) => [wallet, registered]));
}
