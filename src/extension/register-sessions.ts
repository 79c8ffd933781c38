import * as vscode from 'vscode';
import type { NewCompactions } from '../presenters/live/compaction-watch.ts';
import { viewIds } from './editor/ids.ts';
import type { LiveStatus } from './live/live-status.ts';
import type { SessionNode, SessionsView } from './live/session-tree.ts';
import type { Services } from './services.ts';
import { shownStrategy } from './settings/strategy-texts.ts';
import { StatusItem } from './status-item.ts';

/** Key under which a person's wish is kept not to see other agents in the status bar. */
const hidesLive = 'hidesLiveStatus';

/** A status item that also shows sessions of other agents, unless a person does not want it to. */
export interface LiveStatusSwitch {
  toggle(): Promise<void>;
}

/**
 * Shows how full the window is in the status bar.
 *
 * @param compacted told when another agent has compacted its session about an open folder
 */
export function registerStatus(
  context: vscode.ExtensionContext,
  { foreignSessions, hub, log, onDidChangeChat, settings, transcriptPorts }: Services,
  compacted: (compactions: NewCompactions) => unknown,
): LiveStatusSwitch {
  const status = new StatusItem(() => shownStrategy(settings().strategy.id));
  hub.onDidSwitch(({ view }) => view.refresh());
  onDidChangeChat((changes) => {
    for (const change of changes) {
      if (change.type === 'state' && change.state.meter !== undefined) status.show(change.state.meter);
    }
  });
  hub.onDidHappen(({ type }) => {
    if (type === 'entry') status.used();
  });
  let live: Promise<LiveStatus> | undefined;
  const start = async (): Promise<LiveStatus> => {
    const { LiveStatus } = await import('./live/live-status.ts');
    return new LiveStatus({
      sessions: await foreignSessions(),
      transcripts: transcriptPorts,
      compacted,
      show: (foreign) => status.showForeign(foreign),
      log,
    });
  };
  const stop = async () => (await live)?.dispose();
  if (context.globalState.get(hidesLive) !== true) live = start();
  context.subscriptions.push(status, { dispose: () => void stop() });
  return {
    toggle: async () => {
      await stop();
      live = live === undefined ? start() : undefined;
      await context.globalState.update(hidesLive, live === undefined);
    },
  };
}

/** The tree of sessions as far as activation knows it. */
export interface Sessions {
  /** Loads the tree with the first call. */
  load(): Promise<SessionsView>;
  /** Looks at all folders again, and shows the tree. */
  refresh(): Promise<void>;
}

/** The tree of sessions in the side bar. Nothing of it is loaded before it is visible. */
export function registerSessions(
  context: vscode.ExtensionContext,
  { foreignSessions, hub, transcriptPorts }: Services,
): Sessions {
  const changed = new vscode.EventEmitter<undefined>();
  const show = () => changed.fire(undefined);
  let loaded: Promise<SessionsView> | undefined;
  const loadView = async () => {
    const { SessionsView } = await import('./live/session-tree.ts');
    const sessions = new SessionsView({
      sessions: await foreignSessions(),
      chats: () => hub.list(),
      factsOf: transcriptPorts.factsOf,
      changed: show,
    });
    sessions.setVisible(view.visible);
    context.subscriptions.push(sessions);
    return sessions;
  };
  const load = () => (loaded ??= loadView());
  const view = vscode.window.createTreeView<SessionNode>(viewIds.sessions, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => [...(await (await load()).tree.children(node))],
      getTreeItem: async (node) => (await load()).tree.item(node),
    },
  });
  view.onDidChangeVisibility(async ({ visible }) => (await loaded)?.setVisible(visible));
  hub.onDidSwitch(show);
  context.subscriptions.push(view, changed);
  const refresh = async () => {
    await (await foreignSessions()).catalogue.list();
    show();
  };
  return { load, refresh };
}
