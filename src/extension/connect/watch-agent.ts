import * as vscode from 'vscode';
import { findProgram } from '../../agent/files/find-program.ts';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { startProxyProcess } from '../../bridge/watch/proxy-process.ts';
import type { RequestWay, WatchedAgent } from '../../bridge/watch/watched-agent.ts';
import { watchedAgents } from '../../bridge/watch/watched-agents.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { openFolders } from '../editor/open-folders.ts';
import { plainLabel, showInformation, showWarning } from '../editor/plain-notices.ts';
import type { ExtensionWatch } from './extension-watch.ts';
import { programOf } from './program.ts';

type Key = keyof (typeof bridgeSentences)['english'];

interface AgentItem extends vscode.QuickPickItem {
  readonly agent: WatchedAgent;
  /** Path of the program; undefined if it is not on the path. */
  readonly program: string | undefined;
  readonly way: RequestWay | undefined;
}

interface SendingItem extends vscode.QuickPickItem {
  /** Id of the strategy that compacts the history; undefined to send it unchanged. */
  readonly strategy: string | undefined;
}

/** Parts of the window that a watched agent needs. */
interface WatchPorts {
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<vscode.LogOutputChannel, 'info'>;
  /** Closes the terminal when the extension ends. */
  readonly subscriptions: vscode.Disposable[];
  /** Shows the session of a recording in the inspector. */
  readonly open: (recording: string) => Promise<void>;
  readonly report: (error: unknown) => void;
  readonly extensionWatch: ExtensionWatch;
}

/**
 * Runs an agent in a terminal, and records what it sends. Nothing is written to its configuration: its requests go
 * through a proxy because of variables and arguments of this run. The list also offers an extension of the editor.
 *
 * @throws {SentenceError} if the proxy does not start
 */
export async function watchAgent(ports: WatchPorts): Promise<void> {
  const { extensionUri, log, subscriptions, extensionWatch } = ports;
  const [folder] = openFolders();
  const offered = await extensionWatch.offer(folder);
  const items: readonly (AgentItem | vscode.QuickPickItem)[] = [
    ...(offered === undefined ? [] : [offered]),
    ...(await offeredAgents(folder)),
  ];
  const item = await vscode.window.showQuickPick(items, {
    title: text('watchAgent'),
    placeHolder: text('chooseToWatch'),
  });
  if (item === undefined) return;
  if (!('agent' in item)) return extensionWatch.start(folder);
  const { agent, program, way } = item;
  if (program === undefined) {
    void showWarning(text('programMissing', { agent: agent.title, program: agent.program }));
    return;
  }
  if (way === undefined) {
    void showWarning(text('watchImpossible', { agent: agent.title }));
    return;
  }
  const sending = await chosenSending(agent);
  if (sending === undefined) return;
  const proxy = await startProxyProcess({
    program: programOf(extensionUri),
    agent,
    upstream: way.upstream,
    folder,
    strategy: sending.strategy,
    log: (line) => log.info(line),
  });
  const { environment, args } = way.through(proxy.baseUrl);
  const terminal = vscode.window.createTerminal({
    name: agent.title,
    // The program runs without a shell, whose start-up files could set the variables again, and whose history would
    // keep the token of the proxy.
    ...withoutShell(program, args),
    env: environment,
    ...(folder !== undefined && { cwd: folder }),
    iconPath: new vscode.ThemeIcon('eye'),
    // A terminal that VS Code restores would have no proxy.
    isTransient: true,
  });
  terminal.show();
  let processId: number | undefined;
  void terminal.processId.then((id) => (processId = id));
  // A window in a browser says that it closes its terminals, but is gone before it does.
  subscriptions.push(new vscode.Disposable(() => hangUp(processId)), terminal);
  const closing = vscode.window.onDidCloseTerminal((closed) => {
    if (closed !== terminal) return;
    if (closed.exitStatus?.reason !== vscode.TerminalExitReason.Shutdown) processId = undefined;
    closing.dispose();
    proxy.stop();
  });
  void proxy.died.then(() => showWarning(text('watchEnded', { agent: agent.title })));
  void proxy.recorded.then(async (recording) => {
    if (recording !== undefined) await offerToOpen(agent, recording, ports);
  });
}

/** A strategy that needs no model, because the proxy has no key. */
const compacting = 'ladder';

/** Asks if the agent's history is compacted in this run. */
async function chosenSending(agent: WatchedAgent): Promise<SendingItem | undefined> {
  const strategy = editorWording.text(strategyTitle(compacting));
  const items: readonly SendingItem[] = [
    { label: text('sendAsIs'), description: text('sendAsIsHint'), strategy: undefined },
    {
      label: text('sendCompacted', { strategy }),
      description: text('sendCompactedHint'),
      strategy: compacting,
    },
  ];
  return vscode.window.showQuickPick(items, {
    title: agent.title,
    placeHolder: text('chooseSending', { agent: agent.title }),
  });
}

/** Offers to open the first recording of a run. */
async function offerToOpen(
  agent: WatchedAgent,
  recording: string,
  { open, report }: Pick<WatchPorts, 'open' | 'report'>,
): Promise<void> {
  const answer = await showInformation(text('watchBegan', { agent: agent.title }), text('openRecording'));
  if (answer !== undefined) await open(recording).catch(report);
}

/** Ends a process as a closing terminal does. */
function hangUp(processId: number | undefined): void {
  if (processId === undefined) return;
  try {
    process.kill(processId, 'SIGHUP');
  } catch {
    // It has ended.
  }
}

/** Returns all agents, those on the PATH first. Programs in an open folder do not count. */
async function offeredAgents(folder: string | undefined): Promise<readonly AgentItem[]> {
  const place = { ...surroundingsHere(), folder };
  const endings = place.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const items = watchedAgents.map(async (agent): Promise<AgentItem> => {
    const path = place.environment['PATH'] ?? '';
    const program = findProgram(agent.program, path, openFolders(), endings);
    const way = program === undefined ? undefined : await agent.wayOf(place);
    const description =
      program === undefined
        ? text('notOnPath', { program: agent.program })
        : way === undefined
          ? text('cannotBeWatched')
          : text('sendsTo', { address: way.upstream });
    return { agent, program, way, label: agent.title, description: plainLabel(description) };
  });
  const all = await Promise.all(items);
  return all.toSorted((one, other) => Number(!one.program) - Number(!other.program));
}

/** Returns how a terminal runs a program. Windows cannot start a script without its command processor. */
function withoutShell(
  program: string,
  args: readonly string[],
): Pick<vscode.TerminalOptions, 'shellPath' | 'shellArgs'> {
  if (!program.endsWith('.cmd')) return { shellPath: program, shellArgs: [...args] };
  const shellPath = process.env['ComSpec'] ?? 'cmd.exe';
  return { shellPath, shellArgs: ['/d', '/c', program, ...args] };
}

function text<K extends Key>(...said: Parameters<typeof bridgeSentences.say<K>>): string {
  return editorWording.text(bridgeSentences.say<K>(...said));
}
