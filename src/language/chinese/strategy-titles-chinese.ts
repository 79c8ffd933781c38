import { agentTitles } from '../agent-titles.ts';
import { translations } from '../translations.ts';
import type { strategyTitles } from '../english/strategy-titles-english.ts';

/** Titles of strategies in Simplified Chinese. */
export const strategyTitlesChinese = translations<typeof strategyTitles>('strategyTitles')({
  none: '不压缩',
  'llm-summary': 'LLM 摘要',
  'tool-result-hiding': '隐藏工具结果',
  'hiding-then-summary': '先隐藏后摘要',
  selective: '选择性压缩',
  'whole-history': '全部历史',
  'last-n-messages': '最近 N 条消息',
  chunked: '分块压缩',
  'retrieve-facts': '提取事实',
  'layered-truncation': '分层截短',
  'recent-window': '近期窗口',
  'dialogue-retrieval': '对话检索',
  'middle-truncation': '截去中段',
  'sliding-window': '滑动窗口',
  'state-snapshot': '状态快照',
  'observation-masking': '遮蔽工具输出',
  'anchored-summary': '锚定摘要',
  'provider-native': '提供方原生压缩',
  budgeted: '按预算分配',
  custom: '自定义',
  ladder: '阶梯',

  'stale-results': '过时结果',
  'argument-clipping': '参数截短',
  fold: '折叠',

  hide: '隐藏',
  rewind: '回退',

  rewritten: '由客户端改写',

  ...agentTitles,
  'another-agent': '其他代理',
});
