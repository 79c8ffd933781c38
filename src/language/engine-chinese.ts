import { engineSentences } from './engine-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the engine in Simplified Chinese. */
export const engineChinese = translations(engineSentences)({
  // Records.
  nothingToFree: '没有可释放的内容。',
  maskingFreesTooLittle: '遮蔽只能释放 {freed} 个 token，少于 {least} 个。',
  untouched: '未作更改',
  planChangesNothing: '该方案未作任何更改。',
  stopped: '尚未完成即已停止。',
  conversationChanged: '对话在此期间有了变化。',
  stillOverWindow: '上下文仍会占 {tokens} 个 token，超出 {window} 个的窗口。',
  spendingLimitReached: '此聊天已达到自动摘要的用量上限。',

  // A plan that does not fit.
  noSuchMessageInContext: '上下文中没有消息 {id}。',
  noMessageToInsertAfter: '上下文中没有可在其后插入的消息 {id}。',
  planNamesMessageTwice: '该方案两次提到消息 {id}。',
  summaryWithoutSource: '有一份摘要没有来源。',

  // The transcript.
  hasIdAlready: '记录中已有 {id}。',
  hasNoId: '记录中没有 {id}。',
  hasNoMessage: '记录中没有消息 {id}。',
  compactionNotInForce: '压缩 {id} 未生效。',

  // Summaries.
  summaryIsEmpty: '摘要为空。',
  needsModel: '此策略需要模型，但没有可用的模型。',
  noSmallerSummary: '没有一份摘要比其所取代的消息更小。',
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
  partsStayed: '比其摘要还小、因而保持原样的部分：{count} 个。',
  clippedForSummariser: '为了放入撰写摘要的模型，超过 {characters} 个字符的文本已被截短。',
  oldestLeftOut: '最早的 {count} 条消息放不进撰写摘要的模型的窗口，已被略去。',
});
