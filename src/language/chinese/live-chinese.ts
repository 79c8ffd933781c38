import type { liveSentences } from '../english/live-english.ts';
import { translations } from '../translations.ts';

export const liveChinese = translations<typeof liveSentences>('live')({
  // When an agent has compacted.
  compacted: '{who} 已压缩。其摘要不再提及 {lost}。',
  cutOff: '{who} 已截去较早的消息。剩余内容不再提及 {lost}。',
  compactedKeepingAll: '{who} 已压缩。其摘要没有遗漏任何文件、命令或消息。',
  cutOffKeepingAll: '{who} 已截去较早的消息。剩余内容仍提及所有文件、命令和消息。',
  subAgentOf: '{agent} 的一个子代理',
  lostAndLost: '{first}和 {last}',
  lostFiles: '{total} 个文件中的 {lost} 个',
  lostCommands: '{total} 条命令中的 {lost} 条',
  lostErrors: '{total} 个错误中的 {lost} 个',
  lostNames: '{total} 个搜索词中的 {lost} 个',
  lostMessages: '你的 {total} 条消息中的 {lost} 条',
  lostMessage: '你的消息',
  diff: '差异',
  copyMissing: '复制缺失内容',
  handOff: '交接',
  missingCopied: '已复制。请粘贴到 {agent} 中。',
  nothingMissing: '没有缺失内容。',

  // The tree of sessions.
  chats: '聊天',
  thisWorkspace: '此工作区',
  moreSessions: '显示更多（{count}）',
  untitledSession: '{agent} 会话，{time}',
  live: '进行中',
  tokensOfWindow: '{tokens} / {window} 个 token（{share}）',
  tokensOfEither: '{tokens} / {window} 或 {other} 个 token（{share} 或 {otherShare}）',
  tokensOfTrigger: '达到其压缩点 {trigger} 的 {share}',
  either: '{share} 或 {otherShare}',
  tokensReported: '{tokens} 个 token',

  // The status bar.
  liveStatus: '{agent} · {fill}',
  liveStatusHint: '单击可查看此会话。',
  openSession: '查看会话',
  stopShowing: '不在状态栏中显示其他代理的会话',
});
