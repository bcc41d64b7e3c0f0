import type { GameBetBody } from '@reelbook/contract/player/games';
import { type BetBody, type BetResult, DEFAULT_LINES } from '@reelbook/contract/player/slot';
import { choiceProblem, inOrder } from '@reelbook/games/choice';
import type { Game } from '@reelbook/games/game';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import type { GameConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toMinor } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { betAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { playTermsOf } from '../play-terms.ts';
import { optionalCommandKey } from './command-key.ts';
import { drawRound, limitsOf, type Play, refuseRound } from './draw-round.ts';

interface Bet extends Play {
  readonly key: string | undefined;
  /** What was asked for: the same key with something else is refused. */
  readonly request: object;
}

/** A spin: its answer is built from recorded events alone, so the same key gets the very same answer again. */
export async function placeSlotBet(
  gateway: Gateway,
  o: Caller & { readonly game: Game; readonly bet: BetBody; readonly key: string | undefined },
): Promise<{ data: BetResult; position: number }> {
  const { events, position, state } = await placeBet(gateway, { ...o, ...readBet(gateway, o) });
  const data = betAnswer(events, await gateway.commitments.of(events, state));
  assert(data, 'a bet that went through is two events');
  return { data, position };
}

/** What a bet asks for, in minor units. Throws `Refused` for an amount that no limits allow and a choice that the game does not have. */
export function readBet(
  gateway: Gateway,
  { game, bet }: { readonly game: Game; readonly bet: GameBetBody },
): Pick<Bet, 'stakeMinor' | 'lines' | 'choice' | 'request'> {
  const limits = limitsOf(gateway, game);
  const { bet_amount, lines = Math.min(DEFAULT_LINES, limits.maxLines) } = bet;
  const stakeMinor = readStake(bet_amount, limits);
  if (isRejection(stakeMinor)) throw new Refused(stakeMinor);
  const problem = choiceProblem(game, bet.choice);
  if (problem !== null) throw new Refused({ failed: 'bad-input', detail: { problem } });
  const choice = inOrder(game, bet.choice);
  const asked = { command: 'place-bet', game: game.id, bet_amount, lines };
  return { stakeMinor, lines, choice, request: choice ? { ...asked, choice } : asked };
}

/**
 * One round that settles at once: guards, then the active seed, then the draw, then the append. Nothing is refused after
 * the draw.
 */
export async function placeBet(
  gateway: Gateway,
  o: Caller & Bet,
): Promise<{
  events: readonly PlacedEvent<LedgerEvent>[];
  position: number;
  state: PlayerState | null;
}> {
  const actor = `player:${o.wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(o.wallet),
    idempotencyKey: optionalCommandKey(o.wallet, o.key),
    request: o.request,
    meta: { correlation: o.correlation, actor },
    async prepare(state) {
      const { config, version: configVersion } = gateway.config.current();
      const play = await playTermsOf(gateway, config, state);
      const refused = refuseRound(gateway, state, { ...o, play });
      if (refused) return refused;
      const { bet, drawn } = await drawRound(gateway, state, o);
      const { bigWinMultiple } = config;
      return {
        command: { type: 'PlaceBet' as const, ...bet, ...drawn, bigWinMultiple, play },
        configVersion,
      };
    },
  });
  return settled(executed);
}

/** A stake in minor units. Whole numbers too large for an amount are refused here, with the words of the limits. */
function readStake(amount: number, limits: GameConfig): bigint | Rejection {
  if (!Number.isInteger(amount)) return reject('bet-not-whole');
  const { minStakeMinor, maxStakeMinor } = limits;
  const tooLarge =
    amount > 0
      ? reject('bet-above-maximum', { maxStakeMinor })
      : reject('bet-below-minimum', { minStakeMinor });
  return toMinor('points', amount) ?? tooLarge;
}
