import path from 'node:path';
import { isRegisteredId } from './reference.ts';

/**
 * The part of a workspace that the setting `contextBudget.customStrategy` has loaded as code: the directory of the
 * module, with what the module may import; only the file where that is the workspace itself.
 *
 * @returns relative paths; none where no module is named
 */
export function guardedBy(setting: string): readonly string[] {
  const hash = setting.lastIndexOf('#');
  if (hash <= 0 || isRegisteredId(setting)) return [];
  const file = path.normalize(setting.slice(0, hash));
  const directory = path.dirname(file);
  return [directory === '.' ? file : directory];
}
