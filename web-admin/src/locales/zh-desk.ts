/** 玩家状态、操作员名称、未匹配充值和角色不允许的页面的中文文本。 */
export const zhDesk = {
  standing: {
    suspended: '已停用',
    excluded: '已排除',
    since: '自 {{time}} UTC 起，由',
    until: '至 {{time}} UTC',
    ended: '永久',
  },
};
