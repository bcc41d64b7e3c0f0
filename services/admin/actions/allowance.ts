import { settled } from '@reelbook/http/settled';
import type { UseAllowance } from '@reelbook/ledger/operators/allowance';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { readConfig } from '@reelbook/payments/review';
import { type Admin, actorOf, type Caller } from '../context.ts';

type Movement = Pick<UseAllowance, 'asset' | 'deltaMinor' | 'round' | 'day'>;

/** An action before its decision, with the idempotency key of the request. */
interface Decision {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
}

/**
 * Counts an adjustment or void by one operator alone against the daily allowance. The count is in the stream of all
 * operators, so that concurrent actions on different players cannot exceed the limit. It is recorded before the movement,
 * with the key of the request: a crash in between leaves a count without a movement, never the reverse. The day is part of
 * the key: the same request can be completed on that day, and on a later one it counts again. What its dry run did not show
 * counts nothing.
 * @returns a refusal, or null if the action is allowed or not counted.
 */
export async function countAllowance(
  { executor, pool, outdated }: Admin,
  caller: Caller & { readonly params: { readonly wallet: string } },
  { state, command, key }: Decision,
): Promise<Rejection | null> {
  const decided = playerDecider.decide(state, command);
  if (isRejection(decided)) return decided;
  const moved = movedAlone(decided[0]);
  if (!moved) return null;
  const { operator, correlation, params } = caller;
  const counted = { type: 'UseAllowance', operator, player: params.wallet, ...moved } as const;
  const refused = outdated?.({ stream: playerStream(params.wallet), events: decided });
  if (refused) {
    // The dry run may have shown a proposal, which is what remains once the allowance is used up.
    const { config } = await readConfig(pool);
    const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
    const used = operatorsDecider.decide(state, { ...counted, terms: config.adjust });
    return isRejection(used) ? used : refused;
  }
  const { deltaMinor, ...what } = moved;
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:${actorOf(caller)}:${key}:${moved.day}`,
    request: { player: params.wallet, ...what, minor: deltaMinor.toString() },
    meta: { correlation, actor: actorOf(caller) },
    async prepare() {
      const { config, version } = await readConfig(pool);
      return { command: { ...counted, terms: config.adjust }, configVersion: version };
    },
  });
  if (executed.kind === 'refused') return executed.rejection;
  // Throws if the key counted a different action.
  settled(executed);
  return null;
}

/** The movement of an event that one operator decided alone; else null. */
function movedAlone(event: PlayerEvent | undefined): Movement | null {
  if (event?.type === 'BalanceAdjusted' && event.data.approvedBy === null) {
    const { asset, deltaMinor, day } = event.data;
    return { asset, deltaMinor, day };
  }
  if (event?.type === 'BetVoided' && event.data.approvedBy === null) {
    const { stakeMinor: deltaMinor, round, day } = event.data;
    return { asset: 'points', deltaMinor, round, day };
  }
  return null;
}
