import type { Balances } from '@reelbook/contract/common';
import { noticeText } from '@reelbook/contract/english';
import type { RevealedSeed, Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import type { NoticeFact, User } from '@reelbook/contract/player/profile';
import type { LimitState, Protection } from '@reelbook/contract/player/protection';
import { isCapped, readSlotOutcome } from '@reelbook/games/slot-machine/rules';
import { assert } from '@reelbook/ledger/assert';
import { endOf, MINUTE_MS } from '@reelbook/ledger/calendar';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import type { Balances as Owned } from '@reelbook/ledger/player/balances';
import type { BetLost, BetPlaced, BetWon } from '@reelbook/ledger/player/events';
import type { Fact, Notification } from '@reelbook/ledger/player/notice-facts';
import { assetOf, type Played } from '@reelbook/ledger/player/protection-events';
import {
  checkOf,
  decidedAt,
  type Limit,
  leftOf,
  PLAY_BREAK_MS,
  type Protected,
  protectionAt,
} from '@reelbook/ledger/player/protection-state';
import { type Standing, standingOf } from '@reelbook/ledger/player/standing';
import { clientSeedBy, type PlayerState } from '@reelbook/ledger/player/state';
import type { RevealedSeed as SeedRow } from '@reelbook/projections/seeds/projection';
import type { DrawnFrom } from '../commitments.ts';

/** Converts ledger data to API responses. Pure: the same events give the same response. */

const GAMES_PER_LEVEL = 10;
const EXPERIENCE_PER_GAME = 10;
const EXPERIENCE_PER_LEVEL = 100;
const PUBLIC_ID_SHOWN = 5;

const points = (minor: bigint) => toNumber('points', minor);

export function balancesAnswer(
  owned: Owned,
  place: { readonly version: number; readonly position: number },
): Balances {
  const token = toNumber('token', owned.tokenMinor);
  return {
    balance: token,
    token_balance: token,
    points_balance: points(owned.pointsMinor),
    stream_version: place.version,
    position: place.position,
  };
}

/** `games`: settled rounds of all games, which level and experience count. */
export function userAnswer(state: PlayerState, games: number): User {
  const level = Math.floor(games / GAMES_PER_LEVEL) + 1;
  return {
    wallet_address: state.wallet,
    public_id: state.publicId,
    nickname: state.nickname,
    display_name: state.nickname ?? `User${state.publicId.slice(-PUBLIC_ID_SHOWN)}`,
    level,
    experience: EXPERIENCE_PER_GAME * games,
    next_level_experience: EXPERIENCE_PER_LEVEL * level,
  };
}

/** Response to a bet and its push message, from its two events and its seeds; null for events of other commands. */
export function betAnswer(
  events: readonly PlacedEvent<LedgerEvent>[],
  seeds: DrawnFrom | null,
): BetResult | null {
  const [first, last] = events;
  if (first?.event.type !== 'BetPlaced' || !last || !seeds) return null;
  const placed = first.event as BetPlaced;
  const ended = last.event as BetWon | BetLost;
  assert(ended.type === 'BetWon' || ended.type === 'BetLost', 'a bet settles in its own command');
  const outcome = readSlotOutcome(ended.data.outcome);
  const payoutMinor = ended.type === 'BetWon' ? ended.data.payoutMinor : 0n;
  const { stakeMinor } = placed.data;
  const win = points(payoutMinor);
  return {
    round_id: placed.data.round,
    symbols: [[...outcome.symbols]],
    row: outcome.row,
    multiple: outcome.multiple,
    total_win: win,
    win_amount: win,
    is_jackpot: outcome.isJackpot,
    capped: isCapped(outcome, { stakeMinor, payoutMinor }),
    bet_amount: points(stakeMinor),
    lines: placed.data.lines,
    rules: placed.data.rules,
    server_seed_hash: seeds.serverSeedHash,
    client_seed: seeds.clientSeed,
    nonce: placed.data.nonce,
    bet_position: first.position,
    created_at: last.time,
    ...balancesAnswer(ended.data.after, last),
  };
}

export function revealedAnswer(row: SeedRow): RevealedSeed {
  return {
    pair: row.pair,
    server_seed_hash: row.serverSeedHash,
    server_seed: row.serverSeed,
    client_seed: row.clientSeed,
    nonces: row.nonces,
    position: row.position,
    revealed_at: row.revealedAt,
  };
}

export function seedsAnswer(
  seeds: NonNullable<PlayerState['seeds']>,
  revealed: readonly RevealedSeed[],
): Seeds {
  return {
    pair: seeds.pair,
    active: {
      server_seed_hash: seeds.activeHash,
      client_seed: seeds.clientSeed,
      client_seed_by: clientSeedBy(seeds),
      nonce: seeds.nonce,
    },
    next: { server_seed_hash: seeds.nextHash },
    revealed: [...revealed],
  };
}

/** A notification in the API: amounts in points or BSM, times in ISO 8601, with English texts. */
export function noticeAnswer(notice: Pick<Notification, 'type' | 'kind' | 'facts'>) {
  const { type, kind, facts } = notice;
  const answers = Object.entries(facts).map(([name, fact]) => [name, answerOf(fact)] as const);
  return { type, kind, facts: Object.fromEntries(answers), ...noticeText(notice) };
}

function answerOf(fact: Fact): NoticeFact {
  if (typeof fact !== 'object') return fact;
  if ('atMs' in fact) return { time: new Date(fact.atMs).toISOString() };
  return { asset: fact.asset, amount: toNumber(fact.asset, fact.minor) };
}

const SECOND_MS = 1_000;

/** Limits, exclusion and session of a player, as of a time. Pure. `play`: the session, also from before the first limit. */
export function protectionAnswer(
  state: Protected & Standing,
  options: {
    readonly nowMs: number;
    readonly realityCheckMs: number | null;
    readonly version: number;
    readonly position: number;
    readonly play: Played | null;
  },
): Protection {
  const { realityCheckMs, play } = options;
  const now = protectionAt(state, decidedAt(state, options.nowMs));
  const { everyMs, nextMs, due } = checkOf(now, realityCheckMs);
  return {
    time: isoTime(now.atMs),
    limits: now.limits.map((limit) => limitAnswer(limit, now.atMs)),
    exclusion: now.excluded ? { until: orNull(now.excluded.untilMs) } : null,
    suspended: standingOf(state).suspended,
    reality_check: {
      interval_minutes: everyMs === null ? null : everyMs / MINUTE_MS,
      chosen_by: now.realityCheck ? 'player' : 'site',
      due,
      next_at: orNull(nextMs),
    },
    session: play && sessionAnswer(play, now.atMs),
    stream_version: options.version,
    position: options.position,
  };
}

function limitAnswer(limit: Limit, atMs: number): LimitState {
  const { kind, period, pending } = limit;
  const asset = assetOf(kind);
  const left = leftOf(limit);
  return {
    limit: kind,
    period,
    amount: toNumber(asset, limit.amountMinor),
    used: toNumber(asset, limit.usedMinor),
    left: toNumber(asset, left > 0n ? left : 0n),
    resets_at: isoTime(endOf(period, atMs)),
    pending: pending
      ? {
          amount: pending.amountMinor === null ? null : toNumber(asset, pending.amountMinor),
          holds_from: isoTime(pending.fromMs),
        }
      : null,
  };
}

function sessionAnswer({ sinceMs, lastMs, stakedMinor, wonMinor }: Played, atMs: number) {
  return {
    began_at: isoTime(sinceMs),
    ends_at: isoTime(lastMs + PLAY_BREAK_MS),
    elapsed_seconds: Math.max(0, Math.floor((atMs - sinceMs) / SECOND_MS)),
    staked: toNumber('points', stakedMinor),
    won: toNumber('points', wonMinor),
    net: toNumber('points', wonMinor - stakedMinor),
  };
}

const isoTime = (timeMs: number) => new Date(timeMs).toISOString();

const orNull = (timeMs: number | null) => (timeMs === null ? null : isoTime(timeMs));
