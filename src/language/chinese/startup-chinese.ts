import type { startupSentences } from '../english/startup-english.ts';
import { translations } from '../translations.ts';

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
