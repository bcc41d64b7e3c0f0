import { readBack } from '@reelbook/event-store/read-stream';
import { HOUR_MS, startOf } from '@reelbook/ledger/calendar';
import { needsCount, setLimit, setRealityCheck } from '@reelbook/ledger/player/protection';
import type { Played, SetLimit, SetRealityCheck } from '@reelbook/ledger/player/protection-events';
import { decidedAt, PLAY_BREAK_MS, usedBy } from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** An event's own time and its recorded time differ by less than this, so they are ordered up to it. */
const DISORDER_MS = HOUR_MS;

/**
 * The command with the session and what its window contains before it; as it is, if it will be refused or changes nothing: that must not read a
 * month. Run it in `prepare`, with `readsStream`.
 */
export async function countUsed<Command extends SetLimit | SetRealityCheck>(
  pool: pg.Pool,
  state: PlayerState,
  command: Command,
): Promise<Command> {
  const decided =
    command.type === 'SetLimit' ? setLimit(state, command) : setRealityCheck(state, command);
  if (isRejection(decided) || decided.length === 0) return command;
  const { wallet } = state;
  const nowMs = decidedAt(state, command.nowMs);
  const played = state.protection ? null : await readPlayed(pool, { wallet, nowMs });
  const counted = played ? { ...command, played } : command;
  if (command.type === 'SetRealityCheck' || !needsCount(state, command)) return counted;
  const fromMs = startOf(command.period, nowMs);
  let usedMinor = 0n;
  for await (const { event, time } of readBack(pool, { stream: playerStream(wallet) })) {
    const { atMs = Date.parse(time) } = event.data as { readonly atMs?: number };
    if (atMs < fromMs - DISORDER_MS) break;
    if (startOf(command.period, atMs) === fromMs) usedMinor += usedBy(event, command.kind);
  }
  return { ...counted, usedMinor };
}

/**
 * Stakes, and payouts and returned stakes, from the newest stake back to a break; null outside a session. Counted from the
 * events, since the state has a session only from the player's first event with a time on.
 */
export async function readPlayed(
  pool: pg.Pool,
  options: { readonly wallet: string; readonly version?: number; readonly nowMs: number },
): Promise<Played | null> {
  const { wallet, nowMs, ...upTo } = options;
  let sinceMs = nowMs;
  let lastMs: number | null = null;
  let [stakedMinor, wonMinor, wonSinceStake] = [0n, 0n, 0n];
  for await (const { event, time } of readBack(pool, { stream: playerStream(wallet), ...upTo })) {
    if (event.type !== 'BetPlaced') {
      if (sinceMs - Date.parse(time) >= PLAY_BREAK_MS + DISORDER_MS) break;
      wonSinceStake -= usedBy(event, 'loss');
      continue;
    }
    const { stakeMinor, atMs = Date.parse(time) } = event.data;
    if (sinceMs - atMs >= PLAY_BREAK_MS) break;
    sinceMs = atMs;
    lastMs ??= atMs;
    stakedMinor += stakeMinor;
    wonMinor += wonSinceStake;
    wonSinceStake = 0n;
  }
  return lastMs === null ? null : { sinceMs, lastMs, stakedMinor, wonMinor };
}
