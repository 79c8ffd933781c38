import * as vscode from 'vscode';
import type { FileChange, FileEditor } from '../../agent/edits/file-editor.ts';
import { uriOf } from './text-documents.ts';

/** Shows a change of a file in VS Code's own diff editor, before it is made or after. */
export class EditReview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly scheme: string;
  private readonly editor: FileEditor;
  /** By address, as long as a document shows them. */
  private readonly texts = new Map<string, string>();
  private readonly registrations: vscode.Disposable;
  private count = 0;

  /** @param scheme of the addresses of texts that are in no file */
  constructor(scheme: string, editor: FileEditor) {
    this.scheme = scheme;
    this.editor = editor;
    this.registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? vscode.l10n.t('This change is not at hand any more.');
  }

  /**
   * Opens the diff editor. Where a change is still to be made, its left side is the file itself.
   *
   * @param title says what is compared
   */
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

  /** The path stays in the address: it tells the language. */
  private keep({ shown }: FileChange, side: 'before' | 'after', text: string): vscode.Uri {
    const query = `${side}-${++this.count}`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${shown}`, query });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}
