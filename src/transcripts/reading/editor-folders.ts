import type { PlaceSurroundings } from './agent-files.ts';

const desktopEditors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

const remoteEditors = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/** Returns the folders in which all VS Code variants store data of extensions, without duplicates. */
export function extensionStorages(surroundings: PlaceSurroundings): readonly string[] {
  const { editorStorage } = surroundings;
  const own = editorStorage === undefined ? [] : [withSlashes(editorStorage)];
  const known = editorFolders(surroundings).map((folder) => `${folder}/globalStorage`);
  return distinct([...own, ...known], surroundings);
}

/** Returns the user data folders of all VS Code variants, without duplicates. */
export function userDataFolders(surroundings: PlaceSurroundings): readonly string[] {
  const { editorStorage } = surroundings;
  const own =
    editorStorage === undefined ? [] : [withSlashes(editorStorage).replace(/\/globalStorage\/?$/, '')];
  return distinct([...own, ...editorFolders(surroundings)], surroundings);
}

/** Returns the data folder of desktop applications. */
export function applicationFolder({ home, platform, environment }: PlaceSurroundings): string {
  if (platform === 'win32') return environment['APPDATA'] || `${home}/AppData/Roaming`;
  if (platform === 'darwin') return `${home}/Library/Application Support`;
  return environment['XDG_CONFIG_HOME'] || `${home}/.config`;
}

function editorFolders(surroundings: PlaceSurroundings): readonly string[] {
  const { home, environment } = surroundings;
  const applications = applicationFolder(surroundings);
  return [
    ...desktopEditors.map((name) => `${applications}/${name}`),
    ...remoteEditors.map((name) => `${home}/${name}/data`),
    `${environment['XDG_DATA_HOME'] || `${home}/.local/share`}/code-server`,
  ].map((folder) => `${folder}/User`);
}

/** Removes duplicates. On Windows, VS Code writes drives in lower case, but the environment in upper case. */
function distinct(folders: readonly string[], { platform }: PlaceSurroundings): readonly string[] {
  const keyOf = (folder: string) =>
    platform === 'win32' ? withSlashes(folder).toLowerCase() : withSlashes(folder);
  return [...new Map(folders.map((folder) => [keyOf(folder), folder])).values()];
}

function withSlashes(folder: string): string {
  return folder.replaceAll('\\', '/');
}
