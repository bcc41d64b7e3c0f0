import type { PlayerDetail } from '@reelbook/contract/admin/players';
import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { loadState, readPosition } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { toPlain } from '@reelbook/inspection/changes';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { assetOf } from '@reelbook/ledger/player/protection-events';
import { protectionAt } from '@reelbook/ledger/player/protection-state';
import { isRegistered, openRounds, type PlayerState } from '@reelbook/ledger/player/state';
import { withdrawalsOf } from '@reelbook/ledger/player/withdrawals';
import { playerStream } from '@reelbook/ledger/streams';
import { searchPlayers } from '@reelbook/projections/entries/players';
import { readExplorer } from '@reelbook/projections/entries/read';
import { readSums } from '@reelbook/projections/entries/sums';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { readPlayerStats } from '@reelbook/projections/player-stats/read';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers } from '../context.ts';
import { amount, playerRef, points, textOf, token } from './convert.ts';
import { ACTIVE, readStandings } from './standing.ts';
import { readLines } from './statement.ts';

const PLAYERS_BY_DEFAULT = 50;
const MINUTE_MS = 60_000;

export function playerReads(admin: Admin) {
  const { pool, clock } = admin;
  return {
    players: async ({ query }) => {
      const limit = query.limit ?? PLAYERS_BY_DEFAULT;
      const search = { beginning: textOf(query.q)?.trim(), after: textOf(query.after), limit };
      const players = await searchPlayers(pool, search);
      const wallets = players.map(({ wallet }) => wallet);
      const [held, standings] = await Promise.all([
        readBalancesOf(pool, wallets),
        readStandings(pool, wallets, await clock.agreedMs()),
      ]);
      return {
        data: {
          players: players.map((player) => {
            const own = held.get(player.wallet);
            const balances = [points(BigInt(own?.points ?? 0)), token(BigInt(own?.token ?? 0))];
            const standing = standings.get(player.wallet) ?? ACTIVE;
            return { ...playerRef(player), balances, position: own?.position ?? 0, standing };
          }),
          next: players.length === limit ? (players.at(-1)?.wallet ?? null) : null,
        },
      };
    },
    player: async ({ params }) => ({ data: await readDetail(admin, params.wallet) }),
    statement: async ({ params, query }) => ({
      data: await readLines(pool, params.wallet, query),
    }),
  } satisfies Partial<AdminHandlers>;
}

async function readDetail({ pool, clock }: Admin, wallet: string): Promise<PlayerDetail> {
  const stream = playerStream(wallet);
  const { state, version } = await loadState(pool, playerDecider, stream);
  if (!isRegistered(state)) {
    throw new Refused({ failed: 'not-found', detail: { what: 'there is no such player' } });
  }
  const [registered, position, session, overChain, stats, nowMs] = await Promise.all([
    readRegistered(pool, [wallet]),
    readPosition(pool, { stream, version }),
    readSession(pool, wallet),
    readOverChain(pool, wallet),
    readPlayerStats(pool, { wallet, game: null }),
    clock.agreedMs(),
  ]);
  const standings = await readStandings(pool, [wallet], nowMs);
  const { open } = withdrawalsOf(state);
  const heldMinor = open.reduce((sum, { netMinor, feeMinor }) => sum + netMinor + feeMinor, 0n);
  const [stakedMinor, wonMinor] = [stats?.stakedMinor ?? 0n, stats?.wonMinor ?? 0n];
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
    ...protectionOf(state, nowMs),
    standing: standings.get(wallet) ?? ACTIVE,
    session,
    all_time: {
      ...figuresOf({ rounds: stats?.games ?? 0, wins: stats?.wins ?? 0, stakedMinor, wonMinor }),
      ...overChain,
    },
    state: toPlain(state),
  };
}

function figuresOf(options: {
  readonly rounds: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
}) {
  const { rounds, wins, stakedMinor, wonMinor } = options;
  return {
    ...{ rounds, wins, staked: points(stakedMinor), won: points(wonMinor) },
    net: points(wonMinor - stakedMinor),
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
async function readSession(pool: pg.Pool, wallet: string): Promise<PlayerDetail['session']> {
  const filter = { wallet, types: ['SessionStarted'] as const };
  const { entries } = await readExplorer(pool, { filter, limit: 1 });
  const [login] = entries;
  if (!login) return null;
  const { position, time: since } = login;
  const sums = await readSums(pool, { wallet, after: position, until: Number.MAX_SAFE_INTEGER });
  const [bets, wins, voids] = [sums.get('BetPlaced'), sums.get('BetWon'), sums.get('BetVoided')];
  const figures = {
    rounds: bets?.events ?? 0,
    wins: wins?.events ?? 0,
    stakedMinor: -(bets?.pointsMinor ?? 0n),
    wonMinor: (wins?.pointsMinor ?? 0n) + (voids?.pointsMinor ?? 0n),
  };
  return { position, since, ...figuresOf(figures) };
}

/** Total deposits and withdrawals over the chain. */
async function readOverChain(pool: pg.Pool, wallet: string) {
  const sums = tables.selectNoFrom((eb) => [
    eb
      .selectFrom('projections.entries_players_v1 as own')
      .innerJoin('projections.entries_v1 as e', 'e.player', 'own.player')
      .select(sql<string>`coalesce(sum(e.token), 0)::text`.as('sum'))
      .where('wallet', '=', wallet)
      // The exact condition of the partial index.
      .where(sql<boolean>`e.type > 3 and e.type = ${sql.raw(numbersOf(['DepositCredited']))}`)
      .as('deposited'),
    eb
      .selectFrom('projections.withdrawals_v1')
      .select(sql<string>`coalesce(sum(net + fee), 0)::text`.as('sum'))
      .where('wallet', '=', wallet)
      .where('status', '=', sql.lit('finalized'))
      .as('withdrawn'),
  ]);
  const found = await rowOf(pool, sums, 'read-over-chain');
  return {
    deposited: token(BigInt(found?.deposited ?? 0)),
    withdrawn: token(BigInt(found?.withdrawn ?? 0)),
  };
}

/** Balances by wallet, as of the projection. */
async function readBalancesOf(pool: pg.Pool, wallets: readonly string[]) {
  const held = tables
    .selectFrom('projections.balances_v1')
    .select(['wallet', 'points', 'token', 'position'])
    .where('wallet', '=', anyOf('text', wallets));
  const rows = await rowsOf(pool, held, 'read-balances-of');
  return new Map(rows.map((row) => [row.wallet, row]));
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
