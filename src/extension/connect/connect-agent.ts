import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import {
  type ConfigFile,
  configFiles,
  type ConnectableAgent,
  connectableAgents,
  connectableTitles,
} from '../../bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  type ConfigChange,
  planConnection,
  planDisconnection,
} from '../../bridge/connect/config-changes.ts';
import { runtimesHere } from '../../bridge/connect/find-node.ts';
import { findConnections } from '../../bridge/connect/connections.ts';
import { launcherHere, writeLauncher } from '../../bridge/connect/launcher.ts';
import { stateFolder } from '../../transcripts/session/state-folder.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { openFolders } from '../editor/open-folders.ts';
import { programOf } from './program.ts';
import { isAgreed } from './review-changes.ts';
import { showInformation, showWarning } from '../editor/plain-notices.ts';

type Key = keyof (typeof bridgeSentences)['english'];

/** Notes after an agent was connected. Some agents restore facts only on request; others ask before they run hooks. */
const doneSentences = {
  'claude-code': 'connectDone',
  codex: 'connectDoneOnceTrusted',
  'gemini-cli': 'connectDoneWithoutHooks',
  copilot: 'connectDone',
} as const satisfies Readonly<Record<ConnectableAgent, Key>>;

interface AgentItem extends vscode.QuickPickItem {
  readonly agent: ConnectableAgent;
  readonly files: readonly ConfigFile[];
}

/**
 * Shows the exact change to another agent's configuration, and makes it if the user agrees.
 *
 * @throws {SentenceError} if the file cannot be read or changed, or if Windows has no Node.js that agents can run
 */
export async function connectAgent(extension: vscode.Uri): Promise<void> {
  const folder = stateFolder(surroundingsHere());
  const launcher = await launcherHere(folder, openFolders());
  const items = connectableAgents.map((agent): AgentItem => {
    const files = configFiles(agent, launcher, surroundingsHere());
    return {
      agent,
      files,
      label: connectableTitles[agent],
      detail: files.map(({ path }) => path).join(', '),
    };
  });
  const item = await vscode.window.showQuickPick(items, {
    title: text('connectAgent'),
    placeHolder: text('chooseToConnect'),
  });
  if (item === undefined) return;
  const agent = item.label;
  const changes = await planConnection(item.files);
  if (changes.length === 0) {
    void showInformation(text('alreadyConnected', { agent }));
    return;
  }
  const question = text('connectQuestion', { agent, count: changes.length });
  if (!(await isAgreed(agent, filesOf(changes), { question, yes: text('connect') }))) return;
  await writeLauncher(folder, programOf(extension), await runtimesHere(openFolders()));
  await applyConfigChanges(changes, folder);
  void showInformation(text(doneSentences[item.agent], { agent }));
}

/** Removes exactly the entries that `connectAgent` added. @throws {ConfigError} if a file cannot be read or changed */
export async function disconnectAgent(): Promise<void> {
  const folder = stateFolder(surroundingsHere());
  const { connections, problems } = await findConnections(folder, surroundingsHere());
  const items = connections.map(({ agent, files }): AgentItem => {
    return {
      agent,
      files,
      label: connectableTitles[agent],
      detail: files.map(({ path }) => path).join(', '),
    };
  });
  for (const problem of problems) void showWarning(editorWording.text(problem));
  if (items.length === 0) {
    void showInformation(text('nothingConnected'));
    return;
  }
  const item = await vscode.window.showQuickPick(items, {
    title: text('disconnectAgent'),
    placeHolder: text('chooseConnected'),
  });
  if (item === undefined) return;
  const agent = item.label;
  const changes = await planDisconnection(item.files, folder);
  const question = text('disconnectQuestion', { agent, count: changes.length });
  if (!(await isAgreed(agent, filesOf(changes), { question, yes: text('disconnect') }))) return;
  await applyConfigChanges(changes, folder);
  void showInformation(text('disconnectDone', { agent }));
}

const filesOf = (changes: readonly ConfigChange[]) =>
  changes.map(({ file: { path }, before, after }) => ({ path, before, after }));

function text<K extends Key>(...said: Parameters<typeof bridgeSentences.say<K>>): string {
  return editorWording.text(bridgeSentences.say<K>(...said));
}
