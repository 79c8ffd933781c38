import { realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isInside } from '../../agent/files/workspace.ts';
import type { Problem, ProblemFinder } from '../../agent/tools/diagnostics.ts';
import { openDocumentOf, uriOf } from './text-documents.ts';

/** Maximum milliseconds to wait for problems after a file was changed. */
const longestWait = 3_000;
/** Milliseconds without a new problem after which more problems are unlikely. */
const quietTime = 300;

/** The problems that VS Code shows. */
export class EditorDiagnostics implements ProblemFinder, vscode.Disposable {
  /** URI of a changed file → `performance.now()` of the change. Removed when problems arrive or the wait ends. */
  private readonly changed = new Map<string, number>();
  private readonly told = new vscode.EventEmitter<void>();
  private readonly registrations: vscode.Disposable;

  constructor() {
    this.registrations = vscode.Disposable.from(
      this.told,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === 'file' && contentChanges.length > 0) this.noteChange(document.uri);
      }),
      vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.noteChange(uri))),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.changed.delete(uri.toString());
        this.told.fire();
      }),
    );
  }

  async find(path: string | undefined, signal: AbortSignal): Promise<readonly Problem[]> {
    if (path !== undefined) await this.show(path);
    const isMeant = await this.scopeOf(path);
    await this.settle(isMeant, signal);
    const problems: Problem[] = [];
    for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
      if (uri.scheme !== 'file' || !isMeant(uri.toString())) continue;
      for (const diagnostic of diagnostics) problems.push(...problemsOf(uri, diagnostic));
    }
    return problems;
  }

  dispose(): void {
    this.registrations.dispose();
  }

  private noteChange(uri: vscode.Uri): void {
    this.changed.set(uri.toString(), performance.now());
  }

  /** Opens a file, because language extensions check only files that are open. */
  private async show(path: string): Promise<void> {
    if ((await openDocumentOf(path)) !== undefined) return;
    // Opening a pipe would never end.
    const isFile = await stat(path).then(
      (status) => status.isFile(),
      () => false,
    );
    if (!isFile) return;
    const uri = await uriOf(path);
    const opened = await vscode.workspace.openTextDocument(uri).then(
      () => true,
      () => false,
    );
    if (opened) this.noteChange(uri);
  }

  /** Returns a test for the URIs of a file, or of all files below a folder. Considers every name the window uses. */
  private async scopeOf(path: string | undefined): Promise<(address: string) => boolean> {
    if (path === undefined) return () => true;
    const uri = await uriOf(path);
    const real = await realpath(path).catch(() => path);
    return (address) => {
      const { fsPath } = vscode.Uri.parse(address, true);
      return isInside(fsPath, uri.fsPath) || isInside(fsPath, real);
    };
  }

  /** Waits until no more problems arrive for the files that have just changed. */
  private async settle(isMeant: (address: string) => boolean, signal: AbortSignal): Promise<void> {
    const times = [...this.changed].filter(([address]) => isMeant(address)).map(([, time]) => time);
    const end = Math.max(-longestWait, ...times) + longestWait;
    if (end <= performance.now() || signal.aborted) return;
    const isWaiting = () => [...this.changed.keys()].some(isMeant);
    await new Promise<void>((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      const finish = () => {
        clearTimeout(last);
        clearTimeout(quiet);
        listener.dispose();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const listener = this.told.event(() => {
        clearTimeout(quiet);
        if (!isWaiting()) quiet = setTimeout(finish, quietTime);
      });
      const last = setTimeout(finish, end - performance.now());
      signal.addEventListener('abort', finish);
    });
    for (const address of this.changed.keys()) if (isMeant(address)) this.changed.delete(address);
  }
}

function problemsOf(uri: vscode.Uri, diagnostic: vscode.Diagnostic): readonly Problem[] {
  const { severity, range, message, source } = diagnostic;
  const isError = severity === vscode.DiagnosticSeverity.Error;
  if (!isError && severity !== vscode.DiagnosticSeverity.Warning) return [];
  return [
    {
      path: uri.fsPath,
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: isError ? 'error' : 'warning',
      message,
      source,
    },
  ];
}
