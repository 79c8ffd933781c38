import type { acceptanceSentences } from '../english/acceptance-english.ts';
import { translations } from '../translations.ts';

/** The sentences of acceptance in Simplified Chinese. */
export const acceptanceChinese = translations<typeof acceptanceSentences>('acceptance')({
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
  summaryIsLarger: '摘要占 {tokens} 个 token，而它所取代的消息占 {replaced} 个。',
  contextWouldGrow: '上下文会从 {before} 个 token 增加到 {after} 个。',
  contextWouldNotShrink: '上下文仍会是 {tokens} 个 token。',
  planChangesNothing: '该方案未作任何更改。',
  stillOverWindow: '上下文仍会占 {tokens} 个 token，超出 {window} 个的窗口。',
  overTarget: '上下文将占 {tokens} 个 token，超过了 {target} 个的目标。',

  // A request that a strict provider refuses.
  callWithoutResult: '消息 {index} 的调用 {call} 之后没有结果。',
  answersCallTwice: '消息 {index} 再次回应了调用 {call}。',
  answersNoCall: '消息 {index} 没有回应其之前的任何调用。',
  resultWithoutContent: '工具结果 {index} 没有内容。',
  unknownRole: '消息 {index} 的角色 {role} 未知。',
  emptyToolCalls: '消息 {index} 的工具调用列表为空。',
  messageWithoutContent: '消息 {index} 没有内容。',
});
