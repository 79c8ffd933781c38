import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What commands of the chat answer. */
export const commandSentences: SentenceTable = {
  '/{0} takes nothing behind its name.': '/{0} 的名称后面不能有内容。',
  '/pin takes the id of one message, for example m12, or "last".':
    '/pin 后面是一条消息的 ID，例如 m12，或 "last"。',
  'There is no command /{0}. {1} To say it as it is, begin with //.':
    '没有命令 /{0}。{1}若要原样发送，请以 // 开头。',
  '/help lists those there are.': '/help 会列出可用的命令。',
  'Did you mean {0}?': '你要找的是 {0} 吗？',
  'There is no strategy "{0}". {1}': '没有策略“{0}”。{1}',
  'There is no format "{0}". {1}': '没有格式“{0}”。{1}',
  'There are: {0}.': '可用的有: {0}。',

  '- `{0}`: {1}': '- `{0}`: {1}',
  '- `//`: Says a message that begins with a slash as it is.': '- `//`: 原样发送以斜杠开头的消息。',
  '- `@path`, `@path:10-20`: Attaches a file or some of its lines; `@"a path"` where it has spaces.':
    '- `@path`、`@path:10-20`: 附加文件或其中的若干行；路径含有空格时用 `@"a path"`。',
  '- `#selection`, `#file`, `#problems`, `#changes`: Attaches what is selected, the open file, what the editor finds wrong, or what has changed since the last commit.':
    '- `#selection`、`#file`、`#problems`、`#changes`: 附加选定内容、打开的文件、编辑器发现的问题，或自上次提交以来的更改。',
  'Makes the conversation smaller now, with attention to what you name.':
    '立即压缩对话，并关注你指明的内容。',
  'Chooses how the conversation is made smaller.': '选择如何压缩对话。',
  'Shows what fills the context window.': '显示上下文窗口中有什么。',
  'Takes the newest compaction back.': '撤销最新的压缩。',
  'Keeps a message as it is through every compaction; one that is hidden comes back.':
    '使某条消息在每次压缩中都原样保留；已隐藏的消息会恢复。',
  'Writes the conversation to a file.': '将对话写入文件。',
  'Starts a new chat.': '开始新聊天。',
  'Chooses the model.': '选择模型。',
  'Lists what can be typed here.': '列出可在此处键入的内容。',
};
