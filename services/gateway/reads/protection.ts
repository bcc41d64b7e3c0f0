import type { Protection } from '@reelbook/contract/player/protection';
import { readPlayed } from '@reelbook/inspection/count-used';
import { realityCheckOf } from '@reelbook/ledger/config/in-force';
import type { Played } from '@reelbook/ledger/player/protection-events';
import { checkOf, decidedAt, protectionAt } from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { protectionAnswer } from '../answers/protection.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';

/** Current limits, exclusion, reality check and session of a player. */
export async function readProtection(
  gateway: Pick<Gateway, 'pool' | 'config' | 'clock'>,
  wallet: string,
): Promise<Protection> {
  return describeProtection(gateway, await readPlayer(gateway, wallet));
}

/** As `readProtection`, of a known state. */
export async function describeProtection(
  { pool, config, clock }: Pick<Gateway, 'pool' | 'config' | 'clock'>,
  {
    state,
    ...at
  }: Pick<Awaited<ReturnType<typeof readPlayer>>, 'version' | 'position'> & {
    readonly state: PlayerState;
  },
): Promise<Protection> {
  const nowMs = await clock.agreedMs();
  const realityCheckMs = realityCheckOf(config.current().config);
  const play = await sessionOf(pool, state, { version: at.version, nowMs });
  return protectionAnswer(state, { nowMs, realityCheckMs, ...at, play });
}

/** The session that reality checks count, if the state has one. */
async function sessionOf(
  pool: Gateway['pool'],
  state: PlayerState,
  at: { readonly version: number; readonly nowMs: number },
): Promise<Played | null> {
  if (!state.protection?.play) return readPlayed(pool, { wallet: state.wallet, ...at });
  return checkOf(protectionAt(state, decidedAt(state, at.nowMs)), null).play;
}
