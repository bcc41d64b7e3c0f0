import { readBack } from '@reelbook/event-store/read-stream';
import { HOUR_MS, startOf } from '@reelbook/ledger/calendar';
import { needsCount, setLimit } from '@reelbook/ledger/player/protection';
import type { SetLimit } from '@reelbook/ledger/player/protection-commands';
import { decidedAt, usedBy } from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** An event's own time and its recorded time differ by less than this, so they are ordered up to it. */
const DISORDER_MS = HOUR_MS;

/**
 * The command with what its window contains before it; as it is, if it will be refused: that must not read a month. Run it in
 * `prepare`, with `readsStream`.
 */
export async function countUsed(
  pool: pg.Pool,
  state: PlayerState,
  command: SetLimit,
): Promise<SetLimit> {
  if (isRejection(setLimit(state, command)) || !needsCount(state, command)) return command;
  const fromMs = startOf(command.period, decidedAt(state, command.nowMs));
  let usedMinor = 0n;
  for await (const { event, time } of readBack(pool, { stream: playerStream(state.wallet) })) {
    const { atMs = Date.parse(time) } = event.data as { readonly atMs?: number };
    if (atMs < fromMs - DISORDER_MS) break;
    if (startOf(command.period, atMs) === fromMs) usedMinor += usedBy(event, command.kind);
  }
  return { ...command, usedMinor };
}
