/**
 * Every call of the player API. Plain data, so that the browser's client does not load the schemas.
 * `auth: 'player'` wants a bearer token. Paths stand under API_BASE.
 */
export const API_BASE = '/api/v1';
export const SOCKET_PATH = '/ws';
/** Where a gateway on the local chain passes JSON-RPC on to it. */
export const CHAIN_PATH = '/chain';

/** Header of a call that moves money; it makes a repeated call return the first answer. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Header of every answer to a command: where in the book it stands. */
export const POSITION_HEADER = 'X-Ledger-Position';

export interface Path {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly auth: 'public' | 'player';
}

export const paths = {
  login: { method: 'POST', path: '/auth/login', auth: 'public' },
  logout: { method: 'POST', path: '/auth/logout', auth: 'player' },
  profile: { method: 'GET', path: '/user/profile', auth: 'player' },
  changeProfile: { method: 'PUT', path: '/user/profile', auth: 'player' },
  refresh: { method: 'GET', path: '/user/refresh', auth: 'player' },
  balance: { method: 'GET', path: '/user/balance', auth: 'player' },
  achievements: { method: 'GET', path: '/user/achievements', auth: 'player' },
  walletBalance: { method: 'GET', path: '/user/wallet-balance', auth: 'player' },
  faucet: { method: 'POST', path: '/faucet', auth: 'player' },
  transactions: { method: 'GET', path: '/user/transactions', auth: 'player' },
  notifications: { method: 'GET', path: '/user/notifications', auth: 'player' },
  readNotification: { method: 'PUT', path: '/user/notifications/:id/read', auth: 'player' },
  readNotifications: { method: 'PUT', path: '/user/notifications/read-all', auth: 'player' },
  command: { method: 'GET', path: '/user/commands/:key', auth: 'player' },
  discardCommand: { method: 'POST', path: '/user/commands/:key/discard', auth: 'player' },
  protection: { method: 'GET', path: '/user/protection', auth: 'player' },
  setLimit: { method: 'PUT', path: '/user/protection/limits', auth: 'player' },
  cancelLimitChange: { method: 'POST', path: '/user/protection/limits/cancel', auth: 'player' },
  excludeSelf: { method: 'POST', path: '/user/protection/exclusion', auth: 'player' },
  setRealityCheck: { method: 'PUT', path: '/user/protection/reality-check', auth: 'player' },
  acknowledgeRealityCheck: {
    method: 'POST',
    path: '/user/protection/reality-check/acknowledge',
    auth: 'player',
  },
  exchange: { method: 'POST', path: '/transaction/exchange', auth: 'player' },
  depositIntent: { method: 'POST', path: '/transaction/deposit-intent', auth: 'player' },
  deposit: { method: 'POST', path: '/transaction/deposit', auth: 'player' },
  withdraw: { method: 'POST', path: '/transaction/withdraw', auth: 'player' },
  systemConfig: { method: 'GET', path: '/config/system', auth: 'public' },
  tokenConfig: { method: 'GET', path: '/config/token', auth: 'public' },
  exchangeRates: { method: 'GET', path: '/config/exchange-rates', auth: 'public' },
  projectWallet: { method: 'GET', path: '/config/project-wallet', auth: 'public' },
  tokenContract: { method: 'GET', path: '/config/token-contract', auth: 'public' },
  homeFigures: { method: 'GET', path: '/config/home', auth: 'public' },
  leaderboard: { method: 'GET', path: '/user/leaderboard/:board', auth: 'public' },
  slotBet: { method: 'POST', path: '/game/slot-machine/bet', auth: 'player' },
  slotHistory: { method: 'GET', path: '/game/slot-machine/history', auth: 'player' },
  slotStats: { method: 'GET', path: '/game/slot-machine/stats', auth: 'player' },
  slotSymbols: { method: 'GET', path: '/game/slot-machine/symbols', auth: 'public' },
  slotPaylines: { method: 'GET', path: '/game/slot-machine/paylines', auth: 'public' },
  gameBet: { method: 'POST', path: '/game/:game/bet', auth: 'player' },
  gameStart: { method: 'POST', path: '/game/:game/start', auth: 'player' },
  gameRound: { method: 'GET', path: '/game/:game/round', auth: 'player' },
  gamePlay: { method: 'POST', path: '/game/:game/play', auth: 'player' },
  gameHistory: { method: 'GET', path: '/game/:game/history', auth: 'player' },
  gameStats: { method: 'GET', path: '/game/:game/stats', auth: 'player' },
  gameConfigs: { method: 'GET', path: '/game/configs', auth: 'public' },
  recentWinnings: { method: 'GET', path: '/recent-winnings', auth: 'public' },
  seeds: { method: 'GET', path: '/fairness/seeds', auth: 'player' },
  rotateSeeds: { method: 'POST', path: '/fairness/rotate', auth: 'player' },
  event: { method: 'GET', path: '/user/events/:position', auth: 'player' },
  pairNonces: { method: 'GET', path: '/fairness/seeds/:pair/nonces', auth: 'player' },
  receipt: { method: 'GET', path: '/fairness/rounds/:round_id/receipt', auth: 'player' },
  receiptKey: { method: 'GET', path: '/fairness/key', auth: 'public' },
  ledgerSeals: { method: 'GET', path: '/fairness/seals', auth: 'public' },
  round: { method: 'GET', path: '/fairness/rounds/:round_id', auth: 'player' },
} as const satisfies Record<string, Path>;

export type RouteName = keyof typeof paths;
