import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { readConfig } from '@reelbook/payments/desk';
import { type Admin, actorOf, type Caller } from '../context.ts';

/** An adjustment about to be decided, for a request under that key. */
interface Decision {
  readonly key: string;
  readonly state: PlayerState;
  readonly command: PlayerCommand;
  readonly nowMs: number;
}

/**
 * Counts what an operator is about to adjust alone, in the one stream of all operators: however many of theirs run at
 * once, for whichever players, the sum of a day stays within its bound. It is counted before it moves, under the key of
 * the request: a crash between the two leaves a count without a move, never the other way round.
 * @returns a refusal, or null where it is allowed or not to be counted.
 */
export async function countAllowance(
  { spine, pool }: Admin,
  caller: Caller & { readonly params: { readonly wallet: string } },
  { state, command, key, nowMs }: Decision,
): Promise<Rejection | null> {
  const decided = playerDecider.decide(state, command);
  if (isRejection(decided)) return decided;
  const [event] = decided;
  if (event?.type !== 'BalanceAdjusted' || event.data.approvedBy !== null) return null;
  const { asset, deltaMinor } = event.data;
  const { operator, correlation, params } = caller;
  const player = params.wallet;
  const what = { player, asset, deltaMinor };
  const executed = await spine.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    claim: `allowance:${actorOf(caller)}:${key}`,
    request: { player, asset, minor: deltaMinor.toString() },
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
  return executed.kind === 'refused' ? executed.rejection : null;
}
