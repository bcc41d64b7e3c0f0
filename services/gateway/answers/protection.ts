import type { LimitState, Protection } from '@reelbook/contract/player/protection';
import { endOf, MINUTE_MS } from '@reelbook/ledger/calendar';
import { toNumber } from '@reelbook/ledger/money';
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
