import * as vscode from 'vscode';
import { agentTitles } from '../../language/strategy-titles-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { liveText } from './live-text.ts';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { type ListedSession, SessionCatalogue } from '../../presenters/sessions/session-catalogue.ts';
import { sessionRow } from '../../presenters/sessions/session-row.ts';
import type { SessionListing } from '../../presenters/storage/session-store.ts';
import { ageOf } from '../../presenters/import/session-groups.ts';
import type { FoundAgent } from '../../transcripts/session-places.ts';
import { openFolders, placesOf } from '../import/open-transcript.ts';
import { FolderWatch } from './folder-watch.ts';
import { commandIds } from '../editor/ids.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { shownTitle } from '../sessions/session-notices.ts';

/** A row of the tree, and what stands below it. */
export type SessionNode =
  | { readonly type: 'chats' }
  | { readonly type: 'chat'; readonly listing: SessionListing }
  | { readonly type: 'agent'; readonly agent: FoundAgent; readonly count: number; readonly isFirst: boolean }
  | { readonly type: 'session'; readonly session: ListedSession; readonly uri: vscode.Uri }
  | { readonly type: 'more'; readonly agent: FoundAgent; readonly left: number };

/** Sessions of an agent that are looked into at a time. */
const pageSize = 50;

export interface SessionTreePorts {
  readonly catalogue: SessionCatalogue;
  /** Chats of ours, newest first. */
  readonly chats: () => Promise<readonly SessionListing[]>;
  readonly factsOf: (model: string) => ModelFacts;
  /** Shows the tree again. */
  readonly changed: () => void;
}

/** Chats of ours, and the sessions of other agents by agent. Files are read for the rows that are shown. */
export class SessionTree {
  private readonly ports: SessionTreePorts;
  private readonly shown = new Map<FoundAgent, number>();

  constructor(ports: SessionTreePorts) {
    this.ports = ports;
  }

  async children(node: SessionNode | undefined): Promise<readonly SessionNode[]> {
    switch (node?.type) {
      case undefined: {
        const agents = await this.ports.catalogue.list();
        const groups = agents.map(({ agent, count }, index): SessionNode => ({
          type: 'agent',
          agent,
          count,
          isFirst: index === 0,
        }));
        return [{ type: 'chats' }, ...groups];
      }
      case 'chats':
        return (await this.ports.chats()).map((listing): SessionNode => ({ type: 'chat', listing }));
      case 'agent':
        return this.sessionsOf(node.agent);
      case 'session':
        return node.session.subAgents.map(nodeOf);
      default:
        return [];
    }
  }

  item(node: SessionNode): vscode.TreeItem {
    switch (node.type) {
      case 'chats':
        return groupItem(liveText('chats'), 'comment-discussion', true);
      case 'agent': {
        const item = groupItem(agentTitles[node.agent], 'folder-library', node.isFirst);
        item.id = node.agent;
        item.description = node.count.toLocaleString(editorWording.language);
        return item;
      }
      case 'chat':
        return chatItem(node.listing);
      case 'session':
        return this.sessionItem(node);
      case 'more': {
        const item = new vscode.TreeItem(
          liveText('moreSessions', { count: node.left.toLocaleString(editorWording.language) }),
        );
        item.command = { title: '', command: commandIds.moreSessions, arguments: [node] };
        return item;
      }
    }
  }

  /** Looks into more sessions of an agent. @param node the row that says how many there are */
  more(node: unknown): void {
    const { agent } = isRecord(node) ? node : {};
    if (typeof agent !== 'string' || !isFoundAgent(agent)) return;
    this.shown.set(agent, this.countOf(agent) + pageSize);
    this.ports.changed();
  }

  private async sessionsOf(agent: FoundAgent): Promise<readonly SessionNode[]> {
    const { sessions, left } = await this.ports.catalogue.page(agent, this.countOf(agent));
    const nodes = sessions.map(nodeOf);
    return left === 0 ? nodes : [...nodes, { type: 'more', agent, left }];
  }

  private countOf(agent: FoundAgent): number {
    return this.shown.get(agent) ?? pageSize;
  }

  private sessionItem({ session, uri }: Extract<SessionNode, { type: 'session' }>): vscode.TreeItem {
    const { factsOf } = this.ports;
    const row = sessionRow(session, { factsOf, wording: editorWording, now: Date.now() });
    const hasSubAgents = session.subAgents.length > 0;
    const item = new vscode.TreeItem(
      row.label,
      hasSubAgents ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    item.id = session.path;
    item.description = row.description;
    item.tooltip = [row.label, ...row.details].join('\n');
    item.contextValue = 'session';
    item.iconPath = new vscode.ThemeIcon(
      row.isLive ? 'pulse' : session.isOfWorkspace ? 'root-folder' : 'history',
    );
    item.accessibilityInformation = { label: `${row.label}, ${row.description}` };
    item.command = { title: '', command: commandIds.openTranscript, arguments: [uri] };
    return item;
  }
}

function isFoundAgent(name: string): name is FoundAgent {
  return name in agentTitles;
}

function nodeOf(session: ListedSession): SessionNode {
  return { type: 'session', session, uri: vscode.Uri.file(session.path) };
}

function groupItem(label: string, icon: string, isOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon(icon);
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

export interface SessionsViewPorts {
  /** Folder of what the editor's extensions store. */
  readonly editorStorage: string;
  readonly chats: () => Promise<readonly SessionListing[]>;
  readonly factsOf: (model: string) => ModelFacts;
  /** Shows the tree again. */
  readonly changed: () => void;
}

/** Milliseconds after which times and live marks are shown again, and folders that tell nothing are looked at. */
const refreshEvery = 30_000;

/** The tree of sessions, kept up to date while it is visible. */
export class SessionsView implements vscode.Disposable {
  readonly tree: SessionTree;
  private readonly ports: SessionsViewPorts;
  private watch: FolderWatch | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(ports: SessionsViewPorts) {
    this.ports = ports;
    const places = placesOf(ports.editorStorage);
    this.tree = new SessionTree({
      ...ports,
      catalogue: new SessionCatalogue({ places, folders: openFolders() }),
    });
  }

  setVisible(isVisible: boolean): void {
    this.dispose();
    if (!isVisible) return;
    this.watch = new FolderWatch(placesOf(this.ports.editorStorage), () => this.ports.changed());
    this.timer = setInterval(() => this.ports.changed(), refreshEvery);
  }

  dispose(): void {
    this.watch?.dispose();
    clearInterval(this.timer);
  }
}
