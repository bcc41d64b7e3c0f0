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
  /** Validated by `choiceProblem`; only for games with a choice. */
  readonly choice?: Choice | undefined;
  readonly key: string | undefined;
  /** The request: a different one with the same key is refused. */
  readonly request: object;
}

/** Plays a spin. The response is built only from recorded events, so that the same key returns the same response. */
export async function placeSlotBet(
  gateway: Gateway,
  options: Caller & {
    readonly game: Game;
    readonly bet: BetBody;
    readonly key: string | undefined;
  },
): Promise<{ data: BetResult; position: number }> {
  const { events, position, state } = await placeBet(gateway, {
    ...options,
    ...readBet(gateway, options),
  });
  const data = betAnswer(events, await gateway.commitments.of(events, state));
  assert(data, 'an executed bet is two events');
  return { data, position };
}

/** Parses a bet. Throws `Refused` for a stake that minor units cannot represent. */
export function readBet(
  gateway: Gateway,
  { game, bet }: { readonly game: Game; readonly bet: BetBody },
): Pick<Bet, 'stakeMinor' | 'lines' | 'request'> {
  const limits = limitsOf(gateway.config.current().config, game);
  const { bet_amount, lines = Math.min(DEFAULT_LINES, limits.maxLines) } = bet;
  const request = { command: 'place-bet', game: game.id, bet_amount, lines };
  return { stakeMinor: readStake(bet_amount, limits), lines, request };
}

/** Plays a round that settles immediately. The decider draws after its checks, so that nothing is refused after a draw. */
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
        bigWinMinMinor: config.bigWinMinMinor,
        play: await playTermsOf(gateway, config, state),
      };
      return { command, configVersion };
    },
  });
  return settled(executed);
}

/** A stake in minor units. A number that they cannot represent exceeds every limit and is refused as such. */
function readStake(amount: number, { minStakeMinor, maxStakeMinor }: GameConfig): bigint {
  const stakeMinor = toMinor('points', amount);
  if (stakeMinor !== null) return stakeMinor;
  if (!Number.isInteger(amount)) throw new Refused(reject('bet-not-integer'));
  throw new Refused(
    amount > 0
      ? reject('bet-above-maximum', { maxStakeMinor })
      : reject('bet-below-minimum', { minStakeMinor }),
  );
}
