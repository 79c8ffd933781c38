import type { strategyChoice } from '../english/strategy-choice-english.ts';
import { translations } from '../translations.ts';

/** The strategy picker in Simplified Chinese. */
export const strategyChoiceChinese = translations<typeof strategyChoice>('strategyChoice')({
  recommended: '推荐',
  withoutModel: '不需要模型',
  withModel: '需要模型',
  fromLiterature: '来自论文和其他代理',
  own: '自定义',
  off: '关闭',

  none: '从不压缩；因过长被拒绝的请求会恢复一次',
  'llm-summary': '一次模型调用把较早的消息变成笔记',
  'tool-result-hiding': '隐藏旧的工具结果，保留所有对话',
  'hiding-then-summary': '先隐藏旧的工具结果，再做摘要',
  selective: '按你为每类消息设定的规则缩短',
  'whole-history': '摘要全部内容，包括最新的步骤',
  'last-n-messages': '保留最后的消息，丢弃其余',
  chunked: '按顺序每 N 条消息做一次摘要',
  'retrieve-facts': '向模型询问你指定的事实',
  'layered-truncation': '逐轮截短最长的文本',
  'recent-window': '保留固定预算内的最新轮次',
  'dialogue-retrieval': '取回与最新请求相符的段落',
  'middle-truncation': '截去长文本的中段',
  'sliding-window': '保留放得下的最新消息，丢弃其余',
  'state-snapshot': '由模型持续更新一份工作快照',
  'observation-masking': '把旧的工具输出缩减为几行；对缓存友好',
  'anchored-summary': '逐字复制事实，只摘要讨论',
  'provider-native': '使用提供方自己的压缩，其结果无法查看',
  budgeted: '给窗口的每个部分一个份额，缩短超出的部分',
  custom: '工作区中的模块，或一个扩展',
  ladder: '先走代价最小的一步；复制事实，保留最新的工作',
});
