import { catalogue } from '../sentence.ts';

/** Sentences about connections to other agents. */
export const bridgeSentences = catalogue('bridge', {
  alreadyConnected: '{agent} is already connected.',
  alreadyWatched: '{agent} is already being watched.',
  cannotBeWatched: 'cannot be watched with its present settings',
  chooseConnected: 'Choose an agent to disconnect. The change is shown first.',
  chooseToConnect: 'Choose an agent to connect. The change to its configuration is shown first.',
  chooseSending: 'Choose what happens to the history of {agent} on its way to the provider.',
  chooseToWatch:
    'Choose an agent to record what it sends. Programs start in a terminal; for an extension, the change to its setting is shown first.',
  configChanged: '{path} has changed in the meantime. Review the change again.',
  configFailed: '{path} cannot be changed. {reason}',
  configHardLinked: 'It has several names (hard links), and only one would be changed.',
  configOfAnother: 'It belongs to another user.',
  configTitle: '{agent}: changes to its configuration',
  configTooLarge: 'It is larger than {megabytes} MB.',
  configUnreadable: 'It cannot be read.',
  configUnwritable: 'It cannot be written.',
  connect: 'Connect',
  connectAgent: 'Connect an Agent',
  connectDone:
    'From its next session on, {agent} gets back what its summaries leave out, and can look up the rest.',
  connectDoneOnceTrusted:
    '{agent} is connected. It runs hooks only after you trust them: enter /hooks in its next session, and trust the hooks of Context Budget.',
  connectDoneWithoutHooks: 'From its next session on, {agent} can look up what its summaries leave out.',
  connectionsLocked: 'Another window is changing connections. Try again.',
  connectQuestion: 'Connect {agent}? This changes {count} {count:file|files} (shown).',
  disconnect: 'Disconnect',
  disconnectAgent: 'Disconnect an Agent',
  disconnectDone: '{agent} is disconnected.',
  disconnectQuestion: 'Disconnect {agent}? This changes {count} {count:file|files} (shown).',
  extensionProxyEnded:
    'The proxy of {agent} has stopped, and {setting} is as before. Start a new session in {agent}.',
  extensionStillSet:
    'The proxy of {agent} has stopped, but {setting} could not be changed back. Choose Stop Watching to try again.',
  extensionUnwatched:
    '{agent} is no longer watched, and its setting is as before. Start a new session in it, because the open ones still send to the proxy, which has stopped.',
  extensionWatched:
    'From its next session on, what {agent} sends is recorded. Click its name in the status bar to stop.',
  invalidJson: 'It is not valid JSON: see line {line}.',
  invalidToml: 'It is not valid TOML: see line {line}.',
  leaveAsItIs: 'Cancel',
  nodeHasNoWord:
    'Agents start Context Budget with Node.js, but its path cannot be written in their commands: {path}. Install Node.js in a folder without spaces and try again.',
  nodeNeeded:
    'Other agents start Context Budget with Node.js, which was not found. Install Node.js {version} or newer, so that “node --version” works in a terminal, and try again.',
  notAnArray: '“{path}” is not an array.',
  notAnObject: '“{path}” is not an object.',
  notATable: '“{path}” is not a table that can be extended.',
  notAnUpstream:
    '“{text}” is not the address of a provider. Give its base URL, such as https://api.anthropic.com, without a key.',
  nothingConnected: 'No agent is connected.',
  notOnPath: '{program} is not on the path',
  openRecording: 'Open in Inspector',
  otherForm: '“{path}” is written in an unexpected form. Remove it by hand.',
  portInUse: 'Port {port} is in use by another program. Leave out --port, and a free port is taken.',
  programMissing: '{agent} was not started, because no program named {program} is on the path.',
  proxyHasEnded: 'The proxy of this conversation has stopped, so nothing is changed.',
  sendAsIs: 'Send the history as it is',
  sendAsIsHint: 'and record it',
  sendCompacted: 'Compact the history with {strategy}',
  sendCompactedHint: 'in this run, when it needs room; each compaction can be undone in the inspector',
  sendsTo: 'sends to {address}',
  stopWatchingHint: 'What {agent} sends is recorded. Click to stop.',
  standsTwice: '“{path}” occurs twice.',
  watch: 'Watch',
  watchAgent: 'Watch an Agent',
  watchBegan: 'What {agent} sends is being recorded.',
  watchedBySetting: 'Extension: changes {setting} until you stop',
  watchedElsewhere: 'Another window watches {agent}. Stop it there first.',
  watchEnded:
    'The proxy of {agent} has stopped, so its requests fail. Close its terminal and choose Watch an Agent… again.',
  watchFailed: '{agent} is not watched, because its proxy did not start. {reason}',
  watchImpossible:
    '{agent} cannot be watched with its present settings. No variable or argument changes the address that it sends to.',
  watchQuestion:
    'Watch {agent}? Until you stop or close this window, this changes {setting} for all windows (shown).',
});
