import * as vscode from 'vscode';
import { messageOf } from '../../compaction/records/reason.ts';
import type { FileDamage, Rewritten } from '../../presenters/storage/session-file.ts';
import { untitled } from '../../presenters/storage/session-store.ts';
import { inEditorLanguage } from '../language/in-editor-language.ts';

/** Tells a person that a session was opened without some of its lines; the log says which. */
export function tellOfUnreadLines(
  id: string,
  problems: readonly string[],
  log: vscode.LogOutputChannel,
): void {
  for (const problem of problems) log.warn(`Session ${id}: ${problem}`);
  if (problems.length > 0) void warnWithLog(unreadLines(problems.length), log);
}

/** Tells a person that a session cannot be opened, and offers its file and the log. */
export async function tellOfUnopened(
  { id, title, path }: { readonly id: string; readonly title: string; readonly path: string },
  error: unknown,
  log: vscode.LogOutputChannel,
): Promise<void> {
  log.error(`Session ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const message = vscode.l10n.t(
    'The chat “{0}” could not be opened, and its file was left as it is. {1}',
    shownTitle(title),
    inEditorLanguage(messageOf(error)),
  );
  const openFile = vscode.l10n.t('Open File');
  const showLog = vscode.l10n.t('Show Log');
  const choice = await vscode.window.showWarningMessage(message, openFile, showLog);
  if (choice === openFile) await vscode.window.showTextDocument(vscode.Uri.file(path));
  if (choice === showLog) log.show();
}

/** Tells a person that the file of a session was not what it was, and what became of it. */
export function tellOfRewritten({ path, damage, aside }: Rewritten, log: vscode.LogOutputChannel): void {
  log.warn(
    `${path} was ${damage} and was written again. ${aside === undefined ? '' : `It is ${aside} now.`}`,
  );
  void warnWithLog(rewritten(damage), log);
}

function rewritten(damage: FileDamage): string {
  switch (damage) {
    case 'deleted':
      return vscode.l10n.t(
        'The file of this chat was deleted by another program. All of the chat was saved to a new file.',
      );
    case 'replaced':
    case 'changed':
      return vscode.l10n.t(
        'Another program changed the file of this chat. All that this window has of the chat was saved to a new file; what the other program wrote is a chat of its own in the list.',
      );
    case 'read-only':
      return vscode.l10n.t(
        'The file of this chat was made read-only. The chat goes on in a new file; the old one was left as it is and is a chat of its own in the list.',
      );
  }
}

function unreadLines(count: number): string {
  return count === 1
    ? vscode.l10n.t('One line of this chat could not be read and was skipped; the file was left as it is.')
    : vscode.l10n.t(
        '{0} lines of this chat could not be read and were skipped; the file was left as it is.',
        count,
      );
}

/** The title of a chat for people. What a person has called it stays as it is. */
export function shownTitle(title: string): string {
  return title === untitled ? vscode.l10n.t('New chat') : title;
}

/** Warns of something that the log tells more of. */
export async function warnWithLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const choice = await vscode.window.showWarningMessage(message, vscode.l10n.t('Show Log'));
  if (choice !== undefined) log.show();
}
