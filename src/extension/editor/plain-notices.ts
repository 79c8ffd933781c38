import * as vscode from 'vscode';
import { visibleText } from '../../compaction/quoting/visible-text.ts';

/** Options of a notice, and the titles of its buttons. */
type Rest = readonly [] | readonly [vscode.MessageOptions | string, ...string[]];

/** Shows a notice. @returns the title of the button that was chosen */
export function showInformation(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show(vscode.window.showInformationMessage, text, rest);
}

/** Shows a warning. @returns the title of the button that was chosen */
export function showWarning(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show(vscode.window.showWarningMessage, text, rest);
}

/** Shows an error. @returns the title of the button that was chosen */
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
 * The text of a notice, or the title of one that shows progress. The editor makes links of `[label](address)` in them,
 * also links that run commands. They name sessions, files and servers, and repeat what endpoints answer: none of that
 * is ours.
 */
export function noticeText(text: string): string {
  return visibleText(text.replaceAll('](', '] ('));
}
