import type { SentenceTable } from './known-sentences.ts';

/** Why a compaction, or a step of one, did nothing, was refused or failed, in Simplified Chinese. */
export const chineseOutcomes: SentenceTable = {
  'This strategy never compacts.': '此策略从不压缩。',
  'The plan changes nothing.': '该方案未作任何更改。',
  'Stopped before it was done.': '尚未完成即已停止。',
  'The conversation changed meanwhile.': '对话在此期间有了变化。',
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

  'This strategy needs a model and there is none.': '此策略需要模型，但没有可用的模型。',
  'This chat has reached its limit for automatic summaries.': '此聊天已达到自动摘要的用量上限。',
  'The summarising model failed: {0}': '撰写摘要的模型失败：{0}',
  'The window of {0} ({#1} tokens) is too small to summarise anything.':
    '{0} 的窗口（{1} 个 token）太小，无法撰写任何摘要。',
  'The model returned no text.': '模型没有返回文本。',
  'The model returned nothing but white space.': '模型只返回了空白字符。',
  'The model returned its reasoning, but no summary.': '模型只返回了思考过程，没有摘要。',
  'The summary was cut off at its output limit.': '摘要在输出上限处被截断。',
  'The summary takes {#0} tokens and its limit is {#1}.': '摘要占 {0} 个 token，而其上限为 {1} 个。',
  'The summary breaks off before its closing tag.': '摘要在其结束标记之前中断。',
  "The model's reply has no <{0}>.": '模型的回复中没有 <{0}>。',
  'The summary is empty.': '摘要为空。',
  '{0} is empty.': '{0} 为空。',
  'The reply holds no facts that can be read.': '回复中没有可读取的事实。',
  'No summary is smaller than the messages it is of.': '没有一份摘要比其所取代的消息更小。',
  'The summary takes {#0} tokens, the messages it replaces {#1}.':
    '摘要占 {0} 个 token，而它所取代的消息占 {1} 个。',
  'The summary takes {#0} tokens, the messages it would replace {#1}.':
    '摘要占 {0} 个 token，而它将取代的消息占 {1} 个。',
  '{0} has no compaction of its own.': '{0} 没有自己的压缩功能。',
  'The model has no compaction of its own.': '该模型没有自己的压缩功能。',

  'A provider would refuse the result. {0}': '提供方会拒绝压缩后的请求。{0}',
  'A call of message {0} became another call.': '消息 {0} 的一次调用变成了另一次调用。',
  'Arguments of message {0} are no longer valid JSON.': '消息 {0} 的参数不再是有效的 JSON。',
  'Message {0} is protected and would be gone.': '消息 {0} 受到保护，却会被移除。',
  'Message {0} is protected and would be changed.': '消息 {0} 受到保护，却会被更改。',
  'Message {0} would change its place.': '消息 {0} 的位置会改变。',
  'Message {0} would be kept, but is missing or different.': '消息 {0} 应当保留，却缺失或有所不同。',
  'Message {0} stands before the first change, but differs.': '消息 {0} 位于首个更改之前，却有所不同。',
  'A new message would stand before the system message {0}.': '会有一条新消息位于系统消息 {0} 之前。',
  'Message {0} is new in the view, and no summary of the plan.':
    '消息 {0} 在上下文中是新的，却不是该方案的摘要。',
  'Message {0} would change in more than its text and its arguments.':
    '消息 {0} 除文本和参数外，还会有其他更改。',
  'Message {0} would say that something else became of it.': '消息 {0} 所注明的处理方式会与实际不符。',
  'Message {0} has no text that a placeholder could stand for.': '消息 {0} 没有可由占位文本代替的内容。',
  'The placeholder of message {0} is empty.': '消息 {0} 的占位文本为空。',
  'Message {0} has no text that could be clipped.': '消息 {0} 没有可截短的文本。',
  'The content of message {0} would become content of another type.': '消息 {0} 的内容会变成另一种类型。',
  'The text of message {0} would become another one, not a shorter form of it.':
    '消息 {0} 的文本会变成另一段文本，而不是它的缩短形式。',
  'An image or another part of message {0} would be gone, and no note would say so.':
    '消息 {0} 的一张图片或其他部分会被移除，且没有说明。',
  'Message {0} would have other calls.': '消息 {0} 的调用会变成其他调用。',
  'Arguments of message {0} would say something else: only their texts may become shorter.':
    '消息 {0} 的参数会有不同的含义：只能缩短其中的文本。',
  'The view would take {#0} tokens, now it takes {#1}.': '上下文将占 {0} 个 token，而现在占 {1} 个。',
  'The view would still take {#0} tokens, over the window of {#1}.':
    '上下文仍会占 {0} 个 token，超出 {1} 个的窗口。',
  'The view would take {#0} tokens, over the target of {#1}.':
    '上下文将占 {0} 个 token，超过了 {1} 个的目标。',
  'The call {0} of message {1} has no result behind it.': '消息 {1} 的调用 {0} 之后没有结果。',
  'Message {0} answers the call {1} a second time.': '消息 {0} 再次回应了调用 {1}。',
  'Message {0} answers no call before it.': '消息 {0} 没有回应其之前的任何调用。',
  'Message {0} has the unknown role {1}.': '消息 {0} 的角色 {1} 未知。',
  'Message {0} has an empty list of tool calls.': '消息 {0} 的工具调用列表为空。',
  'Message {0} has no content.': '消息 {0} 没有内容。',
  'Tool result {0} has no content.': '工具结果 {0} 没有内容。',
  'The view has no message {0}.': '上下文中没有消息 {0}。',
  'The view has no message {0} to insert behind.': '上下文中没有可在其后插入的消息 {0}。',
  'The plan names message {0} twice.': '该方案两次提到消息 {0}。',
  'A summary has no source.': '有一份摘要没有来源。',
};
