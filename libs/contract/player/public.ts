import { type Static, Type } from 'typebox';
import {
  Choice,
  closed,
  EXAMPLE,
  named,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
  text,
} from '../common.ts';
import { ENTRIES_SHOWN, playerTopic } from '../route.ts';

const PaytableRow = named('PaytableRow', {
  row: text('no-win'),
  symbols: Type.Array(nullableInteger(), {
    description: 'null matches any symbol; empty for a game without symbols',
  }),
  multiple: Type.Number({ description: 'Payout as a multiple of the bet' }),
  weight: Type.Integer({ description: 'Chance of the row: weight in `of`' }),
  of: Type.Integer(),
  odds: text('1 in 11'),
});

const TimedConfig = named('TimedConfig', {
  fee: Type.Number({ description: 'Points per round' }),
  tick_ms: Type.Integer({ description: 'Milliseconds per tick' }),
  ticks_max: Type.Integer({ description: 'Maximum ticks of a round' }),
  end_percent: Type.Number({ description: 'Chance that a tick is the last one, percent' }),
  fields: Type.Object({}, { additionalProperties: text('integer') }),
});

/** Figures that depend on the choice, such as the paytable, are those of `initial`. */
const ChoiceConfig = named('ChoiceConfig', {
  fields: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Fields by name: {min, max} for an integer, or {oneOf} with the accepted strings',
    },
  ),
  initial: Choice,
});

export const GameConfig = named('GameConfig', {
  title: text('Slot machine'),
  min_bet: Type.Number({ description: 'Points' }),
  max_bet: Type.Number({ description: 'Points' }),
  max_win: Type.Number({ description: 'Points per round' }),
  default_lines: Type.Integer(),
  enabled: Type.Boolean(),
  rules: text('slot-1'),
  rules_text: text('rules slot-1', 'Rules, one fact per line'),
  rules_hash: text(EXAMPLE.hash, 'SHA-256 of rules_text'),
  return: Type.Object({ fraction: text('19/20'), percent: Type.Number() }),
  hit_rate_percent: Type.Number(),
  paytable: Type.Array(PaytableRow),
  return_by_bet: Type.Array(
    Type.Object({
      from_bet: Type.Number(),
      to_bet: Type.Number(),
      percent_low: Type.Number(),
      percent_high: Type.Number(),
    }),
  ),
  timed: Type.Union([Type.Null(), TimedConfig]),
  choice: Type.Optional(ChoiceConfig),
});
export type GameConfig = Static<typeof GameConfig>;

/** Configuration by the key of each game. */
export const GameConfigs = Type.Object(
  {
    slot_machine: GameConfig,
    tetris: GameConfig,
    snake: GameConfig,
    minesweeper: GameConfig,
  },
  { additionalProperties: GameConfig },
);
export type GameConfigs = Static<typeof GameConfigs>;

const BOARDS = ['deposit', 'wins', 'points'] as const;

export type Board = (typeof BOARDS)[number];

export const Leader = named('Leader', {
  rank: Type.Integer(),
  nickname: nullableText(),
  public_id: text(EXAMPLE.player),
  amount: Type.Number(),
});
export type Leader = Static<typeof Leader>;

const RECENT_WINS_MAX = 50;

export const RecentWin = named('RecentWin', {
  id: text('34'),
  game_type: text('slot_machine'),
  user_nickname: nullableText(),
  user_id: text(EXAMPLE.player, 'Public id of the winner'),
  win_amount: Type.Number(),
  bet_amount: Type.Number(),
  multiple: Type.Number(),
  created_at: Time,
  position: Position,
});
export type RecentWin = Static<typeof RecentWin>;

/** What an event is to everyone. An operator's, a treasury's and a hidden event is the site's. */
const ENTRY_KINDS = [
  'bet',
  'won',
  'lost',
  'deposit',
  'withdrawal',
  'exchange',
  'seeds',
  'account',
  'seal',
  'site',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Without player, amount and hash. */
const LedgerEntry = named('LedgerEntry', {
  position: Position,
  kind: oneOf(ENTRY_KINDS),
  game: nullableText('Game of a bet or of its result; else null'),
  recorded_at: Time,
  verified: Type.Boolean({
    description: 'Whether its hash is SHA-256(previous hash || text), computed for this response',
  }),
  own: Type.Boolean({ description: "Whether it is the caller's, who may open its proof" }),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

const entries = { data: Type.Array(LedgerEntry) };

const call = playerTopic('public');

export const publicRoutes = {
  latestEntries: call('GET', '/ledger/latest', 'public', {
    summary: `List the ${ENTRIES_SHOWN} newest events of the ledger, newest first`,
    ...entries,
  }),
  latestAndOwnEntries: call('GET', '/user/ledger/latest', 'player', {
    summary: "The same, with the player's own marked",
    ...entries,
  }),
  leaderboard: call('GET', '/user/leaderboard/:board', 'public', {
    summary:
      'Get a leaderboard: total points won (deposit), rounds won (wins), points balance (points)',
    params: Type.Object({
      board: oneOf(BOARDS),
    }),
    data: Type.Array(Leader),
  }),
  gameConfigs: call('GET', '/game/configs', 'public', {
    summary: 'Get the limits, odds and return of every game',
    data: GameConfigs,
  }),
  recentWinnings: call('GET', '/recent-winnings', 'public', {
    summary: 'List the latest big wins',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECENT_WINS_MAX, default: 10 })),
    }),
    data: Type.Array(RecentWin),
  }),
};

/** Figures of the home page: the first four are configured texts, the others are counted. */
const HOME_FIGURES = [
  'players',
  'distributed',
  'availability',
  'uptime',
  'rounds',
  'events',
] as const;
export type HomeFigureName = (typeof HOME_FIGURES)[number];

const contract = nullableText('Address of the BSM mint; null if no chain is connected');

export const SystemConfig = named('SystemConfig', {
  withdraw_fee_rate: Type.Number({
    description: 'Fee as a fraction of the gross amount, such as 0.05',
  }),
  withdraw_automatic_max: Type.Number({
    description: 'BSM, gross: operators approve a larger withdrawal',
  }),
  withdraw_hour_max: Type.Number({
    description: "BSM of one player's withdrawals per hour without operators; more waits",
  }),
  withdraw_day_max: Type.Number({ description: 'The same in 24 hours' }),
  withdraw_hour_count: Type.Integer({ description: 'Payments to one player per hour; more wait' }),
  withdraw_new_account_min: Type.Number({
    description: 'Minimum withdrawal to a wallet without a BSM account, BSM, gross',
  }),
  min_withdraw: Type.Number({ description: 'Minimum withdrawal, BSM, gross' }),
  min_deposit: Type.Number({ description: 'Minimum deposit, BSM' }),
  max_deposit: Type.Number({ description: 'Maximum deposit per transaction, BSM' }),
  exchange_enabled: Type.Boolean(),
  withdrawals_enabled: Type.Boolean({
    description: 'false: requests are accepted, and wait until the operators continue payments',
  }),
  network: nullableText('"local", or the name of a Solana network; null if no chain is connected'),
  rpc_url: nullableText('RPC endpoint for browsers: a URL, or a path of this site; null if none'),
  login_sentence: text(
    'Sign this message to log in to Reelbook at https://reelbook.example: ',
    'Text to sign for a login, followed by the time in milliseconds since 1970',
  ),
  origin: text(
    'https://reelbook.example',
    'Origin of this site, which logins and confirmations of withdrawals name',
  ),
  faucet: Type.Boolean({ description: 'true if POST /faucet is available' }),
});
export type SystemConfig = Static<typeof SystemConfig>;

export const HomeFigures = named('HomeFigures', {
  live: Type.Boolean({
    description: 'true: counted in the ledger; false: texts of the configuration',
  }),
  figures: Type.Array(
    Type.Object({
      name: oneOf(HOME_FIGURES),
      text: text('1,204'),
    }),
    { minItems: 4, maxItems: 4 },
  ),
});
export type HomeFigures = Static<typeof HomeFigures>;

const configurationCall = playerTopic('configuration');

export const configurationRoutes = {
  systemConfig: configurationCall('GET', '/config/system', 'public', {
    summary: 'Get the withdrawal fee, the limits of deposits and withdrawals, and the chain',
    data: SystemConfig,
  }),
  tokenConfig: configurationCall('GET', '/config/token', 'public', {
    summary: 'Get the decimals and the mint of the BSM token',
    data: Type.Object({
      token_decimals: Type.Integer(),
      token_contract: contract,
    }),
  }),
  exchangeRates: configurationCall('GET', '/config/exchange-rates', 'public', {
    summary: 'Get the exchange rates between points and BSM',
    data: Type.Object({
      exchange_rates: Type.Object({
        points_to_tokens: Type.Number({ description: 'BSM per point' }),
        tokens_to_points: Type.Number({ description: 'Points per BSM' }),
      }),
    }),
  }),
  projectWallet: configurationCall('GET', '/config/project-wallet', 'public', {
    summary: 'Get the wallet address that receives deposits',
    data: Type.Object({
      project_wallet: nullableText('Solana address; null if no chain is connected'),
    }),
  }),
  tokenContract: configurationCall('GET', '/config/token-contract', 'public', {
    summary: 'Get the address of the BSM mint',
    data: Type.Object({ token_contract: contract }),
  }),
  homeFigures: configurationCall('GET', '/config/home', 'public', {
    summary: 'Get the four figures of the home page, and whether the slot machine is open',
    data: Type.Object({ ...HomeFigures.properties, slot_machine_enabled: Type.Boolean() }),
  }),
};
