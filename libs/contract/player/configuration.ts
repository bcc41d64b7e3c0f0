import { type Static, Type } from 'typebox';
import { nullableText } from '../common.ts';
import { playerTopic } from '../route.ts';

/** What the four figures of the home page count: the first four are set as texts, the others are counted. */
export type HomeFigureName =
  | 'players'
  | 'distributed'
  | 'availability'
  | 'uptime'
  | 'rounds'
  | 'events';

const contract = nullableText('Address of the mint; null while no chain is connected');

export const SystemConfig = Type.Object({
  withdraw_fee_rate: Type.Number({ description: 'A fraction of the gross amount' }),
  min_withdraw: Type.Number({ description: 'BSM, gross' }),
  min_deposit: Type.Number({ description: 'BSM' }),
  max_deposit: Type.Number({ description: 'BSM' }),
  exchange_enabled: Type.Boolean(),
  network: nullableText(
    '"local", or the name of a Solana network; null while no chain is connected',
  ),
  rpc_url: nullableText('What a browser asks: a URL, or a path of this site; null for none'),
  faucet: Type.Boolean({ description: 'Whether POST /faucet gives play money' }),
});
export type SystemConfig = Static<typeof SystemConfig>;

export const HomeFigures = Type.Object({
  live: Type.Boolean({ description: 'Counted in the ledger; else the texts of the configuration' }),
  figures: Type.Array(
    Type.Object({
      name: Type.Unsafe<HomeFigureName>({ type: 'string' }),
      text: Type.String(),
    }),
    { minItems: 4, maxItems: 4 },
  ),
});
export type HomeFigures = Static<typeof HomeFigures>;

const call = playerTopic('configuration');

export const configurationRoutes = {
  systemConfig: call('GET', '/config/system', 'public', {
    summary: 'Withdrawal fee, bounds of deposits, and the chain',
    data: SystemConfig,
  }),
  tokenConfig: call('GET', '/config/token', 'public', {
    summary: 'Decimals and mint of the token',
    data: Type.Object({
      token_decimals: Type.Integer(),
      token_contract: contract,
    }),
  }),
  exchangeRates: call('GET', '/config/exchange-rates', 'public', {
    summary: 'Rates of exchange, in whole units',
    data: Type.Object({
      exchange_rates: Type.Object({
        points_to_tokens: Type.Number({ description: 'BSM for a point' }),
        tokens_to_points: Type.Number({ description: 'Points for a BSM' }),
      }),
    }),
  }),
  projectWallet: call('GET', '/config/project-wallet', 'public', {
    summary: 'The address that deposits go to',
    data: Type.Object({
      project_wallet: nullableText('Where deposits go; null while no chain is connected'),
    }),
  }),
  tokenContract: call('GET', '/config/token-contract', 'public', {
    summary: 'The address of the mint',
    data: Type.Object({ token_contract: contract }),
  }),
  homeFigures: call('GET', '/config/home', 'public', {
    summary: 'The four figures of the home page',
    data: HomeFigures,
  }),
};
