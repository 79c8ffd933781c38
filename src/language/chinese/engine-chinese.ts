import type { acceptanceSentences } from '../english/acceptance-english.ts';
import type { customSentences } from '../english/custom-english.ts';
import type { engineSentences } from '../english/engine-english.ts';
import type { summarySentences } from '../english/summary-english.ts';
import { translations } from '../translations.ts';

export const engineChinese = translations<typeof engineSentences>('engine')({
  // Records.
  untouched: '未作更改',
  rewrittenByClient: '由客户端改写',
  stopped: '尚未完成即已停止。',
  conversationChanged: '对话在此期间有了变化。',
  spendingLimitReached: '此聊天已达到自动摘要的用量上限。',

  // Invalid plans.
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
  fileCameBack: '{file} 以当前内容恢复',
  fileCameBackChanged: '{file} 以当前内容恢复；自上次进入上下文后，它在磁盘上已更改',
  newerFileCameBack: '已恢复 {file} 的较新副本',
  summaryIsEmpty: '摘要为空。',
  noSmallerSummary: '没有一份摘要比其所取代的消息更小。',
  partsStayed: '比其摘要还小、因而保持原样的部分：{count} 个。',
});

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

/** The sentences about custom strategies in Simplified Chinese. */
export const customChinese = translations<typeof customSentences>('custom')({
  named: '{name}：{problem}',
  answerOf: '{name}：其回答',
  none: '无',

  invalidReference:
    '设置 contextBudget.strategies.custom 必须指定模块及其导出 "./path/file.mjs#ExportName"，或已注册的策略 "publisher.extension/strategy-id"。当前值为{given}。',
  noFolder: '只能从已打开且受信任的文件夹加载模块。',
  outsideWorkspace: '该文件在工作区之外，因此未加载。',
  noFile: '没有此文件。',
  noExport: '模块没有此导出。它的导出有：{exports}。',
  notRegistered: '没有已安装的扩展注册此策略，或者注册它的扩展已将其移除。当前已注册：{ids}。',
  empty: '空',

  noFunction: '导出的内容既不是类，也不是函数。',
  injectNoList: '"inject" 必须是由 {ports} 组成的列表。',
  injectUnknown: '"inject" 中有 {name}。可用的有 {ports}。',
  noPlanMethod: '该策略没有方法 plan(input, ports, signal)。',
  noModel: '没有模型。',
  takesString: '{port} 的参数是字符串。',
  takesStrings: '{port} 的参数是字符串列表。',
  notPlainData: '其回答不是纯数据。{problem}',
  ownMessage: '该策略发送了约定之外的消息。',
  messageTooLarge: '一条消息最多 {most} 字节，而这条为 {size} 字节。',
  messageTooFull: '一条消息最多包含 {most} 个值。',
  messageTooDeep: '一条消息最多嵌套 {most} 层。',

  tookTooLong: '该策略用时超过 {seconds} 秒。',
  computedTooLong: '该策略的计算时间超过 {seconds} 秒。',
  tooMuchMemory: '该策略占用的内存超过 {megabytes} MB。',
  tooManyBytes: '该策略与 Context Budget 交换的数据超过 {most} 字节。',
  tooManyCalls: '该策略调用端口超过 {most} 次。',
  tooManyWaiting: '等待答复的端口调用超过 {most} 个。',
  tooManyRequests: '一个方案最多可以要求 {most} 次摘要和提示（合计）。',
  tooManySearches: '一个方案最多可以搜索 {most} 次。',

  cannotConfine: 'Node.js {version} 无法隔离自定义策略。22.15 或更高版本可以。',
  starInFolder: '名称中有 * 的文件夹无法隔离：{folder}',
  processNotStarted: '无法启动该策略的进程：{reason}',
  processSignalled: '进程在回答之前结束（{signal}）。可能是内存不足。',
  processExited: '进程在回答之前结束（退出代码 {code}）。',
  cannotImport: '自定义策略不能导入 {module}。',
  wrongModuleFormat: '自定义策略只能导入 ES 模块和 JSON，不能导入 {file}。',
  noPath: '自定义策略通过路径读取文件。',
  cannotReadOutside: '自定义策略不能读取其工作区之外的内容：{path}',
});
