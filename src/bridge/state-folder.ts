import { join } from 'node:path';
import type { Surroundings } from '../agent/files/surroundings.ts';

/**
 * The folder in which hooks keep notes between their calls, which are processes of their own. It belongs to the person,
 * not to an editor: the agents that call run without one.
 */
export function stateFolder({ home, platform, environment }: Surroundings): string {
  const given = environment['CONTEXT_BUDGET_STATE'];
  if (given) return given;
  const parent =
    platform === 'win32'
      ? environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : environment['XDG_STATE_HOME'] || join(home, '.local', 'state');
  return join(parent, 'context-budget');
}
