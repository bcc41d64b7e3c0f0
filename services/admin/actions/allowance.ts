import { settled } from '@reelbook/http/settled';
import type { UseAllowance } from '@reelbook/ledger/operators/allowance';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { readConfig } from '@reelbook/payments/review';
import { type Admin, actorOf, type Caller } from '../context.ts';

type Movement = Pick<UseAllowance, 'asset' | 'deltaMinor' | 'round'>;

/** An action before its decision, with the idempotency key of the request. */
interface Decision {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
  readonly nowMs: number;
}

/**
 * Counts an adjustment or void by one operator alone against the daily allowance. The count is in the stream of all
 * operators, so that concurrent actions on different players cannot exceed the limit. It is recorded before the movement,
 * with the key of the request: a crash in between leaves a count without a movement, never the reverse.
 * @returns a refusal, or null if the action is allowed or not counted.
 */
export async function countAllowance(
  { executor, pool }: Admin,
  caller: Caller & { readonly params: { readonly wallet: string } },
  { state, command, key, nowMs }: Decision,
): Promise<Rejection | null> {
  const decided = playerDecider.decide(state, command);
  if (isRejection(decided)) return decided;
  const moved = movedAlone(decided[0]);
  if (!moved) return null;
  const { operator, correlation, params } = caller;
  const counted = { player: params.wallet, ...moved };
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:${actorOf(caller)}:${key}`,
    request: requestOf(counted),
    meta: { correlation, actor: actorOf(caller) },
    async prepare() {
      const { config, version } = await readConfig(pool);
      const command = {
        type: 'UseAllowance',
        operator,
        ...counted,
        terms: config.adjust,
        nowMs,
      } as const;
      return { command, configVersion: version };
    },
  });
  if (executed.kind === 'refused') return executed.rejection;
  // Throws if the key counted a different action.
  settled(executed);
  return null;
}

function requestOf({ deltaMinor, ...what }: Pick<UseAllowance, 'player'> & Movement) {
  return { ...what, minor: deltaMinor.toString() };
}

/** The movement of an event that one operator decided alone; else null. */
function movedAlone(event: PlayerEvent | undefined): Movement | null {
  if (event?.type === 'BalanceAdjusted' && event.data.approvedBy === null) {
    return { asset: event.data.asset, deltaMinor: event.data.deltaMinor };
  }
  if (event?.type === 'BetVoided' && event.data.approvedBy === null) {
    return { asset: 'points', deltaMinor: event.data.stakeMinor, round: event.data.round };
  }
  return null;
}
