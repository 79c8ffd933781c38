import type { liveSentences } from './live-english.ts';
import { translations } from './translations.ts';

export const liveChinese = translations<typeof liveSentences>('live')({
  // When an agent has compacted.
  compacted:
    '{agent} 已压缩：{allFiles} 个文件中的 {files} 个、{allCommands} 条命令中的 {commands} 条不再被提及。',
  compactedKeepingAll: '{agent} 已压缩。所有文件和命令仍被提及。',
  subAgentCompacted:
    '{agent} 的一个子代理已压缩：{allFiles} 个文件中的 {files} 个、{allCommands} 条命令中的 {commands} 条不再被提及。',
  subAgentKeptAll: '{agent} 的一个子代理已压缩。所有文件和命令仍被提及。',
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
