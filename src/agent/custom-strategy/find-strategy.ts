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

/** Places in which a host looks for custom strategies. */
export interface StrategySources {
  /** Folders whose modules may run: those of a trusted workspace, as absolute paths. */
  readonly folders: readonly string[];
  readonly registered: RegisteredStrategies;
  /** The bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** In milliseconds. */
  readonly deadline: number;
}

/**
 * The custom strategy that people named.
 *
 * @throws {CompactionFailure} `custom-missing`, which names what is missing
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
 * Finds a module in one of the folders, the first that has it.
 *
 * @param folders absolute paths of the folders that people trust
 * @param name what messages call the strategy
 * @returns its absolute path, all symbolic links resolved
 * @throws {CompactionFailure} `custom-missing` if no folder has it, or if it lies outside of all
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
 * The part of a workspace that the setting `contextBudget.strategies.custom` has loaded as code: the directory of the
 * module, with what the module may import; only the file if that is the workspace itself.
 *
 * @returns relative paths; none if no module is named
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
 * Reads what `contextBudget.strategies.custom` or `--custom` says: `./path/file.mjs#ExportName`, or the id of a
 * strategy that another extension registered.
 *
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
