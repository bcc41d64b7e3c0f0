import { paths } from './paths.ts';
import { KeyHeaders, pageOf, pageQuery } from './schemas/common.ts';
import {
  GameBetBody,
  GameParams,
  GameResult,
  OpenRoundAnswer,
  PlayBody,
  StartResult,
} from './schemas/games.ts';
import { Round, SlotStats } from './schemas/slot.ts';

/** What every game has, under its own name. */
export const gameRoutes = {
  gameBet: {
    ...paths.gameBet,
    summary: 'Play one round of a game that settles at once',
    tag: 'games',
    params: GameParams,
    headers: KeyHeaders,
    body: GameBetBody,
    data: GameResult,
  },
  gameStart: {
    ...paths.gameStart,
    summary: 'Begin a round of a game that lasts: takes the fee, tells the seed of the round',
    tag: 'games',
    params: GameParams,
    headers: KeyHeaders,
    data: StartResult,
  },
  gameRound: {
    ...paths.gameRound,
    summary: 'The open round, to go on with it',
    tag: 'games',
    params: GameParams,
    data: OpenRoundAnswer,
  },
  gamePlay: {
    ...paths.gamePlay,
    summary: 'End the open round with its figures; without one, a round is drawn and paid at once',
    tag: 'games',
    params: GameParams,
    headers: KeyHeaders,
    body: PlayBody,
    data: GameResult,
  },
  gameHistory: {
    ...paths.gameHistory,
    summary: "The player's rounds of one game, newest first",
    tag: 'games',
    params: GameParams,
    query: pageQuery(10),
    data: pageOf(Round),
  },
  gameStats: {
    ...paths.gameStats,
    summary: "The player's figures in one game",
    tag: 'games',
    params: GameParams,
    data: SlotStats,
  },
} as const;
