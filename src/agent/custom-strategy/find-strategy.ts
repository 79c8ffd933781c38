import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CompactionFailure } from '../../compaction/records/reason.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { Workspace } from '../files/workspace.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { moduleStrategy } from './module-strategy.ts';
import { isRegisteredId, type RegisteredStrategies } from './registered-strategies.ts';
import { registeredStrategy } from './registered-strategy.ts';

/** Places where a host looks for custom strategies. */
export interface StrategySources {
  /** Absolute paths of the trusted workspace folders, whose modules may run. */
  readonly folders: readonly string[];
  readonly registered: RegisteredStrategies;
  /** URL of the bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** Milliseconds that one plan may take. */
  readonly deadline: number;
}

/**
 * Finds the custom strategy named in the settings or on the command line.
 * @throws {CompactionFailure} `custom-missing`, which names the missing strategy
 */
export async function findStrategy(
  named: string,
  { folders, registered, workerScript, deadline }: StrategySources,
): Promise<CustomStrategy> {
  const reference = readReference(named);
  if (reference.kind === 'registered') return registeredStrategy(registered, reference.id, deadline);
  const { path, exportName } = reference;
  const file = await locateModule(folders, path, named);
  const readable = (await new Workspace(folders).roots()).map((root) => root.path);
  return moduleStrategy({ name: named, file, exportName, folders: readable, workerScript, deadline });
}

/**
 * Finds a module in the first folder that has it.
 * @param folders absolute paths of trusted folders
 * @param name the name of the strategy in messages
 * @returns its absolute path, all symbolic links resolved
 * @throws {CompactionFailure} `custom-missing` if no folder has it, or it lies outside all folders
 */
export async function locateModule(
  folders: readonly string[],
  modulePath: string,
  name: string,
): Promise<string> {
  if (folders.length === 0) {
    throw missing(name, customSentences.say('noFolder'));
  }
  let isOutside = false;
  for (const folder of folders) {
    const resolution = await new Workspace([folder]).resolve(modulePath);
    if ('refusal' in resolution) isOutside = true;
    else if (await isFile(resolution.place.path)) return resolution.place.path;
  }
  throw missing(name, customSentences.say(isOutside ? 'outsideWorkspace' : 'noFile'));
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function missing(name: string, problem: Sentence): CompactionFailure {
  return new CompactionFailure('custom-missing', customSentences.say('named', { name, problem }));
}

/**
 * Paths of the workspace that hold the code loaded by the setting `contextBudget.strategies.custom`. This is the
 * directory of the module with its imports, or only the file if that directory is the workspace.
 * @returns relative paths; none if the setting names no module
 */
export function guardedBy(setting: string): readonly string[] {
  const hash = setting.lastIndexOf('#');
  if (hash <= 0 || isRegisteredId(setting)) return [];
  const file = path.normalize(setting.slice(0, hash));
  const directory = path.dirname(file);
  return [directory === '.' ? file : directory];
}

/** Reference to a custom strategy. */
export type StrategyReference =
  | { readonly kind: 'module'; readonly path: string; readonly exportName: string }
  | { readonly kind: 'registered'; readonly id: string };

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Parses `contextBudget.strategies.custom` or `--custom`: `./path/file.mjs#ExportName`, or the id of a registered
 * strategy.
 * @throws {CompactionFailure} `custom-missing` if it is neither
 */
export function readReference(text: string): StrategyReference {
  if (isRegisteredId(text)) return { kind: 'registered', id: text };
  const hash = text.lastIndexOf('#');
  const path = text.slice(0, hash);
  const exportName = text.slice(hash + 1);
  if (hash > 0 && identifier.test(exportName)) return { kind: 'module', path, exportName };
  const given = text.trim() === '' ? customSentences.say('empty') : JSON.stringify(text);
  throw new CompactionFailure('custom-missing', customSentences.say('invalidReference', { given }));
}
