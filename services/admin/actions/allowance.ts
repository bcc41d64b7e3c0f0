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

type Moved = Pick<UseAllowance, 'asset' | 'deltaMinor' | 'round'>;

/** An act about to be decided, for a request under that key. */
interface Decision {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
  readonly nowMs: number;
}

/**
 * Counts what an operator is about to adjust or to give back alone, in the one stream of all operators: however many of
 * theirs run at once, for whichever players, the sum of a day stays within its bound. It is counted before it moves, under
 * the key of the request: a crash between the two leaves a count without a move, never the other way round.
 * @returns a refusal, or null where it is allowed or not to be counted.
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
  const what = { player: params.wallet, ...moved };
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:${actorOf(caller)}:${key}`,
    request: requestOf(what),
    meta: { correlation, actor: actorOf(caller) },
    async prepare() {
      const { config, version } = await readConfig(pool);
      const command = {
        type: 'UseAllowance',
        operator,
        ...what,
        terms: config.adjust,
        nowMs,
      } as const;
      return { command, configVersion: version };
    },
  });
  if (executed.kind === 'refused') return executed.rejection;
  // A count that was taken for another act is none for this one.
  settled(executed);
  return null;
}

function requestOf({ deltaMinor, ...what }: Pick<UseAllowance, 'player'> & Moved) {
  return { ...what, minor: deltaMinor.toString() };
}

/** What one operator alone moves by an event; null for any other. */
function movedAlone(event: PlayerEvent | undefined): Moved | null {
  if (event?.type === 'BalanceAdjusted' && event.data.approvedBy === null) {
    return { asset: event.data.asset, deltaMinor: event.data.deltaMinor };
  }
  if (event?.type === 'BetVoided' && event.data.approvedBy === null) {
    return { asset: 'points', deltaMinor: event.data.stakeMinor, round: event.data.round };
  }
  return null;
}
