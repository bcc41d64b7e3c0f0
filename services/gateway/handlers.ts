import { loginSentence } from '@reelbook/contract/login';
import { type fairnessRoutes, SEALS_SHOWN } from '@reelbook/contract/player/fairness';
import type { gamesRoutes, slotRoutes } from '@reelbook/contract/player/games';
import type { ownDataRoutes } from '@reelbook/contract/player/own-data';
import type { profileRoutes, sessionRoutes } from '@reelbook/contract/player/profile';
import type { protectionRoutes } from '@reelbook/contract/player/protection';
import type { configurationRoutes, publicRoutes } from '@reelbook/contract/player/public';
import type { walletRoutes } from '@reelbook/contract/player/wallet';
import { ALL_GAMES } from '@reelbook/contract/route';
import { choiceProblem, inOrder } from '@reelbook/games/choice';
import type { Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { SYMBOL_IDS, SYMBOL_NAMES } from '@reelbook/games/slot-machine/paytable';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { Refused } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import { isGameOpen } from '@reelbook/ledger/config/config';
import { rateNumber } from '@reelbook/ledger/money';
import type { Choice } from '@reelbook/ledger/player/events';
import { gameAnswer } from './answers/rounds.ts';
import { systemConfigAnswer } from './answers/wallet.ts';
import { chainAnswer, giveFromFaucet, readWalletBalance } from './chain.ts';
import {
  acknowledgeRealityCheck,
  cancelLimitChange,
  changeNickname,
  discardCommand,
  excludeSelf,
  readNotifications,
  rotateSeeds,
  setLimit,
  setRealityCheck,
} from './commands/player.ts';
import {
  isTimed,
  placeBet,
  placeSlotBet,
  playRound,
  readBet,
  readOpenRound,
  startRound,
  type TimedGame,
} from './commands/rounds.ts';
import { startSession } from './commands/start-session.ts';
import { deposit, depositIntent, exchange, withdraw } from './commands/wallet.ts';
import type { Gateway, Handlers } from './context.ts';
import {
  readAchievementList,
  readNotificationPage,
  readProtection,
  readSessions,
} from './reads/account.ts';
import { openHomeFigures, readLeaders, readRecent } from './reads/boards.ts';
import { readCommandOutcome } from './reads/command-outcome.ts';
import { openLatestEntries } from './reads/latest-entries.ts';
import { openConfirmations, readPayment } from './reads/payment.ts';
import { readBalances, readPlayer, readUser, readUserOrNew } from './reads/player.ts';
import {
  readEventProof,
  readLedgerSeals,
  readPairNonces,
  readReceipt,
  readSeeds,
  readSharedRound,
  receiptKeyAnswer,
} from './reads/receipts.ts';
import { readGameConfigs, readGameStats, readProvenRound, readRoundPage } from './reads/rounds.ts';
import { readStatement } from './reads/statement.ts';
import { readTransactionPage } from './reads/transactions.ts';

/** The handler of a call whose result is the data of the response. */
const answers =
  <Asked, Data>(read: (request: Asked) => Data | Promise<Data>) =>
  async (request: Asked) => ({ data: await read(request) });

/** Handlers of the calls that every game has. */
function gamesHandlers(gateway: Gateway) {
  return {
    async gameBet({ wallet, correlation, params, body, idempotencyKey: key }) {
      const game = gameOf(gateway, params.game);
      if (isTimed(game)) throw new Refused(notFound(`${game.id} is played with start and play`));
      const read = readBet(gateway, { game, bet: body });
      const choice = readChoice(game, body.choice);
      const request = choice ? { ...read.request, choice } : read.request;
      const bet = { ...read, game, key, choice, request };
      const placed = await placeBet(gateway, { wallet, correlation, ...bet });
      const data = gameAnswer(placed.events, game);
      assert(data, 'an executed bet has a result');
      return { data, position: placed.position };
    },
    async gameStart({ wallet, correlation, params, body, idempotencyKey: key }) {
      const [game, fee] = [timedOf(gateway, params.game), body?.bet_amount];
      return startRound(gateway, { wallet, correlation, game, key, fee });
    },
    gameRound: answers(({ wallet, params }) =>
      readOpenRound(gateway, { wallet, game: timedOf(gateway, params.game) }),
    ),
    gamePlay: async ({ wallet, correlation, params, body, idempotencyKey: key }) =>
      playRound(gateway, { wallet, correlation, game: timedOf(gateway, params.game), body, key }),
    async gameHistory({
      wallet,
      params,
      query: { page = 1, page_size: pageSize = 10, ...filter },
    }) {
      const game = gameOrAll(gateway, params.game);
      const list = { wallet, game, page, pageSize, ...filter };
      return { data: await readRoundPage(gateway, list) };
    },
    gameStats: answers(({ wallet, params }) =>
      readGameStats(gateway, { wallet, game: gameOrAll(gateway, params.game) }),
    ),
  } satisfies Handlers<typeof gamesRoutes>;
}

const gameOrAll = (gateway: Gateway, id: string) =>
  id === ALL_GAMES ? null : gameOf(gateway, id).id;

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

/** Handlers of all routes, by name in the contract; one function per topic. */
export function handlersOf(gateway: Gateway): Handlers {
  return {
    ...sessionHandlers(gateway),
    ...profileHandlers(gateway),
    ...ownDataHandlers(gateway),
    ...protectionHandlers(gateway),
    ...walletHandlers(gateway),
    ...configurationHandlers(gateway),
    ...publicHandlers(gateway),
    ...slotHandlers(gateway),
    ...fairnessHandlers(gateway),
    ...gamesHandlers(gateway),
  };
}

function sessionHandlers(gateway: Gateway) {
  return {
    login: ({ body, correlation, address }) =>
      gateway.logins.run({ address, wallet: body.wallet_address }, () =>
        startSession(gateway, { body, correlation, address, nowMs: Date.now() }),
      ),
    async logout({ token }) {
      await gateway.sessions.revoke(token);
      return { data: {} };
    },
    async logoutAll({ wallet }) {
      await gateway.sessions.revokeAll(wallet);
      return { data: {} };
    },
    sessions: answers(({ session }) => readSessions(gateway, session)),
    async endSession({ session, params }) {
      await gateway.sessions.revokeOne(session.wallet, params.id);
      return { data: await readSessions(gateway, session) };
    },
    async refresh({ token, wallet }) {
      const [fresh, { state }] = await Promise.all([
        gateway.sessions.refresh(token),
        readPlayer(gateway, wallet),
      ]);
      if (!fresh) throw new Refused({ failed: 'session-dead' });
      const user = await readUserOrNew(gateway, state);
      return { data: { token: fresh.token, expires_at: fresh.expiresAt, user } };
    },
  } satisfies Handlers<typeof sessionRoutes>;
}

function profileHandlers(gateway: Gateway) {
  return {
    profile: answers(async ({ wallet }) =>
      readUser(gateway, (await readPlayer(gateway, wallet)).state),
    ),
    changeProfile: ({ wallet, correlation, body }) =>
      changeNickname(gateway, { wallet, correlation, nickname: body.nickname }),
    balance: answers(({ wallet }) => readBalances(gateway, wallet)),
    achievements: answers(({ wallet }) => readAchievementList(gateway, wallet)),
    transactions: answers(({ wallet, query: { page = 1, page_size: pageSize = 20, ...filter } }) =>
      readTransactionPage(gateway, { wallet, page, pageSize, ...filter }),
    ),
    notifications: answers(({ wallet, query: { page = 1, page_size: pageSize = 20 } }) =>
      readNotificationPage(gateway, { wallet, page, pageSize }),
    ),
    readNotification: ({ wallet, correlation, params }) =>
      readNotifications(gateway, { wallet, correlation, position: Number(params.id) }),
    readNotifications: ({ wallet, correlation }) =>
      readNotifications(gateway, { wallet, correlation, position: 'all' }),
    command: answers(({ wallet, params }) =>
      readCommandOutcome(gateway, { wallet, key: params.key }),
    ),
    discardCommand: ({ wallet, correlation, params }) =>
      discardCommand(gateway, { wallet, correlation, key: params.key }),
  } satisfies Handlers<typeof profileRoutes>;
}

function ownDataHandlers(gateway: Gateway) {
  return {
    statement: answers(({ wallet, query }) => readStatement(gateway, { wallet, ...query })),
  } satisfies Handlers<typeof ownDataRoutes>;
}

function protectionHandlers(gateway: Gateway) {
  return {
    protection: answers(({ wallet }) => readProtection(gateway, wallet)),
    setLimit: (request) => setLimit(gateway, request),
    cancelLimitChange: (request) => cancelLimitChange(gateway, request),
    excludeSelf: (request) => excludeSelf(gateway, request),
    setRealityCheck: (request) => setRealityCheck(gateway, request),
    acknowledgeRealityCheck: (request) => acknowledgeRealityCheck(gateway, request),
  } satisfies Handlers<typeof protectionRoutes>;
}

function walletHandlers(gateway: Gateway) {
  const confirmations = openConfirmations(gateway);
  return {
    payment: answers(({ wallet, params: { id } }) =>
      readPayment(gateway, confirmations, { wallet, id }),
    ),
    exchange: ({ wallet, correlation, body, idempotencyKey: key }) =>
      exchange(gateway, { wallet, correlation, body, key }),
    depositIntent: (request) => depositIntent(gateway, request),
    deposit: (request) => deposit(gateway, request),
    withdraw: ({ wallet, correlation, body, idempotencyKey: key }) =>
      withdraw(gateway, { wallet, correlation, body, key, nowMs: Date.now() }),
    walletBalance: answers(({ wallet, query: { wallet_address: requested } }) =>
      readWalletBalance(gateway, { wallet, requested }),
    ),
    faucet: answers(({ wallet }) => giveFromFaucet(gateway, wallet)),
  } satisfies Handlers<typeof walletRoutes>;
}

function configurationHandlers(gateway: Gateway) {
  const config = () => gateway.config.current().config;
  const homeFigures = openHomeFigures(gateway.pool, gateway.settings.homeFigures);
  return {
    async systemConfig() {
      const origin = gateway.origin.read();
      const login = { origin, login_sentence: loginSentence(origin) };
      return { data: { ...systemConfigAnswer(config()), ...chainAnswer(gateway), ...login } };
    },
    async tokenConfig() {
      const { decimals, contract } = config().token;
      return { data: { token_decimals: decimals, token_contract: contract } };
    },
    async exchangeRates() {
      const { pointsToToken, tokenToPoints } = config().exchange;
      const exchange_rates = {
        points_to_tokens: rateNumber(pointsToToken),
        tokens_to_points: rateNumber(tokenToPoints),
      };
      return { data: { exchange_rates } };
    },
    projectWallet: answers(() => ({ project_wallet: config().token.projectWallet })),
    tokenContract: answers(() => ({ token_contract: config().token.contract })),
    homeFigures: answers(async () => ({
      ...(await homeFigures()),
      slot_machine_enabled: isGameOpen(config(), 'slot-machine'),
    })),
  } satisfies Handlers<typeof configurationRoutes>;
}

function publicHandlers(gateway: Gateway) {
  const latestEntries = openLatestEntries(gateway.pool);
  return {
    latestEntries: answers(() => latestEntries(null)),
    latestAndOwnEntries: answers(({ wallet }) => latestEntries(wallet)),
    leaderboard: answers(({ params }) => readLeaders(gateway, params.board)),
    gameConfigs: answers(() => readGameConfigs(gateway)),
    recentWinnings: answers(({ query: { limit = 10 } }) => readRecent(gateway, limit)),
  } satisfies Handlers<typeof publicRoutes>;
}

function slotHandlers(gateway: Gateway) {
  return {
    slotBet: ({ wallet, correlation, body: bet, idempotencyKey: key }) =>
      placeSlotBet(gateway, { wallet, correlation, game: slotMachine, bet, key }),
    slotHistory: answers(({ wallet, query: { page = 1, page_size: pageSize = 10, ...filter } }) =>
      readRoundPage(gateway, { wallet, game: slotMachine.id, page, pageSize, ...filter }),
    ),
    slotStats: answers(({ wallet }) => readGameStats(gateway, { wallet, game: slotMachine.id })),
    slotSymbols: answers(() => SYMBOL_IDS.map((id) => ({ id, name: SYMBOL_NAMES[id] }))),
    slotPaylines: answers(() => ({
      lines_played: 1,
      lines_accepted: gateway.config.current().config.games[slotMachine.id]?.maxLines ?? 1,
      note: 'One line is played, regardless of the number of lines in a bet; the bet covers the entire spin.',
    })),
  } satisfies Handlers<typeof slotRoutes>;
}

function fairnessHandlers(gateway: Gateway) {
  return {
    seeds: answers(({ wallet }) => readSeeds(gateway, wallet)),
    rotateSeeds: ({ wallet, correlation, body }) =>
      rotateSeeds(gateway, { wallet, correlation, clientSeed: body.client_seed }),
    pairNonces: answers(({ wallet, params, query: { page = 1, page_size: pageSize = 50 } }) =>
      readPairNonces(gateway, { wallet, pair: Number(params.pair), page, pageSize }),
    ),
    round: answers(({ wallet, params }) =>
      readProvenRound(gateway, { wallet, round: params.round_id }),
    ),
    event: answers(({ wallet, params }) =>
      readEventProof(gateway, { wallet, position: Number(params.position) }),
    ),
    receipt: answers(({ wallet, params }) =>
      readReceipt(gateway, { wallet, round: params.round_id, nowMs: Date.now() }),
    ),
    sharedRound: answers(({ wallet, params }) =>
      readSharedRound(gateway, { wallet, round: params.round_id, nowMs: Date.now() }),
    ),
    receiptKey: answers(() => receiptKeyAnswer(gateway)),
    ledgerSeals: answers(() => readLedgerSeals(gateway, SEALS_SHOWN)),
  } satisfies Handlers<typeof fairnessRoutes>;
}
