import * as vscode from 'vscode';
import type { NewCompactions } from '../../presenters/live/compaction-watch.ts';
import { type OpenedTranscript, pathOfSession } from '../../presenters/live/opened-transcripts.ts';
import type { Actions } from '../commands/actions.ts';
import { CompactionNotices } from '../live/compaction-notices.ts';
import { LastNotices } from '../live/last-notices.ts';
import type { Inspector } from './views.ts';
import type { Services } from './services.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { openTranscript } from '../import/open-transcript.ts';

/** Parts of the window that are used for opening other agents' sessions. */
interface TranscriptsPorts {
  readonly context: vscode.ExtensionContext;
  readonly services: Services;
  readonly actions: Actions;
  readonly inspector: Inspector;
}

/** Key in the workspace's state for the paths of recently opened sessions, newest first. */
const openedKey = 'contextBudget.openedTranscripts';
const mostKept = 8;

/** Opens sessions of other agents for reading, and announces their compactions. */
export class Transcripts {
  private readonly ports: TranscriptsPorts;
  private readonly notices: CompactionNotices;
  private readonly lastNotices: LastNotices;
  private isListening = false;

  constructor(ports: TranscriptsPorts) {
    const { context, services, actions } = ports;
    this.ports = ports;
    this.lastNotices = new LastNotices(context.globalState);
    this.notices = new CompactionNotices({
      notices: this.lastNotices,
      toldPath: vscode.Uri.joinPath(context.globalStorageUri, 'told-compactions').fsPath,
      meterOf: services.meterOf,
      inspect: (path, recordId) => this.inspect(path, recordId),
      handOff: (inspector) => actions.handOff(undefined, inspector),
      report: (error) => actions.report(error),
    });
  }

  /** Reads a session. Without a file, the user chooses one; undefined if the user chooses none. */
  read(file?: vscode.Uri): Promise<OpenedTranscript | undefined> {
    const { foreignSessions, log, transcriptPorts } = this.ports.services;
    return openTranscript({ ...transcriptPorts, sessions: foreignSessions, log }, file);
  }

  /** Reads a session and shows it in the inspector. */
  async open(file?: vscode.Uri): Promise<void> {
    const id = await this.add(file);
    if (id !== undefined) await this.ports.inspector.show(undefined, id);
  }

  /** Lists the last notices, and opens the compaction of the one that the user chooses. */
  async showNotices(): Promise<void> {
    const notice = await this.lastNotices.pick();
    if (notice !== undefined) await this.inspect(notice.path, notice.recordId);
  }

  /** Reopens the session that a page showed before the window was reloaded, unless the file was deleted. */
  async reopen(id: string): Promise<void> {
    const { opened, log } = this.ports.services;
    if ((await (await opened()).find(id)) !== undefined) return;
    const path = pathOfSession(id, this.openedLast);
    if (path === undefined) return;
    try {
      await this.add(vscode.Uri.file(path));
    } catch (error) {
      log.warn(editorWording.error(error));
    }
  }

  /** Announces each compaction once. */
  tell(made: NewCompactions): Promise<void> {
    return this.notices.tell(made);
  }

  private async inspect(path: string, recordId: string): Promise<void> {
    const id = (await this.ports.services.opened()).idOf(path) ?? (await this.add(vscode.Uri.file(path)));
    if (id !== undefined) await this.ports.inspector.show(recordId, id);
  }

  private async add(file?: vscode.Uri): Promise<string | undefined> {
    const transcript = await this.read(file);
    if (transcript === undefined) return undefined;
    const opened = await this.ports.services.opened();
    if (!this.isListening) {
      opened.onDidChange(({ path, shown, compactions }) => {
        if (compactions.length > 0) void this.tell({ path, session: shown.session, compactions });
      });
    }
    this.isListening = true;
    const { path } = transcript;
    const paths = [path, ...this.openedLast.filter((other) => other !== path)].slice(0, mostKept);
    await this.ports.context.workspaceState.update(openedKey, paths);
    return opened.add(transcript);
  }

  private get openedLast(): readonly string[] {
    return this.ports.context.workspaceState.get<readonly string[]>(openedKey, []);
  }
}
