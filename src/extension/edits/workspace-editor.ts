import { basename } from 'node:path';
import * as vscode from 'vscode';
import { EncodingError, readTextFile } from '../../agent/edits/disk-editor.ts';
import { type FileChange, FileEditError, type FileEditor } from '../../agent/edits/file-editor.ts';
import {
  lineChanges,
  linesWithEnds,
  splitByteOrderMark,
  withLineFeeds,
} from '../../agent/edits/line-diff.ts';
import { hostText } from '../editor/editor-wording.ts';
import { openDocumentOf, uriOf } from './text-documents.ts';
import { agentSentences } from '../../language/english/agent-english.ts';

/** Maximum milliseconds until VS Code notices that another program has written a file. */
const longestDelay = 2_000;

/** Reads and changes files through the editor, with unsaved changes, undo history and cursors. */
export const workspaceEditor: FileEditor = { read, apply };

async function read(path: string): Promise<string | undefined> {
  const open = await openDocumentOf(path);
  if (open?.isDirty === true) return open.getText();
  let onDisk: string | undefined;
  try {
    onDisk = await readTextFile(path);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    return readDecoded(path, error);
  }
  if (onDisk === undefined) return undefined;
  const document = open ?? (await openDocument(path));
  if (!(await isUpToDate(document, onDisk))) {
    throw new FileEditError(agentSentences.say('fileIsBeingWritten', { file: basename(path) }));
  }
  return document.getText();
}

/** Reads a file that is not in UTF-8 if the window can decode it. */
async function readDecoded(path: string, error: unknown): Promise<string> {
  const document = await openDocument(path).catch(() => undefined);
  if (document === undefined || document.encoding.startsWith('utf8')) throw error;
  return document.getText();
}

/** @throws {FileEditError} if the window cannot open the file as text */
async function openDocument(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(await uriOf(path));
  } catch (error) {
    throw new FileEditError(agentSentences.say('fileNotText', { file: basename(path) }), { cause: error });
  }
}

/** Waits until a document has the content that another program wrote to its file. */
async function isUpToDate(document: vscode.TextDocument, onDisk: string): Promise<boolean> {
  const expected = withLineFeeds(splitByteOrderMark(onDisk)[1]);
  const isThere = () => document.isDirty || withLineFeeds(document.getText()) === expected;
  if (isThere()) return true;
  return new Promise((resolve) => {
    const finish = (result: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(result);
    };
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed === document && isThere()) finish(true);
    });
    const timer = setTimeout(() => finish(isThere()), longestDelay);
  });
}

async function apply(changes: readonly FileChange[]): Promise<void> {
  for (const { path, shown, before } of changes) {
    if ((await read(path)) !== before) {
      throw new FileEditError(agentSentences.say('fileChangedNothingWritten', { file: shown }));
    }
  }
  try {
    await write(changes);
  } catch (error) {
    await takeBack(changes);
    throw error;
  }
}

/** @throws {FileEditError} if the window refuses; some changes may have been applied */
async function write(changes: readonly FileChange[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const documents: vscode.TextDocument[] = [];
  for (const { path, before, after } of changes) {
    const uri = await uriOf(path);
    if (after === undefined) edit.deleteFile(uri);
    else if (before === undefined) edit.createFile(uri, { contents: Buffer.from(after) });
    else {
      const document = await openDocument(path);
      documents.push(document);
      for (const { range, text } of minimalEdits(document, before, after)) edit.replace(uri, range, text);
    }
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new FileEditError(agentSentences.say('editorRefused'));
  }
  for (const document of documents) {
    if (document.isDirty && !(await document.save())) {
      throw new FileEditError(agentSentences.say('fileSaveFailed', { file: basename(document.uri.fsPath) }));
    }
  }
}

/** Edits only the lines that differ, so that cursors and marks in other lines do not move. */
function minimalEdits(
  document: vscode.TextDocument,
  before: string,
  after: string,
): readonly { readonly range: vscode.Range; readonly text: string }[] {
  const left = linesWithEnds(before);
  const right = linesWithEnds(after);
  const offsets = [0];
  for (const line of left) offsets.push(offsets.at(-1)! + line.length);
  return lineChanges(left, right).map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => ({
    range: new vscode.Range(
      document.positionAt(offsets[beforeStart]!),
      document.positionAt(offsets[beforeEnd]!),
    ),
    text: right.slice(afterStart, afterEnd).join(''),
  }));
}

/** Reverts a partly applied group of changes, as far as possible. */
async function takeBack(changes: readonly FileChange[]): Promise<void> {
  const done: FileChange[] = [];
  for (const change of changes) {
    const now = await read(change.path).catch(() => change.before);
    if (now !== change.before) done.push({ ...change, before: now, after: change.before });
  }
  if (done.length > 0) await write(done).catch(() => {});
}

/** Shows a proposed or completed file change in VS Code's diff editor. */
export class EditReview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly scheme: string;
  private readonly editor: FileEditor;
  /** URI → text, kept while a document shows it. */
  private readonly texts = new Map<string, string>();
  private readonly registrations: vscode.Disposable;
  private count = 0;

  /** @param scheme URI scheme of texts that are not files */
  constructor(scheme: string, editor: FileEditor) {
    this.scheme = scheme;
    this.editor = editor;
    this.registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? hostText('changeGone');
  }

  /** Shows a change in the diff editor. The left side of a pending change is the file itself. */
  async review(change: FileChange, title: string): Promise<void> {
    const { path, before = '', after = '' } = change;
    const isPending =
      change.before !== undefined && (await this.editor.read(path).catch(() => undefined)) === change.before;
    const left = isPending ? await uriOf(path) : this.keep(change, 'before', before);
    const right = this.keep(change, 'after', after);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  dispose(): void {
    this.registrations.dispose();
    this.texts.clear();
  }

  /** Stores a text under a URI with the path of the file, which determines the language. */
  private keep({ shown }: FileChange, side: 'before' | 'after', text: string): vscode.Uri {
    const query = `${side}-${++this.count}`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${shown}`, query });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}
