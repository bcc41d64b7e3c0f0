import type { Protection } from '@reelbook/contract/player/protection';
import type { BetResult } from '@reelbook/contract/player/slot';
import { askProtection, keepProtection, protection } from '../../lib/protection.ts';
import { queryClient } from '../../lib/queries.ts';

const SESSION_BREAK_MS = 15 * 60_000;
/** A bet and its result. */
const EVENTS_PER_ROUND = 2;

/** Adds a round of this page to session and limits; loads them if the ledger has other events before it. */
export function noteRound(round: NotedRound): void {
  const known = queryClient.getQueryData(protection.queryKey);
  if (known && round.stream_version <= known.stream_version) return;
  if (known?.stream_version === round.stream_version - EVENTS_PER_ROUND) {
    keepProtection(withRound(known, round));
  } else askProtection();
}

type NotedRound = Pick<BetResult, 'bet_amount' | 'win_amount' | 'created_at' | 'stream_version'>;

/** Amounts have two decimals. */
const sum = (a: number, b: number) => Math.round((a + b) * 100) / 100;

export function withRound(known: Protection, round: NotedRound): Protection {
  const { bet_amount: bet, win_amount: win, created_at: time } = round;
  const timeMs = Date.parse(time);
  const going = known.session && timeMs < Date.parse(known.session.ends_at) ? known.session : null;
  const before = going ?? { began_at: time, staked: 0, won: 0 };
  const [staked, won] = [sum(before.staked, bet), sum(before.won, win)];
  const elapsed = Math.floor((timeMs - Date.parse(before.began_at)) / 1_000);
  return {
    ...known,
    time,
    stream_version: round.stream_version,
    limits: known.limits.map((limit) => {
      if (limit.limit === 'deposit') return limit;
      const used = sum(limit.used, limit.limit === 'loss' ? bet - win : bet);
      return { ...limit, used, left: Math.max(0, sum(limit.amount, -used)) };
    }),
    session: {
      began_at: before.began_at,
      ends_at: new Date(timeMs + SESSION_BREAK_MS).toISOString(),
      elapsed_seconds: Math.max(0, elapsed),
      staked,
      won,
      net: sum(won, -staked),
    },
  };
}
