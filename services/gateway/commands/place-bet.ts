import { randomUUID } from 'node:crypto';
import { type BetBody, type BetResult, DEFAULT_LINES } from '@reelbook/contract/schemas/slot';
import { createDraws } from '@reelbook/fairness/draw';
import type { Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import type { GameConfig } from '@reelbook/ledger/config/config';
import { toMinor } from '@reelbook/ledger/money';
import { playerDecider, refuseBet } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { betAnswer } from '../answers.ts';
import { type Caller, type Gateway, Refused } from '../context.ts';
import { playTermsOf } from '../play-terms.ts';
import { settled } from './settled.ts';

/**
 * One bet: guards, then the active seed, then the draw, then the append. Nothing is refused after the draw. The
 * answer is built from the recorded events alone, so the same key gets the very same answer again.
 */
export async function placeBet(
  gateway: Gateway,
  o: Caller & { readonly game: Game; readonly bet: BetBody; readonly key: string | undefined },
): Promise<{ data: BetResult; position: number }> {
  const { wallet, game } = o;
  const { bet_amount, lines = DEFAULT_LINES } = o.bet;
  const stakeMinor = readStake(bet_amount, limitsOf(gateway, game));
  if (isRejection(stakeMinor)) throw new Refused(stakeMinor);
  const actor = `player:${wallet}`;
  const executed = await gateway.spine.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    claim: `command:${actor}:${o.key ?? randomUUID()}`,
    request: { command: 'place-bet', game: game.id, bet_amount, lines },
    meta: { correlation: o.correlation, actor },
    prepare: (state) => prepare(gateway, state, { game, stakeMinor, lines }),
  });
  const { events, position } = settled(executed);
  const data = betAnswer(events);
  assert(data, 'a bet that went through is two events');
  return { data, position };
}

async function prepare(
  gateway: Gateway,
  state: PlayerState,
  bet: { readonly game: Game; readonly stakeMinor: bigint; readonly lines: number },
) {
  const { game, stakeMinor, lines } = bet;
  const { config, version: configVersion } = gateway.config.current();
  const limits = limitsOf(gateway, game);
  const play = await playTermsOf(gateway, config, state);
  const refused = limits.enabled
    ? refuseBet(state, { stakeMinor, lines, limits, play })
    : reject('game-switched-off');
  if (refused) return refused;
  assert(state.seeds, 'a registered player has seeds');
  const { activeHash: serverSeedHash, clientSeed, nonce } = state.seeds;
  const serverSeed = await gateway.vault.open(serverSeedHash);
  const { rules } = limits;
  const draws = createDraws({ serverSeed, clientSeed, nonce });
  const { outcome, payoutMinor } = game.draw({ rules, stakeMinor, lines, draws });
  return {
    command: {
      type: 'PlaceBet' as const,
      game: game.id,
      stakeMinor,
      lines,
      limits,
      rules,
      serverSeedHash,
      clientSeed,
      nonce,
      outcome,
      payoutMinor,
      bigWinMultiple: config.bigWinMultiple,
      play,
    },
    configVersion,
  };
}

function limitsOf(gateway: Gateway, game: Game): GameConfig {
  const limits = gateway.config.current().config.games[game.id];
  assert(limits, `${game.id} is configured`);
  return limits;
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
