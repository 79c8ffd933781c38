import { realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { OpenText } from '../../agent/attachments/read-source.ts';

/** Finds the open document of a file, even if it was opened through a symbolic link. */
export async function openDocumentOf(path: string): Promise<vscode.TextDocument | undefined> {
  // On case-insensitive file systems, a document keeps the case in which it was opened.
  const name = basename(path).toLowerCase();
  const candidates = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && basename(uri.fsPath).toLowerCase() === name,
  );
  const exact = candidates.find(({ uri }) => uri.fsPath === path);
  if (exact !== undefined) return exact;
  for (const document of candidates) {
    if ((await realpath(document.uri.fsPath).catch(() => undefined)) === path) return document;
  }
  return undefined;
}

/** The URI of a file below an open folder of the window, even if that folder is a symbolic link. */
export async function uriOf(path: string): Promise<vscode.Uri> {
  const open = await openDocumentOf(path);
  if (open !== undefined) return open.uri;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
    const inner = relative(real, path);
    const isInside = inner !== '' && !inner.startsWith('..') && join(real, inner) === path;
    if (isInside) return vscode.Uri.joinPath(uri, inner);
  }
  return vscode.Uri.file(path);
}

/** The text of the editor that last had the focus; undefined if no editor is open. */
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
