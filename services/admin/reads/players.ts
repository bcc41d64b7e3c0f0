import type { PlayerDetail, Statement } from '@reelbook/contract/admin/players';
import { readHead } from '@reelbook/event-store/read-log';
import { loadState } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { toPlain } from '@reelbook/inspection/changes';
import { readMoment } from '@reelbook/inspection/moment';
import {
  readBalancesOf,
  readOverChain,
  readRegistered,
  readSession,
} from '@reelbook/inspection/player-figures';
import { readPlayerStatement } from '@reelbook/inspection/statement';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { assetOf } from '@reelbook/ledger/player/protection-events';
import { protectionAt } from '@reelbook/ledger/player/protection-state';
import { isRegistered, openRounds, type PlayerState } from '@reelbook/ledger/player/state';
import { withdrawalsOf } from '@reelbook/ledger/player/withdrawals';
import { playerStream } from '@reelbook/ledger/streams';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { searchPlayers } from '@reelbook/projections/entries/players';
import { readPlayerStats } from '@reelbook/projections/player-stats/read';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { amount, playerRef, points, sentenceAnswer, textOf, token } from './say.ts';

const PLAYERS_BY_DEFAULT = 50;
const LINES_BY_DEFAULT = 50;
const MINUTE_MS = 60_000;

export function playerReads(admin: Admin) {
  const { pool } = admin;
  return {
    players: async ({ query }) => {
      const limit = query.limit ?? PLAYERS_BY_DEFAULT;
      const asked = { beginning: textOf(query.q)?.trim(), after: textOf(query.after), limit };
      const players = await searchPlayers(pool, asked);
      const held = await readBalancesOf(
        pool,
        players.map(({ wallet }) => wallet),
      );
      return {
        data: {
          players: players.map((player) => {
            const own = held.get(player.wallet);
            const balances = [points(own?.pointsMinor ?? 0n), token(own?.tokenMinor ?? 0n)];
            return { ...playerRef(player), balances, position: own?.position ?? 0 };
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
    positionOf(pool, stream, version),
    readSession(pool, wallet),
    readOverChain(pool, wallet),
    readPlayerStats(pool, { wallet, game: null }),
    clock.nowMs(),
  ]);
  const { open } = withdrawalsOf(state);
  const heldMinor = open.reduce((sum, { netMinor, feeMinor }) => sum + netMinor + feeMinor, 0n);
  const [stakedMinor, wonMinor] = [stats?.stakedMinor ?? 0n, stats?.wonMinor ?? 0n];
  return {
    wallet,
    public_id: state.publicId,
    nickname: state.nickname,
    stream,
    version,
    position,
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
    session: session && {
      position: session.position,
      since: session.since,
      ...figuresOf(session),
    },
    all_time: {
      ...figuresOf({ rounds: stats?.games ?? 0, wins: stats?.wins ?? 0, stakedMinor, wonMinor }),
      deposited: token(overChain.depositedMinor),
      withdrawn: token(overChain.withdrawnMinor),
    },
    state: toPlain(state),
  };
}

function figuresOf(o: {
  readonly rounds: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
}) {
  const { rounds, wins, stakedMinor, wonMinor } = o;
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

async function positionOf(pool: pg.Pool, stream: string, version: number): Promise<number> {
  const { rows } = await pool.query<{ position: number }>({
    name: 'position-of-version',
    text: 'select position from events where stream = stream_key($1) and version = $2',
    values: [stream, version],
  });
  return rows[0]?.position ?? 0;
}

async function readLines(
  pool: pg.Pool,
  wallet: string,
  query: AdminRequest<'statement'>['query'],
): Promise<Statement> {
  const { asset, limit = LINES_BY_DEFAULT } = query;
  const [from, to] = [textOf(query.from), textOf(query.to)];
  const first = from === undefined ? 1 : (await lastBefore(pool, from)) + 1;
  const end = to === undefined ? (await readHead(pool)).position : await lastBefore(pool, to);
  const before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, end + 1);
  const found = await readPlayerStatement(pool, { wallet, asset, from: first, before, limit });
  return {
    wallet,
    lines: found.lines.map(({ recorded, said, deltaMinor, afterMinor }) => {
      const { position, time, event } = recorded;
      const { data } = event;
      return {
        ...{ position, time, type: event.type },
        ...sentenceAnswer(said),
        round: 'round' in data ? data.round : null,
        withdrawal: 'withdrawal' in data ? data.withdrawal : null,
        signature: 'signature' in data ? data.signature : null,
        amount: amount(asset, deltaMinor),
        after: amount(asset, afterMinor),
      };
    }),
    opening: amount(asset, found.openingMinor),
    closing: amount(asset, found.closingMinor),
    next: found.next,
  };
}

/** The last position before a time, which is not included itself: times are kept in milliseconds. */
async function lastBefore(pool: pg.Pool, time: string): Promise<number> {
  if (!isTime(time)) throw new Unanswerable(`${time} is no ISO 8601 time`);
  return (await readMoment(pool, new Date(Date.parse(time) - 1).toISOString())).position;
}
