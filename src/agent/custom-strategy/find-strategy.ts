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
  /** Absolute paths of the trusted workspace folders. Their modules may run. */
  readonly folders: readonly string[];
  readonly registered: RegisteredStrategies;
  /** URL of the bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** Maximum milliseconds for one plan. */
  readonly deadline: number;
}

/** Finds a custom strategy by name. @throws {CompactionFailure} `custom-missing`, with the name */
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

/** Finds a module in the trusted folders. @returns its real path @throws {CompactionFailure} `custom-missing` */
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

/** Returns paths of the code that `contextBudget.strategies.custom` loads: a folder, or a file in the top folder. */
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

/** Parses `./path/file.mjs#ExportName` or a registered id. @throws {CompactionFailure} `custom-missing` */
export function readReference(text: string): StrategyReference {
  if (isRegisteredId(text)) return { kind: 'registered', id: text };
  const hash = text.lastIndexOf('#');
  const path = text.slice(0, hash);
  const exportName = text.slice(hash + 1);
  if (hash > 0 && identifier.test(exportName)) return { kind: 'module', path, exportName };
  const given = text.trim() === '' ? customSentences.say('empty') : JSON.stringify(text);
  throw new CompactionFailure('custom-missing', customSentences.say('invalidReference', { given }));
}
