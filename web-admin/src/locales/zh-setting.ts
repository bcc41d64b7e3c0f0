/** What can be set, by the paths of the configuration, in Chinese. */
export const zhSetting = {
  setting: {
    part: {
      general: '通用',
      exchange: '兑换',
      withdraw: '提现',
      deposit: '充值',
      token: '代币',
      protection: '玩家保护',
      play: '游玩',
      adjust: '单个操作员可独自调整的额度',
    },
    general: {
      welcomePointsMinor: '新玩家赠送积分，仅限本地链',
      bigWinMultiple: '派彩达到投注的多少倍算大奖',
    },
    game: {
      rules: '规则版本',
      minStakeMinor: '最低投注',
      maxStakeMinor: '最高投注',
      maxLines: '最多线数',
      enabled: '可以游玩',
    },
    exchange: {
      enabled: '积分与 BSM 可以兑换',
      pointsToToken: '1 积分兑换的 BSM',
      tokenToPoints: '1 BSM 兑换的积分',
    },
    withdraw: {
      feeRate: '手续费，占总额的比例',
      enabled: '批准、签名并支付提现',
      minTokenMinor: '最低提现',
      playerHourMaxCount: '单个玩家一小时内无需操作员的支付次数上限',
      hotWalletMaxTokenMinor: '金库应持有的上限（0：不设上限）',
      automaticMaxTokenMinor: '出纳可自行批准的单笔上限',
      playerHourMaxTokenMinor: '出纳可自行批准的上限，单个玩家一小时内',
      playerDayMaxTokenMinor: '出纳可自行批准的上限，单个玩家 24 小时内',
      hourMaxTokenMinor: '出纳可自行批准的上限，全部玩家一小时内',
      dayMaxTokenMinor: '出纳可自行批准的上限，全部玩家 24 小时内',
      newAccountMinTokenMinor: '需新建代币账户时的最低发送额',
      lowWaterLamports: '低于此 SOL 余额则不签名，单位 lamport（10^-9）',
    },
    deposit: { minTokenMinor: '最低充值', maxTokenMinor: '最高充值' },
    token: {
      decimals: '代币小数位',
      contract: '代币合约地址',
      projectWallet: '收款地址',
    },
    protection: { realityCheckMinutes: '玩家未选择时的现实提醒间隔（分钟）；null 表示无' },
    play: { enabled: '允许玩家投注和兑换' },
    adjust: {
      singleOperatorMaxPointsMinor: '单个玩家每天的积分',
      singleOperatorMaxTokenMinor: '单个玩家每天的 BSM',
      operatorDayMaxPointsMinor: '全部玩家每天的积分',
      operatorDayMaxTokenMinor: '全部玩家每天的 BSM',
    },
  },
};
