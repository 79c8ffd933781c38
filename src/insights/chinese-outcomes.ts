import type { SentenceTable } from './known-sentences.ts';

/** Why a compaction, or a step of one, did nothing, was refused or failed, in Simplified Chinese. */
export const chineseOutcomes: SentenceTable = {
  'The summarising model failed: {0}': '撰写摘要的模型失败：{0}',
  'This strategy never compacts.': '此策略从不压缩。',
  'Nothing to free.': '没有可释放的内容。',
  'Everything before the newest messages is summarised or protected already.':
    '最新消息之前的全部内容都已有摘要或受到保护。',
  'Everything before the newest messages is summarised already.': '最新消息之前的全部内容都已有摘要。',
  'Everything before the newest messages is summarised.': '最新消息之前的全部内容都已有摘要。',
  'Everything before the newest messages is compacted or protected already.':
    '最新消息之前的全部内容都已压缩或受到保护。',
  'All of the conversation is summarised or has to stay.': '整个对话都已有摘要或必须保留。',
  'There is nothing before the last messages that may leave.': '最近的消息之前没有可以移除的内容。',
  'There was too little since the last snapshot, or all of it has to stay.':
    '自上次快照以来的内容太少，或者全部必须保留。',
  'Nothing but the newest turn and what was found for its request is in view.':
    '上下文中只有最新的一轮以及为其请求找到的内容。',
  'What would leave is no larger than the passages that would take its place.':
    '将被移除的内容不比取代它的段落更大。',
  'No tool result is old and large enough to hide.': '没有足够旧且足够大、值得隐藏的工具结果。',
  'No tool output is old and large enough to mask.': '没有足够旧且足够大、值得遮蔽的工具输出。',
  'Nothing is old and large enough to be shortened.': '没有足够旧且足够大、值得缩减的内容。',
  'Nothing that may be shortened is old or large enough.': '可以缩减的内容都不够旧，或不够大。',
  'Nothing is left that could be shortened, summarised or folded.':
    '没有剩下可以缩减、撰写摘要或折叠的内容。',
  'No message is long enough to clip, and none may leave.': '没有长到需要截短的消息，也没有可以移除的消息。',
  'No text is longer than {#0} characters.': '没有超过 {0} 个字符的文本。',
  'What is over the budget is protected or was shortened before.': '超出预算的内容受到保护，或先前已缩减。',
  'Nothing that may leave is older than what fits.': '可以移除的内容中，没有比放得下的内容更早的。',
  'Everything fits into the budget of {#0} tokens.': '全部内容都在 {0} 个 token 的预算之内。',
  'The view is no larger than the size to come down to.': '上下文不大于要缩减到的大小。',
  'The window of the model is unknown and no budget is set.': '模型的窗口大小未知，也未设置预算。',
  'No concept is named to look for.': '未指定要查找的概念。',
  'No facts were found about any of the concepts.': '未找到有关任何概念的事实。',
  'Shortening before the window fills up is switched off.': '已关闭在窗口将满之前的缩减。',
  'Masking would free {#0} tokens, less than {#1}.': '遮蔽只能释放 {0} 个 token，少于 {1} 个。',
  'It would free {#0} tokens and have {#1} written to the prompt cache anew, which never pays.':
    '这会释放 {0} 个 token，但要将 {1} 个重新写入提示词缓存，永远无法收回成本。',
  'It would free {#0} tokens and have {#1} written to the prompt cache anew, which pays only after {#2} calls.':
    '这会释放 {0} 个 token，但要将 {1} 个重新写入提示词缓存，{2} 次调用后才能收回成本。',
  'The target is met already, or no rule finds anything to shorten.':
    '已达到目标，或者没有规则找到可缩减的内容。',
  'No rule finds anything to shorten, and nothing needs a summary.':
    '没有规则找到可缩减的内容，也没有内容需要摘要。',
  'Too little is left before the newest messages.': '最新消息之前剩下的内容太少。',
  'It was not asked for, or not needed.': '未作要求，或不需要。',
  'Rolled back, because the summary failed.': '由于摘要失败，已回退。',
  'What has to stay leaves no room for a summary.': '必须保留的内容没有为摘要留下空间。',
  'What has to stay takes at least {#0} tokens: system messages, tool schemas, memory, pins and the newest request. The target is {#1}.':
    '必须保留的内容至少占 {0} 个 token：系统消息、工具定义、记忆、已固定的消息和最新的请求。目标是 {1} 个。',

  '{0} is empty.': '{0} 为空。',
  'The summary takes {#0} tokens, the messages it would replace {#1}.':
    '摘要占 {0} 个 token，而它将取代的消息占 {1} 个。',
  '{0} has no compaction of its own.': '{0} 没有自己的压缩功能。',
  'The model has no compaction of its own.': '该模型没有自己的压缩功能。',

  'A summary has no source.': '有一份摘要没有来源。',
};
