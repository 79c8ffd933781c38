import type { AllocationGroup } from '../compaction/budget/budget.ts';
import type { SentenceKey } from './health-text-english.ts';

/** What the health list says, in Simplified Chinese, with the same names in braces as in English. */
export const chineseSentences: Readonly<Record<SentenceKey, string>> = {
  'prefix.none': '发送的请求不足两个，因此无法判断它们的开头是否一致。',
  'prefix.kept': '{pairs} 个请求都以其前一个请求的全部内容开头，提示词缓存可以提供所有这些内容。',
  'prefix.broken':
    '{pairs} 个请求中有 {whole} 个以其前一个请求的全部内容开头；所有 token 中有 {keptShare} 保持在原位。中断的原因：压缩 {compactions} 次，撤销压缩 {undos} 次，恢复消息 {restores} 次，其他 {others} 次。',
  'prefix.advice': '减少压缩的次数，每次多压缩一些：目标越低，到下一次压缩之前的空间就越大。',
  'staticFirst.good': '系统消息和记忆位于最前：{tokens} 个 token 的位置永不改变。',
  'staticFirst.late':
    '在第一个请求之后还有 {late} 条包含指令或记忆的消息，共 {tokens} 个 token。它们在会话进行期间加入，并在加入的位置发送。',
  'cache.unknown': '提供方尚未报告其输入中有多少来自缓存。',
  'cache.share': '{calls} 个请求的 {input} 个输入 token 中，有 {cachedShare} 来自提供方的缓存。',
  'cache.advice':
    '各请求的开头有 {keptShare} 的 token 保持不变。如果来自缓存的远少于此，则说明缓存在请求之间已失效，或者该端点不保留缓存。',
  'toolOutput.share':
    '工具结果占下一个请求的 {total} 个 token 中的 {resultShare}。已被后来的结果取代的有 {stale} 条，共 {staleTokens} 个 token。经压缩缩短、原文在存档中的消息有 {shortened} 条。',
  'toolOutput.advice': '遮蔽旧结果的策略（例如 ladder 或 observation-masking）释放的空间最多。',
  'ingest.none': '没有任何工具结果长到需要在传入时缩短。',
  'ingest.shortened': '传入时缩短的过长结果：{count} 条。其全文在存档中。',
  'ingest.long':
    '超过 {limit} 个 token 且完整留在上下文中的结果：{count} 条，共 {tokens} 个 token。传入时缩短的：{shortened} 条。',
  'ingest.advice': '请只读取文件的一部分，并减少输出；存档中的内容可以随时调回。',
  'trigger.unknown': '模型的上下文窗口大小未知，因此不会按其比例开始压缩。',
  'trigger.off': '压缩不会自动开始；只有当请求超出上下文窗口时才会压缩。',
  'trigger.sensible': '压缩在上下文窗口的 {triggerShare} 处开始，处于指南给出的 70–80% 范围内。',
  'trigger.late':
    '压缩在上下文窗口的 {triggerShare} 处开始，晚于指南给出的 70–80%：每个请求之前都会精确计数，并为回复预留 {reserved} 个 token。',
  'trigger.tooLate': '压缩在上下文窗口的 {triggerShare} 处开始：只要再有一条过长的结果，请求就会放不下。',
  'trigger.tooEarly':
    '压缩在上下文窗口的 {triggerShare} 处开始：压缩次数多于所需，而每次压缩都会使缓存失效。',
  'trigger.advice': '设在上下文窗口的 70% 到 85% 之间，既容得下一条过长的结果，也很少会多余地压缩。',
  'trigger.windowAdvice': '请设置模型的上下文窗口大小。',
  'trigger.modeAdvice': '让压缩自动开始，或在每次压缩之前询问。',
  'allocation.within': '上下文窗口的每个部分都在其份额之内。',
  'allocation.over':
    '超出其上下文窗口份额的部分：{groups}。其中最大的是{largest}，占 {usedShare}，而其份额为 {meantShare}。',
  'allocation.unknown': '模型的上下文窗口大小未知，因此没有哪个部分会过大。',
  'allocation.systemAdvice': '减少或缩短指令和记忆文件，可为每个请求腾出空间。',
  'allocation.toolsAdvice': '每个工具都会在每个请求中占用空间：请关闭其工具未被使用的服务器。',
  'protected.named':
    '永不压缩的内容：系统消息（{system} 个 token）、记忆（{memory}）、已固定的消息（{pins}）、最新的请求（{newestRequest}）和第一个请求（{firstRequest}）；工具定义占 {tools}。合计 {total}。',
  'protected.tight':
    '永不压缩的内容占 {total} 个 token，是压缩目标 {limit} 的 {floorShare}：系统消息 {system}，记忆 {memory}，已固定的消息 {pins}，最新的请求 {newestRequest}，第一个请求 {firstRequest}，工具定义 {tools}。',
  'protected.advice': '取消固定不再需要的消息，缩短记忆文件，关闭工具。',
  'completeness.none': '尚未进行过压缩。',
  'completeness.kept':
    '最近一次压缩之后，上下文中仍有 {keptShare} 的事实：文件 {files}/{filesTotal}，命令 {commands}/{commandsTotal}，错误 {errors}/{errorsTotal}，标识符 {identifiers}/{identifiersTotal}，请求 {userMessages}/{userMessagesTotal}。',
  'completeness.advice': '缺少的事实可以逐一找回；带有台账的策略会复制所有事实。',
  'strategy.none': '尚未进行过压缩，因此 {strategy} 没有产生任何成本。',
  'strategy.paid':
    '计入提示词缓存后已收回成本的压缩：{paid} 次，共 {compactions} 次；最近一次需要 {breakEven} 个请求，之后已有 {since} 个。',
  'strategy.open':
    '计入提示词缓存后，最近一次压缩需要 {breakEven} 个请求才能收回成本，之后已有 {since} 个；在它之前的 {earlier} 次压缩中，有 {paid} 次已收回成本。',
  'strategy.never':
    '计入提示词缓存后，最近一次压缩永远无法收回成本：相对于它重新写入的内容，节省得太少。在它之前的 {earlier} 次压缩中，有 {paid} 次已收回成本。',
  'strategy.often':
    '在 {calls} 个请求中，上下文被重写了 {compactions} 次：提示词缓存重新写入的次数多于读取的次数。',
  'strategy.advice': '每次压缩更大的一批：让目标比触发点低得更多，或使用 ladder 策略。',
  'task.none': '尚未发送请求。',
  'task.reported':
    '你输入了 {tasks} 条消息，据提供方报告，平均每条的输入为 {perTask} 个 token，花费相当于没有缓存时的 {billedPerTask} 个。',
  'task.counted':
    '你输入了 {tasks} 条消息，据此处计数，平均每条的输入为 {perTask} 个 token；若提示词缓存从不失效，花费相当于没有缓存时的 {billedPerTask} 个。',
  'task.advice': '重要的是整个任务，而不是单个请求：这些输入大部分无法从缓存中读取。',
};

/** The parts of the window that sentences name. */
export const chineseGroups: Readonly<Record<AllocationGroup, string>> = {
  system: '系统',
  tools: '工具',
  conversation: '对话',
  toolOutput: '工具输出',
  documents: '文档',
};
