/** Chinese names of the configuration values, by path. */
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
      adjust: '单个操作员的调整额度',
    },
    general: {
      welcomePointsMinor: '新玩家赠送积分（仅限本地链）',
      bigWinMultiple: '大奖的最低派彩倍数',
      bigWinMinMinor: '大奖的最低积分',
    },
    game: {
      rules: '规则版本',
      minStakeMinor: '最低投注',
      maxStakeMinor: '最高投注',
      maxLines: '最多线数',
      enabled: '启用',
    },
    exchange: {
      enabled: '启用兑换',
      pointsToToken: '1 积分兑换的 BSM',
      tokenToPoints: '1 BSM 兑换的积分',
    },
    withdraw: {
      feeRate: '手续费率，占总额的比例',
      enabled: '启用提现处理',
      minTokenMinor: '最低提现',
      playerHourMaxCount: '单个玩家每小时自动支付次数上限',
      hotWalletMaxTokenMinor: '热钱包上限（0：不设上限）',
      automaticMaxTokenMinor: '自动批准上限：单笔',
      playerHourMaxTokenMinor: '自动批准上限：单个玩家每小时',
      playerDayMaxTokenMinor: '自动批准上限：单个玩家每 24 小时',
      hourMaxTokenMinor: '自动批准上限：全部玩家每小时',
      dayMaxTokenMinor: '自动批准上限：全部玩家每 24 小时',
      newAccountMinTokenMinor: '须新建代币账户时的最低发送额',
      lowWaterLamports: '签名所需的最低 SOL 余额，单位 lamport（10^-9 SOL）',
    },
    deposit: {
      minTokenMinor: '最低充值',
      maxTokenMinor: '最高充值',
      dustBelowTokenMinor: '零星转账：低于此数额（0：无）',
    },
    token: {
      decimals: '代币小数位',
      contract: '代币合约地址',
      projectWallet: '收款地址',
    },
    protection: { realityCheckMinutes: '默认时间提醒间隔（分钟；null：无）' },
    play: { enabled: '启用投注和兑换' },
    adjust: {
      singleOperatorMaxPointsMinor: '单个玩家每天的积分',
      singleOperatorMaxTokenMinor: '单个玩家每天的 BSM',
      operatorDayMaxPointsMinor: '全部玩家每天的积分',
      operatorDayMaxTokenMinor: '全部玩家每天的 BSM',
    },
  },
};
