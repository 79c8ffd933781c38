import type { Kind } from '../src/compaction/message.ts';
import { localised } from './locale.ts';

type KindNames = Readonly<Record<Kind, string>>;

export const englishKindNames: KindNames = {
  system: 'System',
  tools: 'Tool schemas',
  memory: 'Memory',
  user: 'You',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  toolCall: 'Tool calls',
  toolResult: 'Tool results',
  summary: 'Summaries',
  reminder: 'Reminders',
  skill: 'Skills',
  skillMetadata: 'List of skills',
};

export const chineseKindNames: KindNames = {
  system: '系统',
  tools: '工具定义',
  memory: '记忆',
  user: '你',
  assistant: '助手',
  reasoning: '思考',
  toolCall: '工具调用',
  toolResult: '工具结果',
  summary: '摘要',
  reminder: '提醒',
  skill: '技能',
  skillMetadata: '技能列表',
};

/** What tokens are for, in a person's words. */
export const kindNames = localised({ english: englishKindNames, chinese: chineseKindNames });
