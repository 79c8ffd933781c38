import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { recordsOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { StateFile } from '../../src/presenters/storage/state-file.ts';
import { readSession } from '../../src/transcripts/session/session-format.ts';
import type { VscodeWorkbench } from './vscode-workbench.ts';

/** The session file of the only chat in a workbench. */
export class SessionLog {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async of(workbench: VscodeWorkbench): Promise<SessionLog> {
    const files = await workbench.storage.files();
    const logs = files.filter((name) => /[\\/]sessions[\\/][^\\/]+\.jsonl$/.test(name));
    const [log] = logs;
    if (log === undefined || logs.length > 1) throw new Error(`Expected one session, found ${logs.length}.`);
    return new SessionLog(log);
  }

  /** The messages that the next request would send. */
  async view(): Promise<readonly Message[]> {
    const { entries } = readSession(await readFile(this.path, 'utf8'));
    return transcriptOf(entries).view;
  }

  /** The messages sent before a compaction, with all later ones. */
  async viewWithout(recordId: string): Promise<readonly Message[]> {
    const { entries } = readSession(await readFile(this.path, 'utf8'));
    const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
    return transcriptOf(entries.toSpliced(index, 1)).view;
  }

  async records(): Promise<readonly CompactionRecord[]> {
    return recordsOf(readSession(await readFile(this.path, 'utf8')));
  }

  /** The stored draft of this chat. */
  async draft(): Promise<string> {
    const path = join(dirname(dirname(this.path)), 'state.json');
    return new StateFile(path).draftOf(basename(this.path, '.jsonl'));
  }
}
