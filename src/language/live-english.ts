import { catalogue } from './sentence.ts';

/** Sentences about sessions of other agents that go on while they are looked at. */
export const liveSentences = catalogue('live', {
  // When an agent has compacted.
  compacted:
    '{agent} compacted: {files} of {allFiles} {allFiles:file|files}, {commands} of {allCommands} {allCommands:command|commands} are no longer named.',
  compactedKeepingAll: '{agent} compacted. All files and commands are still named.',
  subAgentCompacted:
    'A sub-agent of {agent} compacted: {files} of {allFiles} {allFiles:file|files}, {commands} of {allCommands} {allCommands:command|commands} are no longer named.',
  subAgentKeptAll: 'A sub-agent of {agent} compacted. All files and commands are still named.',
  diff: 'Diff',
  copyMissing: 'Copy What Is Missing',
  handOff: 'Handoff',
  missingCopied: 'Copied. Paste it into {agent}.',
  nothingMissing: 'Nothing is missing.',

  // The tree of sessions.
  chats: 'Chats',
  thisWorkspace: 'This Workspace',
  moreSessions: 'Show More ({count})',
  untitledSession: '{agent} session, {time}',
  live: 'live',
  tokensOfWindow: '{tokens} of {window} tokens ({share})',
  tokensOfEither: '{tokens} of {window} or {other} tokens ({share} or {otherShare})',
  tokensOfTrigger: '{share} of the {trigger} at which it compacts',
  either: '{share} or {otherShare}',
  tokensReported: '{tokens} {tokens:token|tokens}',

  // The status bar.
  liveStatus: '{agent} · {fill}',
  liveStatusHint: 'Click to look into it.',
  openSession: 'Look into It',
  stopShowing: 'Do Not Show Sessions of Other Agents in the Status Bar',
});
