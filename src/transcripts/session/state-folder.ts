import type { PlaceSurroundings } from '../reading/agent-files.ts';

/**
 * Returns the folder for data of separate processes: notes of hooks and recordings of the proxy. It belongs to the user
 * and not to an editor, because agents run without an editor.
 */
export function stateFolder({ home, platform, environment }: PlaceSurroundings): string {
  const given = environment['CONTEXT_BUDGET_STATE'];
  if (given) return given;
  const parent =
    platform === 'win32'
      ? environment['LOCALAPPDATA'] || `${home}/AppData/Local`
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : environment['XDG_STATE_HOME'] || `${home}/.local/state`;
  return `${parent}/context-budget`;
}
