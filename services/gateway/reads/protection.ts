import type { Protection } from '@reelbook/contract/player/protection';
import { readStream } from '@reelbook/event-store/read-stream';
import { realityCheckOf } from '@reelbook/ledger/config/in-force';
import { PLAY_BREAK_MS, type Play } from '@reelbook/ledger/player/protection-state';
import { playerStream } from '@reelbook/ledger/streams';
import { protectionAnswer } from '../answers/protection.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';

/** The state tracks a session only from the first limit on, so it is computed from at most EVENTS_MAX events. */
const EVENTS_PER_READ = 500;
const EVENTS_MAX = 20_000;

/** Current limits, exclusion, reality check and session of a player. */
export async function readProtection(
  gateway: Pick<Gateway, 'pool' | 'config' | 'clock'>,
  wallet: string,
): Promise<Protection> {
  const { state, version, position } = await readPlayer(gateway, wallet);
  const nowMs = await gateway.clock.agreedMs();
  const realityCheckMs = realityCheckOf(gateway.config.current().config);
  const play = await readPlay(gateway, { wallet, version, nowMs });
  return protectionAnswer(state, { nowMs, realityCheckMs, version, position, play });
}

/** Stakes and payouts from the newest stake back to a break; null outside a session. */
export async function readPlay(
  { pool }: Pick<Gateway, 'pool'>,
  options: { readonly wallet: string; readonly version: number; readonly nowMs: number },
): Promise<Play | null> {
  const stream = playerStream(options.wallet);
  let sinceMs = options.nowMs;
  let lastMs: number | null = null;
  let [stakedMinor, wonMinor, wonSinceStake] = [0n, 0n, 0n];
  let to = options.version;
  const oldest = Math.max(0, options.version - EVENTS_MAX);
  walk: while (to > oldest) {
    const from = Math.max(oldest, to - EVENTS_PER_READ) + 1;
    const events = await readStream(pool, { stream, fromVersion: from, limit: to - from + 1 });
    for (const { event, time } of events.reverse()) {
      if (event.type === 'BetWon') wonSinceStake += event.data.payoutMinor;
      if (event.type !== 'BetPlaced') continue;
      const timeMs = Date.parse(time);
      if (sinceMs - timeMs >= PLAY_BREAK_MS) break walk;
      sinceMs = timeMs;
      lastMs ??= timeMs;
      stakedMinor += event.data.stakeMinor;
      wonMinor += wonSinceStake;
      wonSinceStake = 0n;
    }
    to = from - 1;
  }
  return lastMs === null ? null : { sinceMs, lastMs, checkedMs: sinceMs, stakedMinor, wonMinor };
}
