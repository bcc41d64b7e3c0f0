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
import { rateNumber } from '@reelbook/ledger/money';
import type { Choice } from '@reelbook/ledger/player/events';
import { userAnswer } from './answers/player.ts';
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
import { readBalances, readPlayer } from './reads/player.ts';
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
    async sessions({ session }) {
      return { data: await readSessions(gateway, session) };
    },
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
      const { expiresAt } = fresh;
      return { data: { token: fresh.token, expires_at: expiresAt, user: userAnswer(state) } };
    },
  } satisfies Handlers<typeof sessionRoutes>;
}

function profileHandlers(gateway: Gateway) {
  return {
    async profile({ wallet }) {
      return { data: userAnswer((await readPlayer(gateway, wallet)).state) };
    },
    changeProfile: ({ wallet, correlation, body }) =>
      changeNickname(gateway, { wallet, correlation, nickname: body.nickname }),
    async balance({ wallet }) {
      return { data: await readBalances(gateway, wallet) };
    },
    async achievements({ wallet }) {
      return { data: await readAchievementList(gateway, wallet) };
    },
    async transactions({ wallet, query: { page = 1, page_size: pageSize = 20, ...filter } }) {
      return { data: await readTransactionPage(gateway, { wallet, page, pageSize, ...filter }) };
    },
    async notifications({ wallet, query: { page = 1, page_size: pageSize = 20 } }) {
      return { data: await readNotificationPage(gateway, { wallet, page, pageSize }) };
    },
    readNotification: ({ wallet, correlation, params }) =>
      readNotifications(gateway, { wallet, correlation, position: Number(params.id) }),
    readNotifications: ({ wallet, correlation }) =>
      readNotifications(gateway, { wallet, correlation, position: 'all' }),
    async command({ wallet, params }) {
      return { data: await readCommandOutcome(gateway, { wallet, key: params.key }) };
    },
    discardCommand: ({ wallet, correlation, params }) =>
      discardCommand(gateway, { wallet, correlation, key: params.key }),
  } satisfies Handlers<typeof profileRoutes>;
}

function ownDataHandlers(gateway: Gateway) {
  return {
    async statement({ wallet, query }) {
      return { data: await readStatement(gateway, { wallet, ...query }) };
    },
  } satisfies Handlers<typeof ownDataRoutes>;
}

function protectionHandlers(gateway: Gateway) {
  return {
    async protection({ wallet }) {
      return { data: await readProtection(gateway, wallet) };
    },
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
    async payment({ wallet, params: { id } }) {
      return { data: await readPayment(gateway, confirmations, { wallet, id }) };
    },
    exchange: ({ wallet, correlation, body, idempotencyKey: key }) =>
      exchange(gateway, { wallet, correlation, body, key }),
    depositIntent: (request) => depositIntent(gateway, request),
    deposit: (request) => deposit(gateway, request),
    withdraw: ({ wallet, correlation, body, idempotencyKey: key }) =>
      withdraw(gateway, { wallet, correlation, body, key, nowMs: Date.now() }),
    async walletBalance({ wallet, query: { wallet_address: requested } }) {
      return { data: await readWalletBalance(gateway, { wallet, requested }) };
    },
    async faucet({ wallet }) {
      return { data: await giveFromFaucet(gateway, wallet) };
    },
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
    async projectWallet() {
      return { data: { project_wallet: config().token.projectWallet } };
    },
    async tokenContract() {
      return { data: { token_contract: config().token.contract } };
    },
    async homeFigures() {
      return { data: await homeFigures() };
    },
  } satisfies Handlers<typeof configurationRoutes>;
}

function publicHandlers(gateway: Gateway) {
  const latestEntries = openLatestEntries(gateway.pool);
  return {
    async latestEntries() {
      return { data: await latestEntries(null) };
    },
    async latestAndOwnEntries({ wallet }) {
      return { data: await latestEntries(wallet) };
    },
    async leaderboard({ params }) {
      return { data: await readLeaders(gateway, params.board) };
    },
    async gameConfigs() {
      return { data: readGameConfigs(gateway) };
    },
    async recentWinnings({ query: { limit = 10 } }) {
      return { data: await readRecent(gateway, limit) };
    },
  } satisfies Handlers<typeof publicRoutes>;
}

function slotHandlers(gateway: Gateway) {
  return {
    slotBet: ({ wallet, correlation, body: bet, idempotencyKey: key }) =>
      placeSlotBet(gateway, { wallet, correlation, game: slotMachine, bet, key }),
    async slotHistory({ wallet, query: { page = 1, page_size: pageSize = 10, ...filter } }) {
      const list = { wallet, game: slotMachine.id, page, pageSize, ...filter };
      return { data: await readRoundPage(gateway, list) };
    },
    async slotStats({ wallet }) {
      return { data: await readGameStats(gateway, { wallet, game: slotMachine.id }) };
    },
    async slotSymbols() {
      return { data: SYMBOL_IDS.map((id) => ({ id, name: SYMBOL_NAMES[id] })) };
    },
    async slotPaylines() {
      const { maxLines } = gateway.config.current().config.games[slotMachine.id] ?? {};
      return {
        data: {
          lines_played: 1,
          lines_accepted: maxLines ?? 1,
          note: 'One line is played, regardless of the number of lines in a bet; the bet covers the entire spin.',
        },
      };
    },
  } satisfies Handlers<typeof slotRoutes>;
}

function fairnessHandlers(gateway: Gateway) {
  return {
    async seeds({ wallet }) {
      return { data: await readSeeds(gateway, wallet) };
    },
    rotateSeeds: ({ wallet, correlation, body }) =>
      rotateSeeds(gateway, { wallet, correlation, clientSeed: body.client_seed }),
    async pairNonces({ wallet, params, query: { page = 1, page_size: pageSize = 50 } }) {
      const pair = Number(params.pair);
      return { data: await readPairNonces(gateway, { wallet, pair, page, pageSize }) };
    },
    async round({ wallet, params }) {
      return { data: await readProvenRound(gateway, { wallet, round: params.round_id }) };
    },
    async event({ wallet, params }) {
      return { data: await readEventProof(gateway, { wallet, position: Number(params.position) }) };
    },
    async receipt({ wallet, params }) {
      const query = { wallet, round: params.round_id, nowMs: Date.now() };
      return { data: await readReceipt(gateway, query) };
    },
    async sharedRound({ wallet, params }) {
      const query = { wallet, round: params.round_id, nowMs: Date.now() };
      return { data: await readSharedRound(gateway, query) };
    },
    async receiptKey() {
      return { data: await receiptKeyAnswer(gateway) };
    },
    async ledgerSeals() {
      return { data: await readLedgerSeals(gateway, SEALS_SHOWN) };
    },
  } satisfies Handlers<typeof fairnessRoutes>;
}
