import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { locateModule, readReference } from '../agent/custom-strategy/find-strategy.ts';
import { moduleStrategy } from '../agent/custom-strategy/module-strategy.ts';
import { defaultDeadline } from '../agent/custom-strategy/registered-strategies.ts';
import type { CustomStrategy } from '../compaction/strategies/contract/custom-strategy.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { isStrategyId, strategyIds, strategyOf } from '../compaction/strategies/index.ts';
import { UsageError } from './command.ts';

/** @throws {UsageError} if no strategy has that id */
export function strategyNamed(id: string): Strategy {
  if (!isStrategyId(id)) {
    throw new UsageError(`Unknown strategy "${id}". Strategies: ${strategyIds.join(', ')}.`);
  }
  return strategyOf(id);
}

/**
 * @param list comma-separated ids; the whole catalogue if undefined
 * @throws {UsageError} if an id is unknown
 */
export function strategiesNamed(list: string | undefined): readonly Strategy[] {
  return (list?.split(',') ?? strategyIds).map((id) => strategyNamed(id.trim()));
}

/** The worker's script, next to the bundled program, or in the source tree when run from there. */
const workerScript = new URL(
  import.meta.url.endsWith('.ts') ? '../agent/custom-strategy/strategy-worker.ts' : './strategy-worker.js',
  import.meta.url,
);

/**
 * Loads the strategy named by `--custom`. A path that the user types is trusted, so any path is allowed.
 *
 * @param named a reference such as `./FILE.mjs#EXPORT`, relative to the current folder
 * @throws {UsageError} if the form is wrong
 */
export function customStrategy(named: string): () => Promise<CustomStrategy> {
  const reference = referenceOf(named);
  return async () => {
    const given = path.resolve(reference.path);
    const file = await locateModule([path.parse(given).root], given, named);
    return moduleStrategy({
      name: named,
      file,
      folders: [await readableFolder(file)],
      exportName: reference.exportName,
      workerScript,
      deadline: defaultDeadline,
    });
  };
}

/**
 * Returns the folder that the module may read: the current folder if it contains the module, otherwise the module's
 * folder.
 */
async function readableFolder(file: string): Promise<string> {
  const current = await realpath('.');
  const isWithin = current !== path.parse(current).root && file.startsWith(current + path.sep);
  return isWithin ? current : path.dirname(file);
}

function referenceOf(named: string) {
  if (named.includes('#')) {
    const reference = readReference(named);
    if (reference.kind === 'module') return reference;
  }
  throw new UsageError(
    `--custom must name a module and its export, as in ./FILE.mjs#EXPORT, not "${named}".`,
  );
}
