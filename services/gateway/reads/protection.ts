import type { Protection } from '@reelbook/contract/player/protection';
import { readBack } from '@reelbook/event-store/read-stream';
import { realityCheckOf } from '@reelbook/ledger/config/in-force';
import { PLAY_BREAK_MS, type Play, usedBy } from '@reelbook/ledger/player/protection-state';
import { playerStream } from '@reelbook/ledger/streams';
import { protectionAnswer } from '../answers/protection.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';

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

/**
 * Stakes, and payouts and returned stakes, from the newest stake back to a break; null outside a session. Counted from the
 * events, since the state has a session only from the first limit on.
 */
export async function readPlay(
  { pool }: Pick<Gateway, 'pool'>,
  options: { readonly wallet: string; readonly version: number; readonly nowMs: number },
): Promise<Play | null> {
  const { wallet, version, nowMs } = options;
  let sinceMs = nowMs;
  let lastMs: number | null = null;
  let [stakedMinor, wonMinor, wonSinceStake] = [0n, 0n, 0n];
  for await (const { event, time } of readBack(pool, { stream: playerStream(wallet), version })) {
    if (event.type !== 'BetPlaced') {
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
  return lastMs === null ? null : { sinceMs, lastMs, checkedMs: sinceMs, stakedMinor, wonMinor };
}
