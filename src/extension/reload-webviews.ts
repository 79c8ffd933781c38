import * as vscode from 'vscode';

/** VS Code's own command: every webview is loaded again, from the files on disk. */
const reloadCommand = 'workbench.action.webview.reloadWebviewAction';

/** Milliseconds in which the files of one build arrive. */
const settling = 200;

/**
 * Reloads the webviews whenever `npm run watch` has built them again. Only for development: a page that is loaded
 * again asks its host for a new snapshot, so that nothing is lost.
 */
export function reloadWebviewsOnBuild({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*.{js,css}'));
  let pending: NodeJS.Timeout | undefined;
  const reload = (): void => {
    clearTimeout(pending);
    pending = setTimeout(() => void vscode.commands.executeCommand(reloadCommand), settling);
  };
  subscriptions.push(watcher, watcher.onDidChange(reload), watcher.onDidCreate(reload), {
    dispose: () => clearTimeout(pending),
  });
}
