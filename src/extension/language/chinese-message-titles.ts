import type { SentenceTable } from '../../insights/known-sentences.ts';

/** Whose a message is, in its line in the inspector. */
export const messageTitles: SentenceTable = {
  You: '你',
  Task: '任务',
  System: '系统',
  Tools: '工具',
  Memory: '记忆',
  Assistant: '助手',
  'Assistant, {0}': '助手，{0}',
  Reasoning: '思考',
  Result: '结果',
  Summary: '摘要',
  Reminder: '提醒',
  Skill: '技能',
  Skills: '技能列表',
};
