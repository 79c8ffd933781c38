import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { SessionCatalogue } from '../../presenters/sessions/session-catalogue.ts';
import type { FillPorts } from '../../presenters/sessions/head-and-tail.ts';
import { type SessionPlace, sessionPlaces } from '../../transcripts/found-agents.ts';

/** Pause between two checks of all folders, as a multiple of the time that a check takes. */
const restAfterLook = 100;
/** Minimum milliseconds between checks of all folders, for file systems that report no changes. */
const shortestPause = 10_000;

/** The sessions of other agents. Kept up to date while there are listeners. Each window has one such object. */
export class WatchedSessions implements vscode.Disposable {
  readonly catalogue: SessionCatalogue;
  private readonly editorStorage: string;
  private readonly listeners = new Set<() => void>();
  private watch: FolderWatch | undefined;
  private timer: NodeJS.Timeout | undefined;

  private constructor(editorStorage: string, folders: readonly string[], fill: FillPorts) {
    this.editorStorage = editorStorage;
    this.catalogue = new SessionCatalogue({ places: placesOf(editorStorage), folders, fill });
  }

  /** @param editorStorage storage folder that VS Code's extensions share */
  static async open(editorStorage: string, fill: FillPorts): Promise<WatchedSessions> {
    const open = openFolders();
    // Agents record their folder with links resolved.
    const real = await Promise.all(open.map((folder) => realpath(folder).catch(() => folder)));
    return new WatchedSessions(editorStorage, [...new Set([...open, ...real])], fill);
  }

  /** Calls a function after every change. @returns a function that stops the calls */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    if (this.watch === undefined) this.start();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.dispose();
    };
  }

  dispose(): void {
    this.watch?.dispose();
    this.watch = undefined;
    clearTimeout(this.timer);
  }

  private start(): void {
    this.watch = new FolderWatch(placesOf(this.editorStorage), (paths) => void this.lookAt(paths));
    void this.lookAtAll(true);
  }

  private async lookAt(paths: ReadonlySet<string>): Promise<void> {
    if (await this.catalogue.lookAt(paths)) this.tell();
  }

  private async lookAtAll(isFirst = false): Promise<void> {
    const { watch } = this;
    const started = performance.now();
    const isChanged = await this.catalogue.lookAtAll();
    if (this.watch !== watch) return;
    // At first, nothing seems new if another user of the catalogue has just listed the files.
    if (isChanged || isFirst) this.tell();
    // The second check follows soon, because VS Code may have begun to watch the folders after the first.
    const rest = isFirst ? 0 : (performance.now() - started) * restAfterLook;
    this.timer = setTimeout(() => void this.lookAtAll(), Math.max(shortestPause, rest));
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The storage folder that VS Code's extensions share, derived from our own folder in it. */
export function editorStorageOf(globalStorageUri: vscode.Uri): string {
  return vscode.Uri.joinPath(globalStorageUri, '..').fsPath;
}

/** Places where agents keep sessions on this computer. @param editorStorage as returned by `editorStorageOf` */
export function placesOf(editorStorage: string): readonly SessionPlace[] {
  return sessionPlaces({ ...surroundingsHere(), editorStorage });
}

/** Absolute paths of the open folders on this computer. */
function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

/** Milliseconds to wait before a change is reported, because a working agent writes many times a second. */
const quietTime = 500;

/** Reports changed paths in the places where agents keep sessions. Uses VS Code's file watcher. */
class FolderWatch implements vscode.Disposable {
  private readonly watchers: readonly vscode.FileSystemWatcher[];
  private changedPaths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(places: readonly SessionPlace[], changed: (paths: ReadonlySet<string>) => void) {
    const folders = new Set(places.map(({ folder }) => folder));
    const noted = ({ fsPath }: vscode.Uri) => {
      this.changedPaths.add(fsPath);
      this.timer ??= setTimeout(() => {
        const paths = this.changedPaths;
        this.changedPaths = new Set();
        this.timer = undefined;
        changed(paths);
      }, quietTime);
    };
    this.watchers = [...folders].map((folder) => {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(noted);
      return watcher;
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.dispose();
  }
}
