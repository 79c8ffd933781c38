import { catalogue } from '../sentence.ts';

/** Sentences about connections to other agents. */
export const bridgeSentences = catalogue('bridge', {
  alreadyConnected: '{agent} is already connected.',
  cannotBeWatched: 'cannot be watched with its present settings',
  chooseConnected: 'Choose an agent to disconnect. The change is shown first.',
  chooseToConnect: 'Choose an agent to connect. The change to its configuration is shown first.',
  chooseToWatch: 'Choose an agent. It starts in a terminal, and what it sends is recorded.',
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
  sendsTo: 'sends to {address}',
  standsTwice: '“{path}” occurs twice.',
  watchAgent: 'Watch an Agent',
  watchBegan: 'What {agent} sends is being recorded.',
  watchEnded:
    'The proxy of {agent} has stopped, so its requests fail. Close its terminal and choose Watch an Agent… again.',
  watchFailed: '{agent} was not started, because its proxy did not start. {reason}',
  watchImpossible:
    '{agent} cannot be watched with its present settings. No variable or argument changes the address that it sends to.',
});
