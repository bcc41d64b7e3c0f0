import type {
  AdjustConfig,
  Config,
  ExchangeConfig,
  GameConfig,
  TokenConfig,
  WithdrawConfig,
} from '@reelbook/ledger/config/config';

type Text<Part> = Readonly<Record<keyof Part, string>>;

/** What can be set, by the paths of the configuration; the types hold them to it. In English. */
export const enSetting = {
  setting: {
    part: {
      general: 'General',
      exchange: 'Exchange',
      withdraw: 'Withdrawals',
      deposit: 'Deposits',
      token: 'Token',
      protection: 'Player protection',
      play: 'Play',
      adjust: 'What one operator may adjust alone',
    },
    general: {
      welcomePointsMinor: 'Points for a new player; on the local chain only',
      bigWinMultiple: 'A big win pays at least so many times its stake',
    } satisfies Text<Pick<Config, 'welcomePointsMinor' | 'bigWinMultiple'>>,
    game: {
      rules: 'Rules version',
      minStakeMinor: 'Least stake',
      maxStakeMinor: 'Largest stake',
      maxLines: 'Most lines',
      enabled: 'Can be played',
    } satisfies Text<GameConfig>,
    exchange: {
      enabled: 'Points and BSM can be exchanged',
      pointsToToken: 'BSM for a point',
      tokenToPoints: 'Points for a BSM',
    } satisfies Text<ExchangeConfig>,
    withdraw: {
      feeRate: 'Fee, a share of the gross amount',
      enabled: 'Withdrawals are approved, signed and paid',
      minTokenMinor: 'Least withdrawal',
      playerHourMaxCount: 'Most payments to one player within an hour without operators',
      hotWalletMaxTokenMinor: 'Most that the treasury should hold (0: no cap)',
      automaticMaxTokenMinor: 'Most that the cashier approves by itself, each',
      playerHourMaxTokenMinor:
        'Most that the cashier approves by itself for one player within an hour',
      playerDayMaxTokenMinor:
        'Most that the cashier approves by itself for one player within 24 hours',
      hourMaxTokenMinor: 'Most that the cashier approves by itself for all players within an hour',
      dayMaxTokenMinor: 'Most that the cashier approves by itself for all players within 24 hours',
      newAccountMinTokenMinor: 'Least that is sent where a token account has to be made',
      lowWaterLamports: 'SOL below which nothing is signed, in lamports (10^-9)',
    } satisfies Text<WithdrawConfig>,
    deposit: {
      minTokenMinor: 'Least deposit',
      maxTokenMinor: 'Largest deposit',
    } satisfies Text<Config['deposit']>,
    token: {
      decimals: 'Decimals of the mint',
      contract: 'Address of the mint',
      projectWallet: 'Address that deposits go to',
    } satisfies Text<TokenConfig>,
    protection: {
      realityCheckMinutes: 'Minutes between reality checks of who chose none; null: none',
    } satisfies Text<Config['protection']>,
    play: {
      enabled: 'Players may stake and exchange at all',
    } satisfies Text<Config['play']>,
    adjust: {
      singleOperatorMaxPointsMinor: 'Points of one player on a day',
      singleOperatorMaxTokenMinor: 'BSM of one player on a day',
      operatorDayMaxPointsMinor: 'Points of all players on a day',
      operatorDayMaxTokenMinor: 'BSM of all players on a day',
    } satisfies Text<AdjustConfig>,
  },
};
