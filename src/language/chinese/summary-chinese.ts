import { translations } from '../translations.ts';
import type { summarySentences } from '../english/summary-english.ts';

/** The sentences of summaries in Simplified Chinese. */
export const summaryChinese = translations<typeof summarySentences>('summary')({
  needsModel: '此策略需要模型，但没有可用的模型。',
  summariserFailed: '撰写摘要的模型失败：{error}',
  windowTooSmall: '{model} 的窗口（{window} 个 token）太小，无法撰写任何摘要。',
  summaryAtItsLimit: '摘要占 {tokens} 个 token，而其上限为 {limit} 个。',
  summaryCutOff: '摘要在输出上限处被截断。',
  noText: '模型没有返回文本。',
  onlyWhitespace: '模型只返回了空白字符。',
  onlyReasoning: '模型只返回了思考过程，没有摘要。',
  summaryUnclosed: '摘要在其结束标记之前中断。',
  noTag: '模型的回复中没有 <{tag}>。',
  noFactsToRead: '回复中没有可读取的事实。',
  nothingFoundAbout: '未能找到有关 {concept} 的内容：{error}',
  secondRequestFailed: '第二次请求失败：{error}',
  clippedForSummariser: '为了放入撰写摘要的模型，超过 {characters} 个字符的文本已被截短。',
  oldestLeftOut: '最早的 {count} 条消息放不进撰写摘要的模型的窗口，已被略去。',
  onlyProviderReads: '此摘要只有提供方能读取，因此无法编辑。',
});
