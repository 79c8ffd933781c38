import { surroundingsHere } from '../agent/files/surroundings.ts';
import { contentOf, lineChanges, linesWithEnds } from '../agent/edits/line-diff.ts';
import {
  type ConnectableAgent,
  connectableAgents,
  connectableTitles,
} from '../bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  type ConfigChange,
  planDisconnection,
} from '../bridge/connect/config-changes.ts';
import { type Connection, findConnections } from '../bridge/connect/connections.ts';
import { stateFolder } from '../transcripts/session/state-folder.ts';
import { bridgeSentences } from '../language/english/bridge-english.ts';
import { type ExitCode, onOff, type Io, readArguments, UsageError } from './command.ts';

/**
 * Disconnects agents, even after the extension that connected them was removed. Without names, it lists connected
 * agents.
 * @throws {UsageError} for an unknown agent
 * @throws {ConfigError} if a configuration cannot be changed
 */
export async function disconnect(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, files: words } = readArguments(args, { yes: onOff });
  const named = words.map(agentOf);
  const surroundings = surroundingsHere();
  const folder = stateFolder(surroundings);
  const { connections, problems } = await findConnections(folder, surroundings);
  for (const problem of problems) io.note(problem.english);
  if (named.length === 0) {
    io.print(listOf(connections));
    return problems.length > 0 ? 1 : 0;
  }
  const chosen = connections.filter(({ agent }) => named.includes(agent));
  const missing = connectableAgents.filter(
    (agent) => named.includes(agent) && !chosen.some((one) => one.agent === agent),
  );
  for (const agent of missing) io.note(`${connectableTitles[agent]} is not connected.`);
  if (chosen.length > 0) {
    const files = chosen.flatMap((connection) => connection.files);
    const changes = await planDisconnection(files, folder);
    io.print(changes.map(changeText).join('\n'));
    if (!values.yes && !/^\s*y(?:es)?\s*$/iu.test(await io.ask('Make this change? [y/N] '))) {
      io.note('Nothing was changed. Answer "y", or add --yes.');
      return 1;
    }
    await applyConfigChanges(changes, folder);
    for (const { agent } of chosen) {
      io.print(bridgeSentences.say('disconnectDone', { agent: connectableTitles[agent] }).english);
    }
  }
  return missing.length > 0 || problems.length > 0 ? 1 : 0;
}

function agentOf(word: string): ConnectableAgent {
  const agent = connectableAgents.find((one) => one === word);
  if (agent !== undefined) return agent;
  throw new UsageError(`Unknown agent "${word}". Agents: ${connectableAgents.join(', ')}.`);
}

function listOf(connections: readonly Connection[]): string {
  if (connections.length === 0) return bridgeSentences.say('nothingConnected').english;
  const listed = connections.flatMap(({ agent, files }) => [
    `${connectableTitles[agent]} (${agent})`,
    ...files.map(({ path }) => `  ${shown(path)}`),
  ]);
  return [
    ...listed,
    `Disconnect with: context-budget disconnect ${connections.map(({ agent }) => agent).join(' ')}`,
  ].join('\n');
}

/** Lists the lines that a change removes and adds. */
function changeText({ file, before = '', after }: ConfigChange): string {
  if (after === undefined) return `${shown(file.path)}: is deleted, because connecting made it`;
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)];
  const lines = lineChanges(old, now).flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => [
    ...old.slice(beforeStart, beforeEnd).map((line) => `- ${shown(contentOf(line))}`),
    ...now.slice(afterStart, afterEnd).map((line) => `+ ${shown(contentOf(line))}`),
  ]);
  return [`${shown(file.path)}:`, ...lines].join('\n');
}

/** Replaces characters that control a terminal. */
function shown(line: string): string {
  return line.replace(/[^\P{Cc}\t]|\p{Bidi_Control}/gu, '\uFFFD');
}
