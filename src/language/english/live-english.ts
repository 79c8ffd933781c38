import { catalogue } from '../sentence.ts';

/** Sentences about live sessions of other agents. */
export const liveSentences = catalogue('live', {
  // After a compaction by another agent.
  compacted: '{who} compacted. Its summary no longer mentions {lost}.',
  cutOff: '{who} dropped older messages. The rest no longer mentions {lost}.',
  compactedKeepingAll: '{who} compacted. Its summary still mentions every file, command and message.',
  cutOffKeepingAll: '{who} dropped older messages. The rest still mentions every file, command and message.',
  subAgentOf: 'A sub-agent of {agent}',
  lostAndLost: '{first} and {last}',
  lostFiles: '{lost} of {total} {total:file|files}',
  lostCommands: '{lost} of {total} {total:command|commands}',
  lostErrors: '{lost} of {total} {total:error|errors}',
  lostNames: '{lost} of {total} {total:search term|search terms}',
  lostMessages: '{lost} of your {total} messages',
  lostMessage: 'your message',
  showLost: 'Show What Was Lost',
  showCompaction: 'Show the Compaction',
  copyLost: 'Copy It',
  handOff: 'Hand Off…',
  lastNotices: 'Last Notices',
  lastNoticesHint: 'Open the compaction of a notice',
  noNotices: 'No agent has compacted yet',
  missingCopied: 'Copied. Paste it into {agent}.',
  copiedMissing: 'Copied what is missing.',
  nothingMissing: 'Nothing is missing.',

  // The tree of sessions.
  chats: 'Chats',
  thisWorkspace: 'This Workspace',
  moreSessions: 'Show More ({count})',
  untitledSession: '{agent} session, {time}',
  live: 'live',
  /** For screen readers: how much of the window is full. */
  full: '{fill} full',
  tokensOfWindow: '{tokens} of {window} tokens ({share})',
  tokensOfEither: '{tokens} of {window} or {other} tokens ({share} or {otherShare})',
  tokensOfTrigger: '{share} of the {trigger} at which it compacts',
  either: '{share} or {otherShare}',
  tokensReported: '{tokens} {tokens:token|tokens}',

  // A new chat, about the sessions on this computer.
  start: '{facts}.',
  startHere: '{count} {count:session|sessions} of {agents} in this folder',
  startElsewhere: '{count} {count:session|sessions} of {agents} on this computer.',
  agentCount: '{count} agents',
  oneLive: 'one live',
  someLive: '{live} live',
  newestFull: 'the newest {fill} full',

  // The status bar.
  liveStatus: '{agent} · {fill}',
  liveStatusHint: 'Click to open the session.',
  openSession: 'Open Session',
  stopShowing: 'Do Not Show Sessions of Other Agents in the Status Bar',
});
