import { loginSentence } from '@reelbook/contract/login';
import type { configurationRoutes } from '@reelbook/contract/player/configuration';
import { type fairnessRoutes, SEALS_SHOWN } from '@reelbook/contract/player/fairness';
import type { ownDataRoutes } from '@reelbook/contract/player/own-data';
import type { profileRoutes } from '@reelbook/contract/player/profile';
import type { protectionRoutes } from '@reelbook/contract/player/protection';
import type { publicRoutes } from '@reelbook/contract/player/public';
import type { sessionRoutes } from '@reelbook/contract/player/session';
import type { slotRoutes } from '@reelbook/contract/player/slot';
import type { walletRoutes } from '@reelbook/contract/player/wallet';
import { SYMBOL_IDS, SYMBOL_NAMES } from '@reelbook/games/slot-machine/paytable';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { Refused } from '@reelbook/http/refused';
import { rateNumber } from '@reelbook/ledger/rate';
import { userAnswer } from './answers/player.ts';
import { statementAnswer } from './answers/statement.ts';
import { systemConfigAnswer } from './answers/wallet.ts';
import { chainAnswer, giveFromFaucet, readWalletBalance } from './chain.ts';
import { changeNickname } from './commands/change-nickname.ts';
import { deposit, depositIntent } from './commands/deposit.ts';
import { discardCommand } from './commands/discard-command.ts';
import { exchange } from './commands/exchange.ts';
import { placeSlotBet } from './commands/place-bet.ts';
import {
  acknowledgeRealityCheck,
  cancelLimitChange,
  excludeSelf,
  setLimit,
  setRealityCheck,
} from './commands/protect.ts';
import { readNotifications } from './commands/read-notifications.ts';
import { rotateSeeds } from './commands/rotate-seeds.ts';
import { startSession } from './commands/start-session.ts';
import { withdraw } from './commands/withdraw.ts';
import { openConfirmations } from './confirmations.ts';
import type { Gateway } from './context.ts';
import { gamesHandlers } from './game-handlers.ts';
import { readAchievementList } from './reads/achievements.ts';
import { readLeaders, readRecent } from './reads/boards.ts';
import { readCommandOutcome } from './reads/command-outcome.ts';
import { readGameConfigs } from './reads/game-configs.ts';
import { openHomeFigures } from './reads/home-figures.ts';
import { readNotificationPage } from './reads/notifications.ts';
import { readPairNonces } from './reads/pair-nonces.ts';
import { readPayment } from './reads/payment.ts';
import { readBalances, readPlayer } from './reads/player.ts';
import { readProtection } from './reads/protection.ts';
import {
  readEventProof,
  readLedgerSeals,
  readReceipt,
  receiptKeyAnswer,
} from './reads/receipts.ts';
import { readGameStats, readProvenRound, readRoundPage } from './reads/rounds.ts';
import { readSeeds } from './reads/seeds.ts';
import { readSessions } from './reads/sessions.ts';
import { readStatement } from './reads/statement.ts';
import { readTransactionPage } from './reads/transactions.ts';
import type { Handlers } from './request.ts';

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
      return { data: statementAnswer(await readStatement(gateway, { wallet, ...query })) };
    },
  } satisfies Handlers<typeof ownDataRoutes>;
}

function protectionHandlers(gateway: Gateway) {
  return {
    async protection({ wallet }) {
      return { data: await readProtection(gateway, wallet) };
    },
    setLimit: ({ wallet, correlation, body }) => setLimit(gateway, { wallet, correlation, body }),
    cancelLimitChange: ({ wallet, correlation, body }) =>
      cancelLimitChange(gateway, { wallet, correlation, body }),
    excludeSelf: ({ wallet, correlation, body }) =>
      excludeSelf(gateway, { wallet, correlation, body }),
    setRealityCheck: ({ wallet, correlation, body }) =>
      setRealityCheck(gateway, { wallet, correlation, body }),
    acknowledgeRealityCheck: ({ wallet, correlation }) =>
      acknowledgeRealityCheck(gateway, { wallet, correlation }),
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
    depositIntent: ({ wallet, correlation, body }) =>
      depositIntent(gateway, { wallet, correlation, body }),
    deposit: ({ wallet, correlation, body }) => deposit(gateway, { wallet, correlation, body }),
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
  return {
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
    async receiptKey() {
      return { data: receiptKeyAnswer(gateway) };
    },
    async ledgerSeals() {
      return { data: await readLedgerSeals(gateway, SEALS_SHOWN) };
    },
  } satisfies Handlers<typeof fairnessRoutes>;
}
