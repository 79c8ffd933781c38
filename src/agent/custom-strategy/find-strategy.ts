import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { Workspace } from '../files/workspace.ts';
import { locateModule } from './locate-module.ts';
import { moduleStrategy } from './module-strategy.ts';
import { readReference } from './reference.ts';
import type { RegisteredStrategies } from './registered-strategies.ts';

/** Where a host looks for custom strategies. */
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
 * @throws {CompactionFailure} `custom-missing`, which says what is not there
 */
export async function findStrategy(
  named: string,
  { folders, registered, workerScript, deadline }: StrategySources,
): Promise<CustomStrategy> {
  const reference = readReference(named);
  if (reference.kind === 'registered') return registered.find(reference.id, deadline);
  const { path, exportName } = reference;
  const file = await locateModule(folders, path, named);
  const readable = (await new Workspace(folders).roots()).map((root) => root.path);
  return moduleStrategy({ name: named, file, exportName, folders: readable, workerScript, deadline });
}
