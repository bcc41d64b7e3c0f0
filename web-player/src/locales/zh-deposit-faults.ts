/** Why a reported transaction is no deposit of the player, by the codes of the ledger, in Chinese. */
export const zhDepositFaults = {
  failed: '该交易在链上失败，没有转移任何资金',
  'wrong-mint': '该交易转移的是另一种代币，不是 BSM',
  'wrong-wallet': '该交易付给了另一个钱包，不是我们的钱包',
  'wrong-program': '该交易转移的是另一程序的代币，不是 BSM',
  outgoing: '该交易没有向我们的钱包转入任何资金',
  'treasury-account-changed': '该交易不是转账',
  'no-transfer': '该交易没有转移任何代币',
  'wrong-sender': '该交易来自另一个钱包，不是你的钱包',
  'not-found': '在链上未找到该交易',
  expired: '该交易未能及时上链，没有转移任何资金',
  'before-opening': '该交易在本账本开启之前已上链',
  unconfirmed: '并非所有链上数据来源都已确认，将再次检查',
};
