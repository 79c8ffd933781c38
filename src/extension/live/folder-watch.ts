import * as vscode from 'vscode';
import type { SessionPlace } from '../../transcripts/session-places.ts';

/** Milliseconds from a change until it is told: an agent that works writes many times a second. */
const quietTime = 1_000;

/** Tells of changes in the places where agents keep sessions, by the editor's own watcher. */
export class FolderWatch implements vscode.Disposable {
  private readonly watchers: readonly vscode.FileSystemWatcher[];
  private timer: NodeJS.Timeout | undefined;

  constructor(places: readonly SessionPlace[], changed: () => void) {
    const folders = new Set(places.map(({ folder }) => folder));
    const told = () => {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        changed();
      }, quietTime);
    };
    this.watchers = [...folders].map((folder) => {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      watcher.onDidCreate(told);
      watcher.onDidChange(told);
      watcher.onDidDelete(told);
      return watcher;
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.dispose();
  }
}
