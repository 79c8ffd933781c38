import * as vscode from 'vscode';
import { visibleText } from '../../compaction/quoting/visible-text.ts';

/** Options of a notice and the titles of its buttons. */
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

/** Text of a notice without links, which could run commands. VS Code turns `[a](b)` in untrusted names into links. */
export function noticeText(text: string): string {
  return visibleText(text.replaceAll('](', '] ('));
}

/** Text of a row in a picker without icons. VS Code turns `$(name)` in untrusted text into icons. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** A signal that is aborted when the user cancels. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const stopper = new AbortController();
  token.onCancellationRequested(() => stopper.abort());
  if (token.isCancellationRequested) stopper.abort();
  return stopper.signal;
}
