import { hostSentences } from './host-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the extension in Simplified Chinese. */
export const hostChinese = translations(hostSentences)({
  titleYou: '你',
  titleTask: '任务',
  titleSystem: '系统',
  titleTools: '工具',
  titleMemory: '记忆',
  titleAssistant: '助手',
  titleReasoning: '思考',
  titleCall: '调用',
  titleResult: '结果',
  titleSummary: '摘要',
  titleReminder: '提醒',
  titleSkill: '技能',
  titleSkills: '技能列表',
  titleWithCalls: '{title}，{calls}',

  comparisonIsStale: '对话已更改。请重新运行比较，然后再应用。',
  strategyNotApplied: '未应用 {strategy}。',
  strategyNotAppliedBecause: '未应用 {strategy}。{reason}',
  rerunPutBack: '{strategy} 没有作任何更改，因此已恢复该压缩。',
  rerunPutBackBecause: '{strategy} 没有作任何更改，因此已恢复该压缩。{reason}',
});
