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

  // Acceptance.
  providerWouldRefuse: '提供方会拒绝压缩后的请求。{violation}',
  callBecameAnother: '消息 {id} 的一次调用会变成另一次调用。',
  argumentsAreNoJson: '消息 {id} 的参数将不再是有效的 JSON。',
  protectedWouldGo: '消息 {id} 受到保护，却会被移除。',
  protectedWouldChange: '消息 {id} 受到保护，却会被更改。',
  wouldChangeItsPlace: '消息 {id} 的位置会改变。',
  keptIsMissing: '消息 {id} 应当保留，却缺失或有所不同。',
  prefixWouldDiffer: '消息 {id} 位于首个更改之前，却有所不同。',
  beforeSystemMessage: '会有一条新消息位于系统消息 {id} 之前。',
  newButNoSummary: '消息 {id} 在上下文中是新的，却不是该方案的摘要。',
  changesMoreThanText: '消息 {id} 除文本和参数外，还会有其他更改。',
  wrongTruncation: '消息 {id} 所注明的处理方式会与实际不符。',
  noTextToReplace: '消息 {id} 没有可由占位文本代替的内容。',
  placeholderIsEmpty: '消息 {id} 的占位文本为空。',
  noTextToClip: '消息 {id} 没有可截短的文本。',
  contentOfAnotherType: '消息 {id} 的内容会变成另一种类型。',
  notAShorterForm: '消息 {id} 的文本会变成另一段文本，而不是它的缩短形式。',
  partWithoutNote: '消息 {id} 的一张图片或其他部分会被移除，且没有说明。',
  otherCalls: '消息 {id} 的调用会变成其他调用。',
  argumentsSayOther: '消息 {id} 的参数会有不同的含义：只能缩短其中的字符串。',
  summaryIsEmpty: '摘要为空。',
  summaryIsLarger: '摘要占 {tokens} 个 token，而它所取代的消息占 {replaced} 个。',
  contextWouldGrow: '上下文会从 {before} 个 token 增加到 {after} 个。',
  contextWouldNotShrink: '上下文仍会是 {tokens} 个 token。',
  overTarget: '上下文将占 {tokens} 个 token，超过了 {target} 个的目标。',

  // A request that a strict provider refuses.
  callWithoutResult: '消息 {index} 的调用 {call} 之后没有结果。',
  answersCallTwice: '消息 {index} 再次回应了调用 {call}。',
  answersNoCall: '消息 {index} 没有回应其之前的任何调用。',
  resultWithoutContent: '工具结果 {index} 没有内容。',
  unknownRole: '消息 {index} 的角色 {role} 未知。',
  emptyToolCalls: '消息 {index} 的工具调用列表为空。',
  messageWithoutContent: '消息 {index} 没有内容。',

  // Summaries.
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
