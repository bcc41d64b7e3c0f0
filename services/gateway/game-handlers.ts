import { ALL_GAMES } from '@reelbook/contract/paths';
import type { gamesRoutes } from '@reelbook/contract/player/games';
import { choiceProblem, inOrder } from '@reelbook/games/choice';
import type { Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import type { Choice } from '@reelbook/ledger/player/events';
import { gameAnswer } from './answers/rounds.ts';
import { placeBet, readBet } from './commands/place-bet.ts';
import { playRound } from './commands/play-round.ts';
import { isTimed, type TimedGame } from './commands/settle-round.ts';
import { readOpenRound, startRound } from './commands/start-round.ts';
import type { Gateway } from './context.ts';
import { readGameStats, readRoundPage } from './reads/rounds.ts';
import type { Handlers } from './request.ts';

/** Handlers of the calls that every game has. */
export function gamesHandlers(gateway: Gateway) {
  return {
    async gameBet({ wallet, correlation, params, body: bet, idempotencyKey: key }) {
      const game = gameOf(gateway, params.game);
      if (isTimed(game)) throw new Refused(notFound(`${game.id} is played with start and play`));
      const read = readBet(gateway, { game, bet });
      const choice = readChoice(game, bet.choice);
      const request = choice ? { ...read.request, choice } : read.request;
      const placed = await placeBet(gateway, {
        ...{ wallet, correlation, game, key, choice, request },
        stakeMinor: read.stakeMinor,
        lines: read.lines,
      });
      const data = gameAnswer(placed.events, game);
      assert(data, 'an executed bet has a result');
      return { data, position: placed.position };
    },
    async gameStart({ wallet, correlation, params, body, idempotencyKey: key }) {
      const [game, fee] = [timedOf(gateway, params.game), body?.bet_amount];
      return startRound(gateway, { wallet, correlation, game, key, fee });
    },
    async gameRound({ wallet, params }) {
      const game = timedOf(gateway, params.game);
      return { data: await readOpenRound(gateway, { wallet, game }) };
    },
    gamePlay: async ({ wallet, correlation, params, body, idempotencyKey: key }) =>
      playRound(gateway, { wallet, correlation, game: timedOf(gateway, params.game), body, key }),
    async gameHistory({
      wallet,
      params,
      query: { page = 1, page_size: pageSize = 10, ...filter },
    }) {
      const game = params.game === ALL_GAMES ? null : gameOf(gateway, params.game).id;
      const list = { wallet, game, page, pageSize, ...filter };
      return { data: await readRoundPage(gateway, list) };
    },
    async gameStats({ wallet, params }) {
      const { id: game } = gameOf(gateway, params.game);
      return { data: await readGameStats(gateway, { wallet, game }) };
    },
  } satisfies Handlers<typeof gamesRoutes>;
}

function gameOf({ games }: Gateway, id: string): Game {
  const game = findGame(id, games);
  if (!game) throw new Refused(notFound('there is no such game'));
  return game;
}

function timedOf(gateway: Gateway, id: string): TimedGame {
  const game = gameOf(gateway, id);
  if (!isTimed(game)) throw new Refused(notFound(`${id} is played with bet`));
  return game;
}

/** Throws `Refused` for an invalid choice. */
function readChoice(game: Game, choice: Choice | undefined): Choice | undefined {
  const problem = choiceProblem(game, choice);
  if (problem !== null) throw new Refused({ failed: 'bad-input', detail: { problem } });
  return inOrder(game, choice);
}

const notFound = (what: string) => ({ failed: 'not-found' as const, detail: { what } });
