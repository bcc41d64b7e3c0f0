import type { RouteName } from './paths.ts';

/** Answered whatever comes: who calls these reads the answer with words of its own for one that is none. */
type Unchecked = 'login' | 'exchange';

const PAGE = 'items[] page# page_size# total#';
const PLACE = 'stream_version# position#';
const BALANCES = `balance# token_balance# points_balance# ${PLACE}`;
const USER = 'level# experience# next_level_experience#';
const PROTECTION = `limits[] reality_check{} ${PLACE}`;
const STATS = 'total_games# win_rate# total_win# biggest_win# total_bet# net#';
const RESULT = `outcome{} figures{} reward# bet_amount# win_amount# total_win# ${BALANCES}`;

/**
 * What an answer has at least: `[]` for a list, else the names of its lists, objects and numbers, marked `[]`, `{}` and
 * `#`. The browser does not load the schemas; from this it knows a proxy's or an older server's nonsense all the same.
 */
export const outlines: Readonly<Record<Exclude<RouteName, Unchecked>, string>> = {
  logout: '',
  refresh: 'user{}',
  profile: USER,
  changeProfile: USER,
  balance: BALANCES,
  achievements: '[]',
  transactions: PAGE,
  notifications: `${PAGE} unread_count# stream_version#`,
  readNotification: `unread_count# ${PLACE}`,
  readNotifications: `unread_count# ${PLACE}`,
  command: '',
  discardCommand: '',
  protection: PROTECTION,
  setLimit: PROTECTION,
  cancelLimitChange: PROTECTION,
  excludeSelf: PROTECTION,
  setRealityCheck: PROTECTION,
  acknowledgeRealityCheck: PROTECTION,
  systemConfig: 'withdraw_fee_rate# min_withdraw# min_deposit# max_deposit#',
  tokenConfig: 'token_decimals#',
  exchangeRates: 'exchange_rates{}',
  projectWallet: '',
  tokenContract: '',
  homeFigures: 'figures[]',
  leaderboard: '[]',
  slotBet: `symbols[] multiple# total_win# win_amount# bet_amount# lines# nonce# bet_position# ${BALANCES}`,
  slotHistory: PAGE,
  slotStats: STATS,
  slotSymbols: '[]',
  slotPaylines: 'lines_played# lines_accepted#',
  gameConfigs: 'slot_machine{} tetris{} snake{} minesweeper{}',
  recentWinnings: '[]',
  depositIntent: '',
  deposit: `amount# ${BALANCES}`,
  withdraw: `amount# fee# net_amount# ${BALANCES}`,
  seeds: 'pair# active{} next{} revealed[]',
  rotateSeeds: 'pair# active{} next{} revealed[]',
  round:
    'amount# symbols[] outcome{} lines# bet_amount# win_amount# nonce# bet_position# position#',
  event: 'position#',
  pairNonces: PAGE,
  receipt: 'lines# nonce# postings[] events[] signature{}',
  receiptKey: '',
  ledgerSeals: '[]',
  walletBalance: 'balance#',
  faucet: 'amount# sol#',
  gameBet: RESULT,
  gameStart: `tick_ms# bet_amount# nonce# bet_position# ${BALANCES}`,
  gameRound: '',
  gamePlay: RESULT,
  gameHistory: PAGE,
  gameStats: STATS,
};

/** Whether an answer has what the outline says. */
export function fits(outline: string, data: unknown): boolean {
  if (outline === '[]') return Array.isArray(data);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  return outline.split(' ').every((part) => {
    const [, name = '', mark] = /^(\w*)(.*)$/.exec(part) ?? [];
    const value = (data as Record<string, unknown>)[name];
    if (mark === '[]') return Array.isArray(value);
    if (mark === '#') return Number.isFinite(value);
    return mark === '' || (typeof value === 'object' && value !== null);
  });
}
