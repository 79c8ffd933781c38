import type { SentenceTable } from './known-sentences.ts';

/** What is wrong with a strategy of people's own, and with options, in Simplified Chinese. */
export const chineseCustomOutcomes: SentenceTable = {
  'The custom strategy (contextBudget.strategies.custom) must be a module and its export, "./path/file.mjs#ExportName", or the id of a registered strategy, "publisher.extension/strategy-id". It is empty.':
    '自定义策略（contextBudget.strategies.custom）必须是模块及其导出 "./path/file.mjs#ExportName"，或已注册策略的 ID "publisher.extension/strategy-id"。它现在为空。',
  'The custom strategy (contextBudget.strategies.custom) must be a module and its export, "./path/file.mjs#ExportName", or the id of a registered strategy, "publisher.extension/strategy-id". It is {0}.':
    '自定义策略（contextBudget.strategies.custom）必须是模块及其导出 "./path/file.mjs#ExportName"，或已注册策略的 ID "publisher.extension/strategy-id"。它现在是 {0}。',
  '{0}: a module can only be loaded from a folder that is open and trusted.':
    '{0}：只能从已打开且受信任的文件夹加载模块。',
  '{0}: the file is outside the workspace and is not loaded.': '{0}：该文件位于工作区之外，不会加载。',
  '{0}: there is no such file.': '{0}：没有此文件。',
  '{0}: no extension has registered this strategy, or it was taken back. Registered now: none.':
    '{0}：没有扩展注册此策略，或者已撤回。目前没有已注册的策略。',
  '{0}: no extension has registered this strategy, or it was taken back. Registered now: {1}.':
    '{0}：没有扩展注册此策略，或者已撤回。目前已注册：{1}。',
  '{0}: The module does not export it; it exports nothing.': '{0}：模块没有导出它；模块没有任何导出。',
  '{0}: The module does not export it; it exports {1}.': '{0}：模块没有导出它；模块导出了 {1}。',
  '{0}: The export is neither a class nor a function.': '{0}：该导出既不是类，也不是函数。',
  '{0}: The strategy has no plan(input, ports, signal).': '{0}：该策略没有 plan(input, ports, signal)。',
  '{0}: inject must be a list of {1}.': '{0}：inject 必须是由 {1} 组成的列表。',
  '{0}: inject names {1}; there are {2}.': '{0}：inject 中有 {1}；可用的有 {2}。',
  '{0}: it took longer than {#1} s.': '{0}：用时超过 {1} 秒。',
  '{0}: It called its ports over {#1} times.': '{0}：它调用其端口超过 {1} 次。',
  '{0}: It sent a message of its own.': '{0}：它发送了自己的消息。',
  '{0}: Its process ended before it had answered (exit code {1}).':
    '{0}：其进程在回答之前已结束（退出代码 {1}）。',
  '{0}: Its process ended before it had answered ({1}); memory may have run out.':
    '{0}：其进程在回答之前已结束（{1}）；内存可能已耗尽。',
  '{0}: It took more than {#1} MB of memory.': '{0}：它占用的内存超过 {1} MB。',
  '{0}: It computed for more than {#1} s.': '{0}：它的计算时间超过 {1} 秒。',
  '{0}: Its process cannot be started: {1}': '{0}：无法启动其进程：{1}',
  '{0}: Node.js {1} cannot confine a custom strategy; 22.15 is the first version that can.':
    '{0}：Node.js {1} 无法限制自定义策略；22.15 是第一个可以做到的版本。',
  '{0}: A folder with * in its name cannot be confined: {1}': '{0}：名称中带有 * 的文件夹无法限制：{1}',
  '{0}: It exchanged over {#1} bytes with its host.': '{0}：它与宿主交换的数据超过 {1} 字节。',
  '{0}: A message may take {#1} bytes, this one takes {#2}.':
    '{0}：一条消息最多 {1} 字节，这一条有 {2} 字节。',
  '{0}: A message may hold {#1} values.': '{0}：一条消息最多包含 {1} 个值。',
  '{0}: A message may be {#1} levels deep.': '{0}：一条消息最多嵌套 {1} 层。',
  '{0}: Over {#1} calls of its ports wait for replies.': '{0}：有超过 {1} 次端口调用在等待答复。',
  '{0}: A custom strategy cannot import {1}.': '{0}：自定义策略不能导入 {1}。',
  '{0}: A custom strategy can import ES modules and JSON only, not {1}.':
    '{0}：自定义策略只能导入 ES 模块和 JSON，不能导入 {1}。',
  '{0}: A custom strategy cannot read outside its workspace: {1}':
    '{0}：自定义策略不能读取工作区之外的内容：{1}',
  '{0}: A custom strategy reads files by their paths.': '{0}：自定义策略按路径读取文件。',
  'One plan may search {#0} times.': '一个方案最多可以搜索 {0} 次。',
  '{0}: The answer is not plain data. {1}': '{0}：其回答不是纯数据。{1}',

  'There is no model.': '没有模型。',
  '{0} takes a text.': '{0} 的参数是文本。',
  '{0} takes a list of texts.': '{0} 的参数是文本列表。',

  '{0} must be {1}, not {2}.': '{0} 必须是{1}，而不是 {2}。',
  'true or false': ' true 或 false',
  'a text': '文本',
  'a list': '列表',
  'an object': '对象',
  'one of {0}': '以下值之一: {0}',
  'a number from {#0} to {#1}': ' {0} 到 {1} 之间的数字',
  'a whole number from {#0} to {#1}': ' {0} 到 {1} 之间的整数',

  'There was nothing to do: {0}': '没有可压缩的内容：{0}',
  'The plan is not valid: {0}': '方案无效：{0}',
  'The result is not valid: {0}': '压缩后的请求无效：{0}',
  'Something protected would change: {0}': '受保护的内容会被更改：{0}',
  'The order would change: {0}': '顺序会改变：{0}',
  'What stands before the first change would change: {0}': '首个更改之前的内容会改变：{0}',
  'A message would say something else: {0}': '一条消息的含义会改变：{0}',
  'The result is not smaller: {0}': '压缩后并未变小：{0}',
  'The limit for automatic summaries is reached: {0}': '已达到自动摘要的用量上限：{0}',
  'The result is over the target: {0}': '压缩后仍超出目标：{0}',
  'The summary cannot be used: {0}': '摘要无法使用：{0}',
  'There is no model: {0}': '没有可用的模型：{0}',
  'The provider cannot compact: {0}': '提供方无法压缩：{0}',
  'The strategy failed: {0}': '策略失败：{0}',
  'The custom strategy cannot be found: {0}': '找不到自定义策略：{0}',
  'The custom strategy failed: {0}': '自定义策略失败：{0}',
  'The custom strategy took too long: {0}': '自定义策略用时过长：{0}',
  'The answer of the custom strategy cannot be used: {0}': '自定义策略的回答无法使用：{0}',
  'The conversation changed: {0}': '对话有了变化：{0}',
  'There is no room left: {0}': '没有剩余空间：{0}',
  'It was stopped: {0}': '已停止：{0}',
};
