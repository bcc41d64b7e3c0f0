import type { OpenRoundAnswer, StartResult } from '@reelbook/contract/player/games';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import type { StartRound } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { openRoundOf } from '@reelbook/ledger/player/state';
import { reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { openRoundAnswer, startAnswer } from '../answers/rounds.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlacedRound, roundSeedFor } from '../reads/open-round.ts';
import { readPlayer } from '../reads/player.ts';
import { settleIfOver, type TimedGame } from './settle-round.ts';
import { limitsOf, openDraw, playTermsOf } from './stakes.ts';

/** Timed games have one line. */
const LINES = 1;

/**
 * Takes the fee and returns the seed of the round. An open round of the game whose ticks are over is settled first; any
 * other open round is a refusal.
 */
export async function startRound(
  gateway: Gateway,
  options: Caller & {
    readonly game: TimedGame;
    readonly key: string | undefined;
    /** As the player saw it, in points. */
    readonly fee: number | undefined;
  },
): Promise<{ data: StartResult; position: number }> {
  const { game, wallet, correlation } = options;
  const actor = `player:${wallet}`;
  await settleIfOver(gateway, { wallet, correlation, actor, game });
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, options.key),
    request: { command: 'start-round', game: game.id },
    meta: { correlation, actor },
    async prepare(state) {
      const { seeds } = state;
      if (!seeds) return reject('not-registered');
      const { pair, nonce, activeHash: serverSeedHash, clientSeed } = seeds;
      const { config, version: configVersion } = gateway.config.current();
      const limits = limitsOf(config, game);
      const { rules, minStakeMinor: stakeMinor } = limits;
      if (options.fee !== undefined && options.fee !== toNumber('points', stakeMinor)) {
        return reject('terms-changed');
      }
      const round = { rules, stakeMinor, lines: LINES, serverSeedHash, clientSeed, nonce };
      const draw = await openDraw(gateway, game, round);
      const command: StartRound = {
        type: 'StartRound',
        game: game.id,
        stakeMinor,
        lines: LINES,
        limits,
        rules,
        pair,
        nonce,
        draw: () => ({ ticks: game.timed.ticksOf(draw().outcome) }),
        tickMs: gateway.settings.gameTickMs,
        play: await playTermsOf(gateway, config, state),
      };
      return { command, configVersion };
    },
  });
  const { events, position, state } = settled(executed);
  const seeds = await gateway.commitments.of(events, state);
  const [placed] = events as readonly PlacedEvent<BetPlaced>[];
  assert(placed?.event.type === 'BetPlaced' && seeds, 'a started round is an event');
  const seed = await roundSeedFor(gateway, { ...placed.event.data, ...seeds });
  return { data: startAnswer(placed, { game, seed, seeds }), position };
}

/** The open round of a game, to resume it after a reload. */
export async function readOpenRound(
  gateway: Gateway,
  { wallet, game }: { readonly wallet: string; readonly game: TimedGame },
): Promise<OpenRoundAnswer> {
  const { state } = await readPlayer(gateway, wallet);
  const open = openRoundOf(state, game.id);
  if (!open) return { round: null };
  const placed = await readPlacedRound(gateway.pool, { wallet, round: open.round });
  const seed = await roundSeedFor(gateway, open);
  return { round: openRoundAnswer(open, placed, { game, seed }) };
}
