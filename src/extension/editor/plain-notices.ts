import * as vscode from 'vscode';
import { visibleText } from '../../compaction/quoting/visible-text.ts';

/** Options of a notice, and the titles of its buttons. */
type Rest = readonly [] | readonly [vscode.MessageOptions | string, ...string[]];

/** Shows a notice. @returns the title of the chosen button */
export function showInformation(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show(vscode.window.showInformationMessage, text, rest);
}

/** Shows a warning. @returns the title of the chosen button */
export function showWarning(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show(vscode.window.showWarningMessage, text, rest);
}

/** Shows an error. @returns the title of the chosen button */
export function showError(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show(vscode.window.showErrorMessage, text, rest);
}

function show(
  how: typeof vscode.window.showInformationMessage,
  text: string,
  [first, ...items]: Rest,
): Thenable<string | undefined> {
  if (first === undefined) return how(noticeText(text));
  return typeof first === 'string'
    ? how(noticeText(text), first, ...items)
    : how(noticeText(text), first, ...items);
}

/**
 * The text of a notice, or the title of a progress notice, without links. VS Code turns `[label](address)` into links,
 * which can run commands. Notices contain untrusted names of sessions, files and servers, and text of endpoints.
 */
export function noticeText(text: string): string {
  return visibleText(text.replaceAll('](', '] ('));
}
