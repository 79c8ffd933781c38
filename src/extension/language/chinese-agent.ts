import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What the agent says of its turns, its tools and what it asks leave for. */
export const agentSentences: SentenceTable = {
  'The last turn was interrupted before it was done.': '上一轮在完成之前被中断。',
  'The chat could not be saved: {0}': '无法保存聊天: {0}',
  'There is no such chat any more.': '此聊天已不存在。',
  'It is not a file.': '它不是文件。',
  'A newer version of Context Budget wrote this chat, so that this one only reads it.':
    '此聊天由较新版本的 Context Budget 写入，因此当前版本只能读取。',
  'Another window went on with this chat after it was read here. Open it again.':
    '此聊天在这里读取之后，另一个窗口继续了它。请重新打开。',
  'This chat is open in another window, and only that one writes it.':
    '此聊天已在另一个窗口中打开，只有该窗口可以写入。',
  'Another window writes this file.': '另一个窗口正在写入此文件。',
  'The message is pinned, but it is never sent: it answers no call, or there is nothing in it.':
    '消息已固定，但永远不会被发送：它没有回应任何调用，或没有内容。',
  'The message was pinned already.': '该消息先前已固定。',
  'The pinned message is in the context again, as it was said.': '已固定的消息已原样恢复到上下文中。',
  'The pinned message is in the context again, as it was said, with the other message of its exchange.':
    '已固定的消息已原样恢复到上下文中，同一次交互的另一条消息也一并恢复。',
  'The pinned message is in the context again, as it was said, with the {#0} other messages of its exchange.':
    '已固定的消息已原样恢复到上下文中，同一次交互的另外 {0} 条消息也一并恢复。',

  'This sub-agent has ended.': '此子代理已结束。',
  'The counting thread ended.': '计数线程已结束。',
  'The thread that tries strategies ended.': '试用策略的线程已结束。',

  'The MCP server {0} cannot be used: {1}': '无法使用 MCP 服务器 {0}: {1}',
  'The environment variable {0} is not set.': '未设置环境变量 {0}。',
  'There is no secret {0}: run "Context Budget: Set Secret for MCP Server".':
    '没有机密 {0}: 请运行“Context Budget: 设置 MCP 服务器的机密”。',
  'References cannot change the host of a URL.': '引用不能更改 URL 的主机。',
  'No folder is open.': '没有打开的文件夹。',

  'What is always allowed could not be read: {0}': '无法读取始终允许的操作: {0}',
  'What is always allowed could not be read, so nothing is.': '无法读取始终允许的操作，因此均不允许。',
  'What is always allowed holds until this window closes only: {0}':
    '始终允许的操作仅在此窗口关闭前有效: {0}',
  'Edits to source texts and documents, but not to what sets up tools, runs by itself or instructs agents':
    '编辑源代码和文档，但不包括设置工具、自行运行或指示代理的文件',
  '{0} … (with all options that only look, inside the workspace)': '{0} … (可带所有仅查看的选项，限工作区内)',
  '{0} … (with its everyday options, inside the workspace)': '{0} … (可带其日常选项，限工作区内)',
  'Reading {0}': '读取 {0}',
  'Exactly: {0}': '仅限: {0}',
  '{0}, in the sandbox without network': '{0}，在沙盒内且无网络',
  '{0}, in the sandbox with network': '{0}，在沙盒内且有网络',
  '{0}, outside the sandbox': '{0}，在沙盒外',
  'The tool {0}': '工具 {0}',
  'Notes to remember': '要记住的笔记',
  'Starting sub-agents': '启动子代理',

  'Change {#0} files': '更改 {0} 个文件',
  'Create {0}': '创建 {0}',
  'Delete {0}': '删除 {0}',
  'Edit {0}': '编辑 {0}',
  'Run {0}': '运行 {0}',
  'Read {0}': '读取 {0}',
  'Call {0} of the MCP server {1}': '调用 MCP 服务器 {1} 的 {0}',
  'Remember in {0}': '记入 {0}',
  'Start a sub-agent': '启动一个子代理',
  'Start {#0} sub-agents': '启动 {0} 个子代理',
  '{0} may hold secrets.': '{0} 可能含有机密。',
  '{0} is no plain source text or document: it may set up tools, run code or instruct agents.':
    '{0} 不是普通的源代码或文档：它可能会设置工具、运行代码或指示代理。',
  '{0} changes scripts, which run code.': '{0} 会更改脚本，而脚本会运行代码。',
  '{0} loses {#1} of its {#2} lines.': '{0} 将失去其 {2} 行中的 {1} 行。',
  'It has characters in it that cannot be seen.': '其中含有不可见的字符。',
  'It deletes or overwrites files for good.': '它会永久删除或覆盖文件。',
  'It reaches the network, and can send what it reads.': '它会访问网络，并可能发送所读取的内容。',
  'It changes who may do what on this computer.': '它会更改此计算机上的权限。',
  'It changes what this computer runs or stops.': '它会启动或停止此计算机上的程序。',
  'It publishes, or acts in your name elsewhere.': '它会发布内容，或在别处以你的名义操作。',
  'It changes how git works here, which can run other programs.':
    '它会更改此处 git 的工作方式，从而可能运行其他程序。',
  'It changes how git works for this command, which can run other programs.':
    '它会更改 git 执行此命令的方式，从而可能运行其他程序。',

  '{0}: Run {1}': '{0}: 运行 {1}',
  '{0}: Read {1}': '{0}: 读取 {1}',
  '{0}: Edit {1}': '{0}: 编辑 {1}',
  '{0}: Create {1}': '{0}: 创建 {1}',
  '{0}: Delete {1}': '{0}: 删除 {1}',
  '{0}: Change {#1} files': '{0}: 更改 {1} 个文件',
  '{0}: Call {1} of the MCP server {2}': '{0}: 调用 MCP 服务器 {2} 的 {1}',
  '{0}: Remember in {1}': '{0}: 记入 {1}',

  'Attaching this needs a folder that is open and trusted.': '附加此内容需要已打开且受信任的文件夹。',
  'No text is open in the editor.': '编辑器中没有打开的文本。',
  'Nothing is selected in the editor.': '编辑器中未选定任何内容。',
  '{0} may hold secrets: it is sent to the model as it is.': '{0} 可能含有机密: 它会原样发送给模型。',
  'A path cannot contain a NUL character.': '路径不能含有 NUL 字符。',
  'The path is too long.': '路径过长。',
  'There are several folders; a path starts with one of: {0}.':
    '打开了多个文件夹；路径须以其中之一开头: {0}。',
  '{0} is outside the workspace and cannot be read.': '{0} 在工作区之外，无法读取。',
  '{0} is a directory.': '{0} 是文件夹。',
  '{0} is not a regular file and cannot be read.': '{0} 不是常规文件，无法读取。',
  '{0} has {1}; files over {2} are not read.': '{0} 的大小为 {1}；不读取超过 {2} 的文件。',
  '{0} is a binary file and cannot be read as text.': '{0} 是二进制文件，无法作为文本读取。',
  '{0} has {#1} lines; there is no line {#2}.': '{0} 有 {1} 行；没有第 {2} 行。',
  'There is no commit {0}.': '没有提交 {0}。',
  'git failed: {0}': 'git 失败: {0}',
  'git is not installed, or not in the PATH.': '未安装 git，或 git 不在 PATH 中。',
  'This folder is not in a git repository.': '此文件夹不在 git 存储库中。',
  'The files of this git repository are somewhere else, outside the workspace.':
    '此 git 存储库的文件位于工作区之外的其他位置。',
  'git does not trust this repository, because it belongs to somebody else. A person can change that with git config --global --add safe.directory.':
    'git 不信任此存储库，因为它属于其他人。可使用 git config --global --add safe.directory 更改。',
  'git cannot read this repository: {0}': 'git 无法读取此存储库: {0}',

  'These edits were undone already.': '这些编辑已被撤销。',
  'There are no edits to undo here.': '此处没有可撤销的编辑。',
  'What the files were before is not kept any more.': '文件之前的内容已不再保留。',
  '{0} is being written by something else. Try again.': '其他程序正在写入 {0}。请重试。',
  '{0} cannot be opened as a text.': '{0} 无法作为文本打开。',
  '{0} was changed meanwhile, so nothing was written. Read it again.':
    '{0} 在此期间已被更改，因此未写入任何内容。请重新读取。',
  'The editor did not accept the changes, so nothing was written.':
    '编辑器没有接受这些更改，因此未写入任何内容。',
  '{0} could not be saved, so nothing was written.': '无法保存 {0}，因此未写入任何内容。',
};
