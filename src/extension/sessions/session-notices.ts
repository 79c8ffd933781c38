import * as vscode from 'vscode';
import type { FileDamage, Rewritten } from '../../presenters/storage/session-file.ts';
import { untitled } from '../../presenters/storage/session-store.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { showWarning } from '../editor/plain-notices.ts';

/** Notifies the user that some lines of a session are unreadable and were left out. The log names them. */
export function tellOfUnreadLines(
  id: string,
  problems: readonly string[],
  log: vscode.LogOutputChannel,
): void {
  for (const problem of problems) log.warn(`Session ${id}: ${problem}`);
  if (problems.length > 0) void warnWithLog(hostText('linesSkipped', { count: problems.length }), log);
}

/** Notifies the user that a session cannot be opened. Offers to open its file or the log. */
export async function tellOfUnopened(
  { id, title, path }: { readonly id: string; readonly title: string; readonly path: string },
  error: unknown,
  log: vscode.LogOutputChannel,
): Promise<void> {
  log.error(`Session ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const message = hostText('chatNotOpened', {
    title: shownTitle(title),
    reason: editorWording.error(error),
  });
  const [openFile, showLog] = [hostText('openFile'), hostText('showLog')];
  const choice = await showWarning(message, openFile, showLog);
  if (choice === openFile) await vscode.window.showTextDocument(vscode.Uri.file(path));
  if (choice === showLog) log.show();
}

/** Notifies the user that another program changed a session's file, and how this was resolved. */
export function tellOfRewritten({ path, damage, aside }: Rewritten, log: vscode.LogOutputChannel): void {
  log.warn(
    `${path} was ${damage} and was written again. ${aside === undefined ? '' : `It is ${aside} now.`}`,
  );
  void warnWithLog(rewritten(damage), log);
}

function rewritten(damage: FileDamage): string {
  switch (damage) {
    case 'deleted':
      return hostText('fileDeleted');
    case 'replaced':
    case 'changed':
      return hostText('fileChanged');
    case 'read-only':
      return hostText('fileReadOnly');
  }
}

/** The displayed title of a chat. Titles that the user set are unchanged. */
export function shownTitle(title: string): string {
  return title === untitled ? hostText('newChat') : title;
}

/** Shows a warning. The log has the details. */
export async function warnWithLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const choice = await showWarning(message, hostText('showLog'));
  if (choice !== undefined) log.show();
}
