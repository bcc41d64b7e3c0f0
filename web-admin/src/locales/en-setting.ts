import type {
  AdjustConfig,
  Config,
  ExchangeConfig,
  GameConfig,
  TokenConfig,
  WithdrawConfig,
} from '@reelbook/ledger/config/config';

type Text<Part> = Readonly<Record<keyof Part, string>>;

/** English names of the configuration values, by path. The types require one for each value. */
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
      adjust: 'Adjustments by one operator',
    },
    general: {
      welcomePointsMinor: 'Welcome points (local chain only)',
      bigWinMultiple: 'Big win: minimum multiple of the stake',
      bigWinMinMinor: 'Big win: minimum points',
    } satisfies Text<Pick<Config, 'welcomePointsMinor' | 'bigWinMultiple' | 'bigWinMinMinor'>>,
    game: {
      rules: 'Rules version',
      minStakeMinor: 'Minimum stake',
      maxStakeMinor: 'Maximum stake',
      maxLines: 'Maximum lines',
      enabled: 'Enabled',
    } satisfies Text<GameConfig>,
    exchange: {
      enabled: 'Exchange enabled',
      pointsToToken: 'BSM per point',
      tokenToPoints: 'Points per BSM',
    } satisfies Text<ExchangeConfig>,
    withdraw: {
      feeRate: 'Fee rate, share of the gross amount',
      enabled: 'Withdrawal processing enabled',
      minTokenMinor: 'Minimum withdrawal',
      playerHourMaxCount: 'Automatic payments per player and hour: maximum count',
      hotWalletMaxTokenMinor: 'Hot wallet cap (0: no cap)',
      automaticMaxTokenMinor: 'Auto-approved up to, per withdrawal',
      playerHourMaxTokenMinor: 'Auto-approved up to, per player and hour',
      playerDayMaxTokenMinor: 'Auto-approved up to, per player and 24 hours',
      hourMaxTokenMinor: 'Auto-approved up to, all players per hour',
      dayMaxTokenMinor: 'Auto-approved up to, all players per 24 hours',
      newAccountMinTokenMinor: 'Minimum sent when a token account must be created',
      lowWaterLamports: 'Minimum SOL balance for signing, in lamports (10^-9 SOL)',
    } satisfies Text<WithdrawConfig>,
    deposit: {
      minTokenMinor: 'Minimum deposit',
      maxTokenMinor: 'Maximum deposit',
      dustBelowTokenMinor: 'Dust: transfers below it (0: none)',
    } satisfies Text<Config['deposit']>,
    token: {
      decimals: 'Mint decimals',
      contract: 'Mint address',
      projectWallet: 'Deposit address',
    } satisfies Text<TokenConfig>,
    protection: {
      realityCheckMinutes: 'Default reality check interval in minutes (null: none)',
    } satisfies Text<Config['protection']>,
    play: {
      enabled: 'Bets and exchange enabled',
    } satisfies Text<Config['play']>,
    adjust: {
      singleOperatorMaxPointsMinor: 'Points per player and day',
      singleOperatorMaxTokenMinor: 'BSM per player and day',
      operatorDayMaxPointsMinor: 'Points for all players per day',
      operatorDayMaxTokenMinor: 'BSM for all players per day',
    } satisfies Text<AdjustConfig>,
  },
};
