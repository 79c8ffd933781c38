import * as vscode from 'vscode';
import { agentTitles } from '../../language/agent-titles.ts';
import { CompactionWatch, type NewCompactions } from '../../presenters/live/compaction-watch.ts';
import type { ReadingPorts } from '../../presenters/live/session-reader.ts';
import type { ListedSession } from '../../presenters/import/found-sessions.ts';
import { fillText, sessionRow } from '../../presenters/sessions/session-row.ts';
import { editorWording, liveText } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';
import type { WatchedSessions } from './watched-sessions.ts';
import { Snapshots } from '../../presenters/inspector/snapshots.ts';

/** A session of another agent in the status bar. */
export interface ForeignStatus {
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly command: vscode.Command;
  /** Time of the last change in milliseconds since 1970. */
  readonly changedAt: number;
}

interface LiveStatusPorts {
  readonly sessions: WatchedSessions;
  readonly transcripts: ReadingPorts;
  /** Called when the agent of a live session has made a compaction. */
  readonly compacted: (compactions: NewCompactions) => unknown;
  /** Shows a session in the status bar; undefined removes the session. */
  readonly show: (status: ForeignStatus | undefined) => void;
  readonly log: vscode.LogOutputChannel;
}

/** Milliseconds between checks for a session that is no longer live and must leave the status bar. */
const lookEvery = 30_000;

/** Shows how full another agent's live session is, and reports its compactions even if it is not open. */
export class LiveStatus implements vscode.Disposable {
  private readonly ports: LiveStatusPorts;
  private readonly compactions: CompactionWatch;
  private readonly unlisten: () => void;
  private readonly timer: NodeJS.Timeout;
  private readonly growing = new Snapshots<readonly ListedSession[]>({
    shown: () => undefined,
    make: () => this.ports.sessions.catalogue.growing(Date.now()),
    post: (sessions) => this.post(sessions),
    failed: (error) => this.ports.log.debug(String(error)),
  });
  private hasEnded = false;

  constructor(ports: LiveStatusPorts) {
    this.ports = ports;
    this.compactions = new CompactionWatch({
      ...ports.transcripts,
      told: ports.compacted,
      failed: (error) => ports.log.debug(String(error)),
    });
    this.unlisten = ports.sessions.onDidChange(() => this.look());
    this.timer = setInterval(() => this.look(), lookEvery);
    this.look();
  }

  dispose(): void {
    this.hasEnded = true;
    clearInterval(this.timer);
    this.unlisten();
    this.compactions.dispose();
    this.ports.show(undefined);
  }

  private look(): void {
    void this.growing.refresh();
  }

  private post(growing: readonly ListedSession[]): void {
    if (this.hasEnded) return;
    for (const { path, idle } of growing.toReversed()) void this.compactions.add(path, idle);
    const [newest] = growing;
    this.ports.show(newest === undefined ? undefined : this.statusOf(newest));
  }

  /** The status of a session; undefined if the fill of its context is unknown. */
  private statusOf(session: ListedSession): ForeignStatus | undefined {
    const { factsOf } = this.ports.transcripts;
    const fill = fillText(session, { factsOf, wording: editorWording });
    if (fill === undefined) return undefined;
    const row = sessionRow(session, { factsOf, wording: editorWording, now: Date.now() });
    const text = liveText('liveStatus', { agent: agentTitles[session.agent], fill });
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
    // A file time in the future must not keep our own chat out of the status bar.
    return { text, tooltip, command, changedAt: Math.min(session.changedAt, Date.now()) };
  }
}
