import * as vscode from 'vscode';
import { isRecord } from '../../language/is-record.ts';
import { ageOf } from '../../presenters/import/session-groups.ts';
import { editorWording, liveText } from '../editor/editor-wording.ts';
import { plainLabel } from '../editor/plain-notices.ts';

/** A notice about a compaction by another agent, kept for the list of the last notices. */
export interface Notice {
  /** Time in milliseconds since 1970. */
  readonly at: number;
  /** The sentence, which names the agent. */
  readonly text: string;
  /** Path of the session. */
  readonly path: string;
  readonly recordId: string;
}

/** Storage key of the last notices, newest first. */
const storedAs = 'contextBudget.lastNotices';
const mostKept = 20;

/** The last notices. They disappear from the screen after some seconds, and stay here. */
export class LastNotices {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  /** The notices, newest first. */
  get all(): readonly Notice[] {
    const stored: unknown = this.memory.get(storedAs);
    return Array.isArray(stored) ? stored.filter(isNotice) : [];
  }

  async add(notice: Notice): Promise<void> {
    await this.memory.update(storedAs, [notice, ...this.all].slice(0, mostKept));
  }

  /** Lists the notices, and lets the user choose one. @returns undefined if the user cancels */
  async pick(): Promise<Notice | undefined> {
    const items = this.all.map((notice) => ({
      label: plainLabel(notice.text),
      description: ageOf(Date.now() - notice.at, editorWording.language),
      detail: plainLabel(notice.path),
      notice,
    }));
    const placeHolder = liveText(items.length === 0 ? 'noNotices' : 'lastNoticesHint');
    const options = { title: liveText('lastNotices'), placeHolder, matchOnDetail: true };
    return (await vscode.window.showQuickPick(items, options))?.notice;
  }
}

function isNotice(value: unknown): value is Notice {
  if (!isRecord(value) || typeof value['at'] !== 'number') return false;
  return ['text', 'path', 'recordId'].every((name) => typeof value[name] === 'string');
}
