/** What a player is notified of, by the kind that the ledger names, in Chinese. */
export const zhNotices = {
  welcome: { title: '欢迎来到 Reelbook', content: '你有 {{points}}，可以开始游戏。' },
  'big-win': { title: '大奖', content: '你以 {{bet}}赢得了 {{won}}。' },
  'seeds-rotated': {
    title: '种子已轮换',
    content: '服务器种子 {{pair}} 已公开，现在可以验证的局数：{{nonces}}。',
  },
  'round-cancelled': {
    title: '游戏局已取消',
    content: '管理员取消了你的一局游戏，{{back}} 已退回。原因：{{reason}}',
  },
  exchanged: { title: '兑换完成', content: '{{gave}} 已换成 {{got}}。' },
  'self-excluded': {
    title: '自我禁玩',
    content: '在 {{until}} 之前你不能投注或充值，随时可以提现。',
  },
  'self-excluded-for-good': {
    title: '自我禁玩',
    content: '你永久不能投注或充值，随时可以提现。',
  },
  excluded: {
    title: '已被禁玩',
    content: '管理员已将你禁玩。在 {{until}} 之前你不能投注或充值，随时可以提现。原因：{{reason}}',
  },
  'excluded-for-good': {
    title: '已被禁玩',
    content: '管理员已将你禁玩。你永久不能投注或充值，随时可以提现。原因：{{reason}}',
  },
  'limit-set': {
    title: '已设置限额',
    content: '管理员为你设置了限额。{{limit}}：{{period}}最多 {{amount}}。原因：{{reason}}',
  },
  suspended: {
    title: '账户已暂停',
    content: '你暂时不能投注或充值，随时可以提现。原因：{{reason}}',
  },
  reinstated: { title: '账户已恢复', content: '你可以继续游戏了。原因：{{reason}}' },
  'balance-raised': {
    title: '余额已调整',
    content: '管理员为你的余额增加了 {{amount}}。原因：{{reason}}',
  },
  'balance-lowered': {
    title: '余额已调整',
    content: '管理员从你的余额扣除了 {{amount}}。原因：{{reason}}',
  },
  'deposit-credited': { title: '充值已到账', content: '{{amount}} 已到账，可以使用。' },
  'withdrawal-requested': {
    title: '提现已提交',
    content: '已预留 {{gross}}：将向 {{to}} 发送 {{net}}，手续费 {{fee}}。',
  },
  'withdrawal-approved': { title: '提现已批准', content: '接下来将会发送。' },
  'withdrawal-sent': { title: '提现已发送', content: '正在发往链上。' },
  'withdrawal-paid': { title: '提现已完成', content: '{{net}} 已到账，付款不可撤销。' },
  'withdrawal-paid-to': {
    title: '提现已完成',
    content: '{{net}} 已到达 {{to}}，付款不可撤销。',
  },
  'withdrawal-returned': { title: '提现已退回', content: '{{back}} 已退还给你：{{reason}}' },
};
