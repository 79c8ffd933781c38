import type * as vscode from 'vscode';
import type { NewCompactions } from '../../presenters/live/compaction-watch.ts';
import { LiveStatus } from '../live/live-status.ts';
import { type SessionNode, SessionsView } from '../live/session-tree.ts';
import type { Services } from './services.ts';
import { shownStrategy } from '../settings/strategy-texts.ts';
import { StatusItem } from './status-item.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

/** Storage key of the note that the user hides other agents in the status bar. */
const hidesLive = 'hidesLiveStatus';

/** Switches the sessions of other agents in the status bar on or off. */
export interface LiveStatusSwitch {
  toggle(): Promise<void>;
}

/**
 * Shows how full the window is in the status bar.
 *
 * @param compacted called when another agent has compacted a session about an open folder
 */
export function showStatus(
  context: Pick<vscode.ExtensionContext, 'globalState' | 'subscriptions'>,
  { foreignSessions, hub, log, settings, transcriptPorts }: Services,
  compacted: (compactions: NewCompactions) => unknown,
): LiveStatusSwitch {
  const status = new StatusItem(() => shownStrategy(settings().strategy.id));
  hub.onDidSwitch(({ view }) => view.refresh());
  hub.onDidChangeChat((changes) => {
    for (const change of changes) {
      if (change.type === 'state' && change.state.meter !== undefined) status.show(change.state.meter);
    }
  });
  hub.onDidHappen(({ type }) => {
    if (type === 'entry') status.used();
  });
  let live: Promise<LiveStatus> | undefined;
  const start = async (): Promise<LiveStatus> =>
    new LiveStatus({
      sessions: await foreignSessions(),
      transcripts: transcriptPorts,
      compacted,
      show: (foreign) => status.showForeign(foreign),
      log,
    });
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

/** The tree of sessions that was created on activation. */
export interface SessionsTreeView {
  readonly view: vscode.TreeView<SessionNode>;
  /** Fires when the tree must be drawn again. */
  readonly changed: vscode.EventEmitter<undefined>;
}

/** The rows of the tree of sessions. */
export interface SessionsSection {
  /** Creates the tree with the first call, because this lists every session on the computer. */
  load(): Promise<SessionsView>;
  refresh(): Promise<void>;
}

/** Fills the tree of sessions when it is visible. */
export function fillSessions(
  { subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>,
  { foreignSessions, hub, transcriptPorts }: Services,
  { view, changed }: SessionsTreeView,
): SessionsSection {
  const show = () => changed.fire(undefined);
  const made = new LoadedOnce(async () => {
    const sessions = new SessionsView({
      sessions: await foreignSessions(),
      chats: () => hub.list(),
      factsOf: transcriptPorts.factsOf,
      changed: show,
    });
    sessions.setVisible(view.visible);
    subscriptions.push(sessions);
    return sessions;
  });
  view.onDidChangeVisibility(async ({ visible }) => (await made.started)?.setVisible(visible));
  hub.onDidSwitch(show);
  return {
    load: () => made.get(),
    refresh: async () => {
      await (await foreignSessions()).catalogue.list();
      show();
    },
  };
}
