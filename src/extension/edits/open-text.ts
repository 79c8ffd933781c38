import * as vscode from 'vscode';
import type { OpenText } from '../../agent/attachments/read-source.ts';

/** The text that was last in front of the person; undefined where none is open. */
export function openText(): OpenText | undefined {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const isFile = document.uri.scheme === 'file';
  return {
    path: isFile ? document.uri.fsPath : document.uri.path,
    text: document.getText(),
    ...(selection.isEmpty
      ? {}
      : {
          selection: {
            lines: { first: selection.start.line + 1, last: selection.end.line + 1 },
            text: document.getText(selection),
          },
        }),
  };
}
