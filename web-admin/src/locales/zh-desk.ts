/** 玩家状态、操作员名称、未匹配充值和角色不允许的页面的中文文本。 */
export const zhDesk = {
  standing: {
    suspended: '已停用',
    excluded: '已排除',
    since: '自 {{time}} UTC 起，由',
    until: '至 {{time}} UTC',
    ended: '永久',
  },
  recipient: {
    none: '没有找到玩家。',
    found: '找到的玩家',
    more: '仅显示前 {{n}} 名玩家。请继续输入以查找其他玩家。',
    other: '其他玩家',
  },
  names: {
    set: '设置名称',
    name: '名称',
    what: '所有操作员在控制台和历史记录中都能看到该名称与钱包一起显示。玩家看不到。',
  },
};
