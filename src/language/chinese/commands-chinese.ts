import type { commandSentences } from '../english/commands-english.ts';
import type { startupSentences } from '../english/startup-english.ts';
import { translations } from '../translations.ts';

export const commandChinese = translations<typeof commandSentences>('commands')({
  hide: '隐藏',
  hideMessages: '从上下文中隐藏 {count} 条消息？',
  hideFrees: '释放 {freed} 个 token。消息仍保留在聊天中，可以重新显示。',
  hidePays:
    '释放 {freed} 个 token。下一次请求会重新写入 {rewritten} 个 token 到提示缓存，{calls} 次请求后回本。消息可以重新显示。',
  hideNeverPays:
    '释放 {freed} 个 token。下一次请求会重新写入 {rewritten} 个 token 到提示缓存，花费超过节省。消息可以重新显示。',
  hideTheOthers: '隐藏其余消息',
  isProtected: '“{excerpt}”受保护。',
  protectedByPin: '此消息已固定。',
  unpinAndHide: '取消固定并隐藏',
  protectedAsFirst: '这是聊天的第一个请求，由“保护第一条消息”设置保留。',
  unprotectFirst: '关闭此保护',
  protectedAsNewest: '这是你最新的请求。发送下一个请求后即可隐藏。',
  protectedAsMemory: '这是记忆或当前计划，代理在每一步之前都会读取。',
  protectedAsSystem: '这是系统消息。',
  protectedAsOpenCall: '模型仍在等待这些调用的结果。',
  compactPart: '压缩 {count} 条消息',
  compactPartWidened: '压缩 {count} 条消息（已扩展到完整的调用往来）',
  hidePartDetail: '将这些消息移出上下文，不写摘要。',
  compactWithPreview: '先预览…',
  compactWithPreviewDetail: '先显示摘要和差异，应用之前不作任何更改。',
  previewWithAnother: '使用其他策略预览',
  focusTitle: '摘要的重点',
  focusPlaceholder: '需要特别注意的内容（可选）',
  nothingAfterMessage: '上下文中此消息之后没有内容。',
  rewindTitle: '从此处继续',
  rewindFilesStay: '已更改的文件保持不变。此操作可以撤消。',
  rewindWithout: '略去之后的内容',
  rewindWithoutDetail: '上下文到此消息为止。固定的消息和记忆会保留。',
  rewindWithSummary: '保留之后内容的摘要',
  rewindWithSummaryDetail: '由模型为之后的消息撰写摘要，并以摘要取而代之。',

  // Handing a chat off.
  nothingToName: '此聊天中还没有内容，无法命名。',
  namingChat: '{model} 正在撰写标题',

  nothingToHandOff: '目前没有可交接的内容。',
  handOffTitle: '交接聊天',
  handOffPlaceholder: '可以先编辑文本，再选择它的去处',
  handoffToChat: '用它开始新聊天',
  handoffToChatDetail: '文本成为第一条消息的草稿。',
  handoffToClipboard: '复制',
  handoffToFile: '保存为 Markdown 文件…',
  handoffToFileDetail: '供其他代理使用，或留待以后。',
  handoffAddSummary: '加入讨论的摘要',
  handoffAddSummaryDetail: '向模型发送一次请求；对话共 {tokens} 个 token。',
  handoffSummarising: '{model} 正在撰写讨论的摘要',
  handoffCopied: '已复制交接内容。',
  handoffStaysOpen: '交接文本保持打开。再次运行 /handoff 即可选择它的去处。',
});

/** The sentences of code that is loaded at activation, in Simplified Chinese. */
export const startupChinese = translations<typeof startupSentences>('startup')({
  chatIsElsewhere: '此聊天已在另一个窗口中打开，只有该窗口可以写入。',
  fileIsLocked: '另一个窗口正在写入此文件。',
  noEditsToUndo: '此处没有可撤销的编辑。',
  pathHasNul: '路径不能含有 NUL 字符。',
  pathIsOutside: '{path} 在工作区之外，无法读取。',
  pathIsTooLong: '路径过长。',
  turnInterrupted: '上一轮在完成之前被中断。',
  pathNeedsFolder: '打开了多个文件夹；路径须以其中之一开头：{folders}。',
});
