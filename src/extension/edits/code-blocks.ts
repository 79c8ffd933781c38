import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FileChange } from '../../agent/edits/file-editor.ts';
import { withCodeInPlace } from '../../agent/edits/place-code.ts';
import { hostText } from '../editor/editor-wording.ts';
import { workspaceEditor } from './workspace-editor.ts';
import { showInformation } from '../editor/plain-notices.ts';

/** Puts code blocks from answers into the user's editor. The user sees each change before it is saved. */

/** Inserts code at the cursor, or replaces the selection. */
export async function insertCode(code: string): Promise<void> {
  const editor = editorOfPerson();
  if (editor === undefined) {
    void vscode.window.setStatusBarMessage(hostText('noEditorForCode'), 8_000);
    return;
  }
  await editor.edit((edit) => edit.replace(editor.selection, code));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/**
 * Shows how a code block would change the selection, or the lines that it rewrites. Applies it if the user agrees.
 *
 * @throws {FileEditError} if the file has changed in the meantime or cannot be written
 */
export async function applyCode(
  code: string,
  review: (change: FileChange, title: string) => Promise<void>,
): Promise<void> {
  const editor = editorOfPerson();
  const uri = editor?.document.uri;
  if (editor === undefined || uri?.scheme !== 'file' || !isOfWorkspace(uri)) {
    void vscode.window.setStatusBarMessage(hostText('noEditorForCode'), 8_000);
    return;
  }
  const shown = vscode.workspace.asRelativePath(uri);
  const before = editor.document.getText();
  const after = textAfter(editor, code);
  if (after === undefined) {
    void showInformation(hostText('noPlaceForCode', { path: shown }));
    return;
  }
  const change = { path: await realpath(uri.fsPath), shown, before, after };
  await review(change, hostText('editTitle', { path: shown }));
  const [question, apply] = [hostText('applyCodeQuestion', { path: shown }), hostText('applyCode')];
  const choice = await showInformation(question, apply, hostText('discardCode'));
  if (choice === apply) await workspaceEditor.apply([change]);
}

function textAfter({ document, selection }: vscode.TextEditor, code: string): string | undefined {
  const text = document.getText();
  if (selection.isEmpty) return withCodeInPlace(text, code);
  const [start, end] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  return `${text.slice(0, start)}${code}${text.slice(end)}`;
}

/** The editor that last had the focus. */
function editorOfPerson(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

function isOfWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
