import { startupSentences } from './startup-english.ts';
import { translations } from './sentence.ts';

/** The sentences of code that is loaded at activation, in Simplified Chinese. */
export const startupChinese = translations(startupSentences)({
  chatIsElsewhere: '此聊天已在另一个窗口中打开，只有该窗口可以写入。',
  fileIsLocked: '另一个窗口正在写入此文件。',
  mcpArgs: '"args" 必须是字符串列表。',
  mcpCwd: '"cwd" 必须是字符串。',
  mcpEnv: '"env" 必须是值为字符串的对象。',
  mcpHeaders: '"headers" 必须是值为字符串的对象。',
  mcpName: '名称必须以字母开头，且只能含有字母、数字、- 和 _。',
  mcpNoTarget: '需要 "command" (要启动的程序) 或 "url" (可流式 HTTP 服务器的地址)。',
  mcpNotObject: '必须是含有 "command" 或 "url" 的对象。',
  mcpServerProblem: '{setting}.{name}: {problem}',
  mcpServersNotObject: '{setting} 必须是对象: 每个名称对应一个服务器。',
  mcpUrl: '"url" 必须是 http 或 https URL。',
  noEditsToUndo: '此处没有可撤销的编辑。',
  pathHasNul: '路径不能含有 NUL 字符。',
  pathIsOutside: '{path} 在工作区之外，无法读取。',
  pathIsTooLong: '路径过长。',
  pathNeedsFolder: '打开了多个文件夹；路径须以其中之一开头: {folders}。',
});
