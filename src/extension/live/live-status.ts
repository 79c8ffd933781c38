import * as vscode from 'vscode';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { percentText } from '../../language/percent.ts';
import { agentTitles } from '../../language/strategy-titles-english.ts';
import {
  growingSession,
  type ListedSession,
  SessionCatalogue,
} from '../../presenters/sessions/session-catalogue.ts';
import { sessionRow, shareOf } from '../../presenters/sessions/session-row.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';
import { openFolders, placesOf } from '../import/open-transcript.ts';
import { FolderWatch } from './folder-watch.ts';
import { liveText } from './live-text.ts';

/** A session of another agent in the status bar. */
export interface ForeignStatus {
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly command: vscode.Command;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

export interface LiveStatusPorts {
  readonly editorStorage: string;
  readonly factsOf: (model: string) => ModelFacts;
  /** Shows a session in the status bar; none if undefined. */
  readonly show: (status: ForeignStatus | undefined) => void;
  readonly log: vscode.LogOutputChannel;
}

/** Milliseconds between looks, for file systems that tell nothing of changes. */
const shortestPause = 10_000;
/** The pause is this many times as long as a look takes. */
const restAfterLook = 100;

/** Finds the session of another agent that grows in this workspace, and shows how full its context is. */
export class LiveStatus implements vscode.Disposable {
  private readonly ports: LiveStatusPorts;
  private readonly catalogue: SessionCatalogue;
  private readonly watch: FolderWatch;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private hasEnded = false;

  constructor(ports: LiveStatusPorts) {
    this.ports = ports;
    const places = placesOf(ports.editorStorage);
    this.catalogue = new SessionCatalogue({ places, folders: openFolders() });
    this.watch = new FolderWatch(places, () => this.look());
    this.look();
  }

  dispose(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.watch.dispose();
    this.ports.show(undefined);
  }

  private look(): void {
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
  }

  private async lookNow(): Promise<void> {
    clearTimeout(this.timer);
    const started = performance.now();
    try {
      const session = await growingSession(this.catalogue, Date.now());
      if (!this.hasEnded) this.ports.show(session === undefined ? undefined : this.statusOf(session));
    } catch (error) {
      this.ports.log.debug(String(error));
    }
    const pause = Math.max(shortestPause, (performance.now() - started) * restAfterLook);
    if (!this.hasEnded) this.timer = setTimeout(() => this.look(), pause);
  }

  /** Undefined if nothing is known of how full it is. */
  private statusOf(session: ListedSession): ForeignStatus | undefined {
    const { factsOf } = this.ports;
    const share = shareOf(session, factsOf);
    if (share === undefined) return undefined;
    const row = sessionRow(session, { factsOf, wording: editorWording, now: Date.now() });
    const text = liveText('liveStatus', {
      agent: agentTitles[session.agent],
      share: percentText(share, editorWording.language),
    });
    const tooltip = new vscode.MarkdownString();
    for (const line of [row.label, ...row.details]) tooltip.appendText(line).appendMarkdown('\n\n');
    tooltip.appendMarkdown(
      `${liveText('liveStatusHint')} [${liveText('stopShowing')}](command:${commandIds.toggleLiveStatus})`,
    );
    tooltip.isTrusted = { enabledCommands: [commandIds.toggleLiveStatus] };
    const command = {
      title: liveText('openSession'),
      command: commandIds.openTranscript,
      arguments: [vscode.Uri.file(session.path)],
    };
    return { text, tooltip, command, changedAt: session.changedAt };
  }
}
