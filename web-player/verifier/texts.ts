/** What the page reports. The lines of checks are English: they name fields of the file. */
const en = {
  tooLong: 'This is too long to be a receipt.',
  badKey: 'The public key must be 64 hex digits.',
  longResponse: 'This is too long to be a Solana response.',
  badResponse: 'The Solana response is not valid JSON.',
  noReceipt: 'This is not a JSON receipt.',
  badLink: 'This is not the link of a shared round.',
  drawn: (words: string) =>
    `DRAWN AGAIN: ${words}. Not checked: that it was played. Enter the public key of the site above.`,
  drawnThere: (words: string) =>
    `DRAWN AGAIN: ${words}. The holder of your key signed that a round was won with it.`,
  fails: (failed: number, all: number) => `NOT VERIFIED: ${failed} of ${all} checks fail.`,
  waits: (count: number) => `No check fails, but ${count} cannot be done yet.`,
  passes: (all: number) => `VERIFIED: all ${all} checks pass.`,
};

/** `page`: in place of the English texts of `page.html`, by their `data-text`. */
const zh: typeof en & { readonly page: Readonly<Record<string, string>> } = {
  page: {
    title: 'Reelbook 验证工具',
    lead: '用与网站相同的代码验证一局的凭证、一个事件的证明，或“我的数据”文件。本页不发送任何网络请求：请保存本页，并从本机打开。',
    file: '文件：凭证、证明或“我的数据”',
    text: '凭证或证明的原文',
    key: '网站的公钥（可选，64 位十六进制数）',
    solana: '锚定的 Solana 响应（可选，JSON）',
    verify: '验证',
    proves: '这能证明什么',
    seed: '种子与事先承诺的一致；由种子和规则可得出该结果和派奖；事件的哈希与所列的一致，并包含在封印的根之下。',
    signature:
      '签名证明凭证由密钥持有者签发。请从独立的来源取得网站公布的公钥并比对，这样网站就无法否认该凭证。若不比对，任何人都可能用自己的密钥制作这个文件。',
    shared:
      '分享的一局只证明这些种子和规则得出该结果。任何人都可以挑选会赢的种子来制作这样的链接：只有网站密钥的签名才能证明这一局是在该网站玩的。链接中没有玩家、投注额和时间。',
    site: '本网站公布的公钥',
    lost: '本页无法证明事件仍在账本中：从备份恢复可能丢失最新的事件。网站在公钥处一并列出丢失的事件。',
    root: '根证明：自你从其他来源得知该根之后，账本没有变动。请与更早的凭证或封印列表比对。锚定表示该根已写入 Solana：可向任意 RPC 查询，并把响应粘贴到上面。',
  },
  tooLong: '内容太长，不可能是凭证。',
  badKey: '公钥必须是 64 位十六进制数。',
  longResponse: '内容太长，不可能是 Solana 响应。',
  badResponse: 'Solana 响应不是有效的 JSON。',
  noReceipt: '这不是 JSON 凭证。',
  badLink: '这不是分享链接。',
  drawn: (words) => `已重新开奖：${words}。尚未检查这一局是否真的玩过：请在上方填写网站的公钥。`,
  drawnThere: (words) => `已重新开奖：${words}。你所填公钥的持有者签名证明：有一局以此结果获胜。`,
  fails: (failed, all) => `未通过验证：${all} 项检查中有 ${failed} 项不符。`,
  waits: (count) => `没有不符，但有 ${count} 项尚无法检查。`,
  passes: (all) => `验证通过：全部 ${all} 项检查相符。`,
};

export const verifierTexts = { en, zh };
