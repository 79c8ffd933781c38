import * as vscode from 'vscode';
import { hostText } from './editor-wording.ts';

/** Opens a web page that is linked in a chat. Refuses other schemes, because such links can start programs. */
export async function openLink(url: string): Promise<void> {
  if (!URL.canParse(url)) return;
  const { protocol } = new URL(url);
  if (protocol === 'https:' || protocol === 'http:')
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** Opens a file of the workspace that a chat names, at a line. Does not open other paths. */
export async function openWorkspaceFile(path: string, line: number | undefined): Promise<void> {
  for (const uri of candidates(path)) {
    if (!isInWorkspace(uri) || !(await isFile(uri))) continue;
    const position = new vscode.Position((line ?? 1) - 1, 0);
    await vscode.window.showTextDocument(uri, {
      preview: true,
      ...(line === undefined ? {} : { selection: new vscode.Range(position, position) }),
    });
    return;
  }
  void vscode.window.setStatusBarMessage(hostText('notInWorkspace', { path }), 4_000);
}

function candidates(path: string): readonly vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const relative = folders.map((folder) => vscode.Uri.joinPath(folder.uri, path));
  const [name, ...rest] = path.split('/');
  const named = folders
    .filter((folder) => folder.name === name)
    .map((folder) => vscode.Uri.joinPath(folder.uri, ...rest));
  const absolute = path.startsWith('/') ? folders.slice(0, 1).map((folder) => folder.uri.with({ path })) : [];
  return [...absolute, ...relative, ...named];
}

/** True for a path in the workspace. A path with `..` is refused, because VS Code compares paths as text. */
function isInWorkspace(uri: vscode.Uri): boolean {
  const climbs = uri.path.split(/[\\/]/).includes('..');
  return !climbs && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Saves text in a file that the user chooses. The dialog opens in the first folder. @returns undefined if cancelled */
export async function saveAs(
  name: string,
  text: () => string | Promise<string>,
  dialog: vscode.SaveDialogOptions,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const place = folder && { defaultUri: vscode.Uri.joinPath(folder, name) };
  const uri = await vscode.window.showSaveDialog({ ...dialog, ...place });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await text()));
  return uri;
}
