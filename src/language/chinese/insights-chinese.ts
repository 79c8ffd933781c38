import type { insightsSentences } from '../english/insights-english.ts';
import { translations } from '../translations.ts';

/** The sentences of the inspector's findings in Simplified Chinese. */
export const insightsChinese = translations<typeof insightsSentences>('insights')({
  prefixUnknown: '发送的请求不足两个，尚无前缀可供比较。',
  prefixKept: '{pairs} 个请求都以完整的上一个请求开头，提示词缓存可以提供其中的全部内容。',
  prefixBroken:
    '{pairs} 个请求中有 {whole} 个以完整的上一个请求开头；所有 token 中有 {keptShare:percent} 保持在原位。其余的变化来自：压缩 {compactions} 次，撤销 {undos} 次，恢复消息 {restores} 次，其他 {others} 次。',
  prefixAdvice: '减少压缩次数，每次多压缩一些：目标越低，下一次压缩之前的空间就越大。',

  differenceNone: '此请求以完整的上一个请求开头，提示词缓存可以提供其中的全部内容。',
  differenceExpired:
    '提供商从缓存中读取的内容却少得多。缓存条目几分钟后就会过期，较短的提示词往往不被缓存；两次回复相隔 {minutes} 分钟。',
  differenceModel: '换了一个模型回答：之前是 {before}，现在是 {after}。不同模型不共享缓存。',
  differenceTools: '工具列表发生了变化，而工具排在所有消息之前发送。{changes}。',
  toolsAdded: '新增：{tools}',
  toolsRemoved: '移除：{tools}',
  toolsChanged: '描述有变：{tools}',
  toolFieldsReordered: '内容相同但字段顺序不同：{tools}',
  differenceToolOrder: '相同的工具以另一种顺序发送，且排在所有消息之前。',
  differenceCompaction: '一次压缩从这里开始改写了对话：{strategy}。',
  differenceHidden: '手动隐藏了一些消息。',
  differenceRewound: '对话从较早的一条消息继续。',
  differenceUndo: '撤销了 {count} 次压缩。',
  differenceRestore: '恢复了 {count} 条消息。',
  differenceLate: '某次工具调用的结果在一个不含它的请求发出之后才到达。',
  firstChangeSystem: '第一处变化在系统提示词中。',
  firstChangeMemory: '第一处变化在记忆中：{source}。',
  firstChangeAttachments: '第一处变化在一条带附件的消息中。',

  newMemory: '加载或更改了记忆：{sources}（{tokens} 个 token，添加在末尾）。',
  newSystem: '新增或更改了指令（{tokens} 个 token，添加在末尾）。',
  newAttachments: '新增了 {count} 条带附件的消息（{tokens} 个 token）。',

  viewKept: '两个时刻都在上下文中',
  viewSaid: '在此期间说的',
  viewRestored: '重新回到上下文',
  viewUnwritten: '写下它的那次压缩已不再生效',
  viewArrived: '它所顶替的结果已经到达',

  staticFirst: '系统消息和记忆位于最前：{tokens} 个 token 的位置永不改变。',
  staticLate:
    '有 {late} 条包含指令或记忆的消息（{tokens} 个 token）在会话进行期间加入，并在第一个请求之后发送；这不会影响缓存。',

  cacheUnknown: '提供方尚未报告有多少输入来自其缓存。',
  cacheShare: '{calls} 个请求的 {input} 个输入 token 中，有 {cachedShare:percent} 来自提供方的缓存。',
  cacheAdvice:
    '各请求的开头有 {keptShare:percent} 的 token 保持不变。如果来自缓存的远少于此，则说明缓存在请求之间已过期，或者该端点没有缓存。',

  toolOutputShare:
    '工具结果占下一个请求的 {total} 个 token 中的 {resultShare:percent}。已被后来的结果取代：{stale} 条（{staleTokens} 个 token）。经压缩缩短、原文在存档中：{shortened} 条。',
  toolOutputAdvice: '遮蔽旧结果的策略（例如“{ladder}”或“{masking}”）释放的空间最多。',

  ingestNone: '没有任何工具结果长到需要在传入时缩短。',
  ingestShortened: '有 {count} 条过长的工具结果在传入时缩短。全文在存档中。',
  ingestLong:
    '有 {count} 条超过 {limit} 个 token 的工具结果完整地留在上下文中，共 {tokens} 个 token。传入时缩短：{shortened} 条。',
  ingestAdvice: '请只读取文件的一部分，并减少输出；存档中的内容可以随时调回。',

  triggerUnknown: '模型的上下文窗口大小未知，因此不会按其比例开始压缩。',
  triggerOff: '自动压缩已关闭；只有当请求超出上下文窗口时才会压缩。',
  triggerAt: '压缩在 {trigger} 个 token（上下文窗口的 {triggerShare:percent}）时开始',
  triggerBegins:
    '压缩在 {background} 个 token 时于后台开始，最迟在 {trigger} 个（上下文窗口的 {triggerShare:percent}）时进行',
  triggerSensible: '{starts}，处于建议的 70–85% 范围内。',
  triggerLate: '{starts}，晚于建议的 70–85%。为回复留有 {reserved} 个 token。',
  triggerTooLate: '{starts}：只要再有一条过长的结果，下一个请求就会放不下。',
  triggerTooEarly: '{starts}：早于所需，而每次压缩都会使缓存失效。',
  triggerAdvice: '设在上下文窗口的 70% 到 85% 之间，既容得下一条过长的结果，也没有多余的压缩。',
  windowAdvice: '请设置模型的上下文窗口大小。',
  modeAdvice: '让压缩自动开始，或在每次压缩之前询问。',

  allocationWithin: '上下文窗口的每个部分都在其份额之内。',
  allocationOver:
    '超出其上下文窗口份额的部分：{groups}。其中最大的是{largest}，占上下文窗口的 {usedShare:percent}，而其份额为 {meantShare:percent}。',
  allocationUnknown: '模型的上下文窗口大小未知，因此没有哪个部分会超出其份额。',
  allocationSystemAdvice: '减少或缩短指令和记忆文件，可为每个请求腾出空间。',
  allocationToolsAdvice: '每个工具都会在每个请求中占用 token：请关闭其工具未被使用的服务器。',
  groupSystem: '系统',
  groupTools: '工具定义',
  groupConversation: '对话',
  groupToolOutput: '工具输出',
  groupDocuments: '文档',

  protectedNamed:
    '永不压缩的内容：系统消息（{system} 个 token）、记忆（{memory}）、已固定的消息（{pins}）、最新的请求（{newestRequest}）和第一个请求（{firstRequest}）。工具定义占 {tools}。合计 {total}。',
  protectedTight:
    '永不压缩的内容占 {total} 个 token，是压缩目标 {limit} 的 {floorShare:percent}：系统消息 {system}，记忆 {memory}，已固定的消息 {pins}，最新的请求 {newestRequest}，第一个请求 {firstRequest}，工具定义 {tools}。',
  protectedNotInFile:
    '永不压缩的内容：文件中没有的部分，如系统提示和工具定义（{notInFile} 个 token）、文件中的系统消息（{system}）、记忆（{memory}）、已固定的消息（{pins}）、最新的请求（{newestRequest}）和第一个请求（{firstRequest}）。文件中的工具定义占 {tools}。合计 {total}。',
  protectedTightNotInFile:
    '永不压缩的内容占 {total} 个 token，是压缩目标 {limit} 的 {floorShare:percent}：文件中没有的部分 {notInFile}，文件中的系统消息 {system}，记忆 {memory}，已固定的消息 {pins}，最新的请求 {newestRequest}，第一个请求 {firstRequest}，文件中的工具定义 {tools}。',
  protectedAdvice: '取消固定不再需要的消息，缩短记忆文件，或关闭工具。',

  completenessNone: '尚未进行过压缩。',
  completenessKept:
    '最近一次压缩之后，上下文中仍有 {keptShare:percent} 的事实：文件 {files}/{filesTotal}，命令 {commands}/{commandsTotal}，错误 {errors}/{errorsTotal}，标识符 {identifiers}/{identifiersTotal}，请求 {userMessages}/{userMessagesTotal}。',
  completenessAdvice: '缺少的事实可以逐一找回；带有台账的策略会复制所有事实。',

  strategyNone: '尚未进行过压缩，因此 {strategy} 没有产生任何成本。',
  strategyPaid:
    '{compactions} 次压缩中有 {paid} 次已收回其造成的缓存未命中的成本。最近一次需要 {breakEven} 个请求，之后已发送 {since} 个。',
  strategyOpen:
    '最近一次压缩需要 {breakEven} 个请求才能收回其造成的缓存未命中的成本，之后已发送 {since} 个。此前的 {earlier} 次压缩中，有 {paid} 次已收回成本。',
  strategyNever:
    '最近一次压缩永远无法收回其造成的缓存未命中的成本：节省得太少。此前的 {earlier} 次压缩中，有 {paid} 次已收回成本。',
  strategyOften: '在 {calls} 个请求中，上下文被重写了 {compactions} 次：提示词缓存写入的次数多于读取的次数。',
  strategyAdvice: '每次压缩更大的一批：让目标比触发点低得更多，或使用“{ladder}”策略。',

  taskNone: '尚未发送请求。',
  taskReported:
    '你输入了 {tasks} 条消息，据提供方报告，平均每条的输入为 {perTask} 个 token，花费相当于未缓存的 {billedPerTask} 个。',
  taskCounted:
    '你输入了 {tasks} 条消息，据此处计数，平均每条的输入为 {perTask} 个 token。若提示词缓存从不过期，花费相当于未缓存的 {billedPerTask} 个。',
  taskAdvice: '重要的是整个任务，而不是单个请求：这些输入大部分无法从缓存中读取。',
});
