import * as vscode from 'vscode';
import { agentTitles } from '../../language/agent-titles.ts';
import { isRecord } from '../../language/is-record.ts';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import type { ListedSession } from '../../presenters/import/found-sessions.ts';
import type { SessionCatalogue } from '../../presenters/sessions/session-catalogue.ts';
import type { ListingProblem } from '../../presenters/sessions/session-files.ts';
import { type Fill, type IconTheme, sessionIcon } from '../../presenters/sessions/session-icon.ts';
import { sessionRow } from '../../presenters/sessions/session-row.ts';
import type { SessionListing } from '../../presenters/storage/session-store.ts';
import { ageOf } from '../../presenters/import/session-groups.ts';
import type { FoundAgent } from '../../transcripts/found-agents.ts';
import type { WatchedSessions } from './watched-sessions.ts';
import { commandIds } from '../editor/ids.ts';
import { editorWording, liveText } from '../editor/editor-wording.ts';
import { shownTitle } from '../sessions/session-notices.ts';

/** A row of the tree. It may have rows below it. */
export type SessionNode =
  | { readonly type: 'chats' }
  | { readonly type: 'chat'; readonly listing: SessionListing }
  | { readonly type: 'group'; readonly group: Group; readonly count: number; readonly isOpen: boolean }
  | {
      readonly type: 'session';
      readonly session: ListedSession;
      readonly uri: vscode.Uri;
      readonly group: Group;
    }
  | { readonly type: 'more'; readonly group: Group; readonly left: number }
  | { readonly type: 'problem'; readonly problem: ListingProblem };

/** Either the sessions of all agents about the open folders, or all sessions of one agent. */
type Group = 'workspace' | FoundAgent;

/** Number of sessions of a group that are read at a time. */
const pageSize = 50;

interface SessionTreePorts {
  readonly catalogue: SessionCatalogue;
  /** Returns our chats, newest first. */
  readonly chats: () => Promise<readonly SessionListing[]>;
  readonly factsOf: (model: string) => ModelFacts;
  readonly changed: () => void;
}

/** The tree of our chats and of other agents' sessions, grouped by agent. Reads only the files of displayed rows. */
class SessionTree {
  private readonly ports: SessionTreePorts;
  private readonly shown = new Map<Group, number>();
  private reading: Promise<void> | undefined;

  constructor(ports: SessionTreePorts) {
    this.ports = ports;
  }

  async children(node: SessionNode | undefined): Promise<readonly SessionNode[]> {
    switch (node?.type) {
      case undefined:
        return this.groups();
      case 'chats':
        return (await this.ports.chats()).map((listing): SessionNode => ({ type: 'chat', listing }));
      case 'group':
        return this.sessionsOf(node.group);
      case 'session':
        return (node.session.subAgents ?? []).map((one) => nodeOf(one, node.group));
      default:
        return [];
    }
  }

  item(node: SessionNode): vscode.TreeItem {
    switch (node.type) {
      case 'chats':
        return groupItem(liveText('chats'), new vscode.ThemeIcon('comment-discussion'), true);
      case 'group': {
        const { group, count, isOpen } = node;
        const isWorkspace = group === 'workspace';
        const title = isWorkspace ? liveText('thisWorkspace') : agentTitles[group];
        const item = groupItem(
          title,
          isWorkspace ? new vscode.ThemeIcon('root-folder') : iconOf(group),
          isOpen,
        );
        item.id = group;
        item.description = count.toLocaleString(editorWording.language);
        return item;
      }
      case 'chat':
        return chatItem(node.listing);
      case 'session':
        return this.sessionItem(node);
      case 'problem':
        return problemItem(node.problem);
      case 'more': {
        const item = new vscode.TreeItem(
          liveText('moreSessions', { count: node.left.toLocaleString(editorWording.language) }),
        );
        item.command = { title: '', command: commandIds.moreSessions, arguments: [node] };
        return item;
      }
    }
  }

  /** Shows more sessions of a group. @param node the row with the number of remaining sessions */
  more(node: unknown): void {
    const { group } = isRecord(node) ? node : {};
    if (typeof group !== 'string' || !isGroup(group)) return;
    this.shown.set(group, this.countOf(group) + pageSize);
    this.ports.changed();
  }

  private async groups(): Promise<readonly SessionNode[]> {
    const { catalogue } = this.ports;
    const agents = await catalogue.listOnce();
    this.readAll();
    const count = catalogue.countOfWorkspace;
    const groups = agents.map((one, index): SessionNode => ({
      type: 'group',
      group: one.agent,
      count: one.count,
      isOpen: count === 0 && index === 0,
    }));
    const ofWorkspace: SessionNode = { type: 'group', group: 'workspace', count, isOpen: true };
    const problems = catalogue.problems.map((problem): SessionNode => ({ type: 'problem', problem }));
    return [...(count > 0 ? [ofWorkspace] : []), { type: 'chats' }, ...groups, ...problems];
  }

  /** Reads the beginnings of all files after the tree is shown, because most sessions state their folder there. */
  private readAll(): void {
    const { catalogue } = this.ports;
    const count = catalogue.countOfWorkspace;
    this.reading ??= catalogue
      .readAll()
      .then(() => {
        if (catalogue.countOfWorkspace !== count) this.ports.changed();
      })
      .finally(() => (this.reading = undefined));
  }

  private async sessionsOf(group: Group): Promise<readonly SessionNode[]> {
    const { catalogue } = this.ports;
    const count = this.countOf(group);
    const page = group === 'workspace' ? catalogue.ofWorkspace(count) : catalogue.page(group, count);
    const { sessions, left } = await page;
    const nodes = sessions.map((session) => nodeOf(session, group));
    return left === 0 ? nodes : [...nodes, { type: 'more', group, left }];
  }

  private countOf(group: Group): number {
    return this.shown.get(group) ?? pageSize;
  }

  private sessionItem({ session, uri, group }: Extract<SessionNode, { type: 'session' }>): vscode.TreeItem {
    const { factsOf } = this.ports;
    const row = sessionRow(session, { factsOf, wording: editorWording, now: Date.now() });
    const { subAgents = [] } = session;
    const item = new vscode.TreeItem(
      row.label,
      subAgents.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    item.id = `${group} ${session.path}`;
    item.description = row.description;
    item.tooltip = [row.label, ...row.details].join('\n');
    item.contextValue = 'session';
    item.iconPath = iconOf(session.agent, row);
    item.accessibilityInformation = { label: row.spoken };
    item.command = { title: '', command: commandIds.openTranscript, arguments: [uri] };
    return item;
  }
}

function isGroup(name: string): name is Group {
  return name === 'workspace' || Object.hasOwn(agentTitles, name);
}

function nodeOf(session: ListedSession, group: Group): SessionNode {
  return { type: 'session', session, uri: vscode.Uri.file(session.path), group };
}

/** The drawing of an agent, for the kinds of themes that a tree distinguishes. */
function iconOf(agent: FoundAgent, fill?: Fill): { light: vscode.Uri; dark: vscode.Uri } {
  const uriOf = (theme: IconTheme) =>
    vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(sessionIcon(agent, theme, fill))}`, true);
  return { light: uriOf('light'), dark: uriOf('dark') };
}

function groupItem(label: string, icon: vscode.IconPath, isOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
  item.iconPath = icon;
  return item;
}

/** An agent whose sessions cannot be read, and the reason. */
function problemItem({ agent, path, reason }: ListingProblem): vscode.TreeItem {
  const item = new vscode.TreeItem(agentTitles[agent]);
  item.id = `problem ${path}`;
  item.description = editorWording.text(reason);
  item.tooltip = `${path}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon('warning');
  return item;
}

function chatItem({ id, title, changedAt }: SessionListing): vscode.TreeItem {
  const item = new vscode.TreeItem(shownTitle(title));
  item.id = `chat ${id}`;
  item.description = ageOf(Date.now() - changedAt, editorWording.language);
  item.contextValue = 'chat';
  item.iconPath = new vscode.ThemeIcon('comment');
  item.command = { title: '', command: commandIds.openChat, arguments: [id] };
  return item;
}

interface SessionsViewPorts extends Omit<SessionTreePorts, 'catalogue'> {
  readonly sessions: WatchedSessions;
}

/** Milliseconds between updates of ages and of live marks. */
const refreshEvery = 30_000;

/** The tree of sessions, updated while it is visible. */
export class SessionsView implements vscode.Disposable {
  readonly tree: SessionTree;
  private readonly ports: SessionsViewPorts;
  private unlisten: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(ports: SessionsViewPorts) {
    this.ports = ports;
    this.tree = new SessionTree({ ...ports, catalogue: ports.sessions.catalogue });
  }

  setVisible(isVisible: boolean): void {
    this.dispose();
    if (!isVisible) return;
    const { changed, sessions } = this.ports;
    this.unlisten = sessions.onDidChange(changed);
    this.timer = setInterval(changed, refreshEvery);
  }

  dispose(): void {
    this.unlisten?.();
    clearInterval(this.timer);
  }
}
