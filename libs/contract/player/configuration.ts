import { type Static, Type } from 'typebox';
import { named, nullableText, oneOf, text } from '../common.ts';
import { playerTopic } from '../route.ts';

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

const call = playerTopic('configuration');

export const configurationRoutes = {
  systemConfig: call('GET', '/config/system', 'public', {
    summary: 'Get the withdrawal fee, the limits of deposits and withdrawals, and the chain',
    data: SystemConfig,
  }),
  tokenConfig: call('GET', '/config/token', 'public', {
    summary: 'Get the decimals and the mint of the BSM token',
    data: Type.Object({
      token_decimals: Type.Integer(),
      token_contract: contract,
    }),
  }),
  exchangeRates: call('GET', '/config/exchange-rates', 'public', {
    summary: 'Get the exchange rates between points and BSM',
    data: Type.Object({
      exchange_rates: Type.Object({
        points_to_tokens: Type.Number({ description: 'BSM per point' }),
        tokens_to_points: Type.Number({ description: 'Points per BSM' }),
      }),
    }),
  }),
  projectWallet: call('GET', '/config/project-wallet', 'public', {
    summary: 'Get the wallet address that receives deposits',
    data: Type.Object({
      project_wallet: nullableText('Solana address; null if no chain is connected'),
    }),
  }),
  tokenContract: call('GET', '/config/token-contract', 'public', {
    summary: 'Get the address of the BSM mint',
    data: Type.Object({ token_contract: contract }),
  }),
  homeFigures: call('GET', '/config/home', 'public', {
    summary: 'Get the four figures of the home page',
    data: HomeFigures,
  }),
};
