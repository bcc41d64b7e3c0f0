import { type BetBody, type BetResult, DEFAULT_LINES } from '@reelbook/contract/player/slot';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import type { Game } from '@reelbook/games/game';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import type { GameConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toMinor } from '@reelbook/ledger/money';
import type { PlaceBet } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { Choice } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { betAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { limitsOf, openDraw, playTermsOf } from './stakes.ts';

interface Bet {
  readonly game: Game;
  readonly stakeMinor: bigint;
  readonly lines: number;
  /** Of a game that has one: it was checked by `choiceProblem`. */
  readonly choice?: Choice | undefined;
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

/** What a bet asks for, in minor units. Throws `Refused` for an amount that they cannot hold. */
export function readBet(
  gateway: Gateway,
  { game, bet }: { readonly game: Game; readonly bet: BetBody },
): Pick<Bet, 'stakeMinor' | 'lines' | 'request'> {
  const limits = limitsOf(gateway.config.current().config, game);
  const { bet_amount, lines = Math.min(DEFAULT_LINES, limits.maxLines) } = bet;
  const request = { command: 'place-bet', game: game.id, bet_amount, lines };
  return { stakeMinor: readStake(bet_amount, limits), lines, request };
}

/** One round that settles at once. The guards are the decider's; it draws after them, so nothing is refused after a draw. */
export async function placeBet(
  gateway: Gateway,
  { wallet, correlation, game, stakeMinor, lines, choice, key, request }: Caller & Bet,
): Promise<{
  events: readonly PlacedEvent<LedgerEvent>[];
  position: number;
  state: PlayerState | null;
}> {
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, key),
    request,
    meta: { correlation, actor: `player:${wallet}` },
    async prepare(state) {
      const { seeds } = state;
      if (!seeds) return reject('not-registered');
      const { pair, nonce, activeHash: serverSeedHash, clientSeed } = seeds;
      const { config, version: configVersion } = gateway.config.current();
      const limits = limitsOf(config, game);
      const { rules } = limits;
      const round = { rules, stakeMinor, lines, choice, serverSeedHash, clientSeed, nonce };
      const command: PlaceBet = {
        type: 'PlaceBet',
        game: game.id,
        stakeMinor,
        lines,
        choice,
        limits,
        rules,
        pair,
        nonce,
        draw: await openDraw(gateway, game, round),
        bigWinMultiple: config.bigWinMultiple,
        play: await playTermsOf(gateway, config, state),
      };
      return { command, configVersion };
    },
  });
  return settled(executed);
}

/** A stake in minor units. A number that they cannot hold is beyond any limit, and is refused in the words of the limits. */
function readStake(amount: number, { minStakeMinor, maxStakeMinor }: GameConfig): bigint {
  const stakeMinor = toMinor('points', amount);
  if (stakeMinor !== null) return stakeMinor;
  if (!Number.isInteger(amount)) throw new Refused(reject('bet-not-whole'));
  throw new Refused(
    amount > 0
      ? reject('bet-above-maximum', { maxStakeMinor })
      : reject('bet-below-minimum', { minStakeMinor }),
  );
}
