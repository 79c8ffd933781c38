import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { locateModule } from '../agent/custom-strategy/find-strategy.ts';
import { moduleStrategy } from '../agent/custom-strategy/module-strategy.ts';
import { defaultDeadline, readReference } from '../agent/custom-strategy/registered-strategies.ts';
import type { CustomStrategy } from '../compaction/strategies/contract/custom-strategy.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { isStrategyId, strategyIds, strategyOf } from '../compaction/strategies/index.ts';
import { UsageError } from './command.ts';

/** @throws {UsageError} if there is no strategy of that id */
export function strategyNamed(id: string): Strategy {
  if (!isStrategyId(id)) {
    throw new UsageError(`There is no strategy "${id}"; there are ${strategyIds.join(', ')}.`);
  }
  return strategyOf(id);
}

/**
 * @param list ids with commas between them; the whole catalogue if not given
 * @throws {UsageError} if there is no strategy of one of the ids
 */
export function strategiesNamed(list: string | undefined): readonly Strategy[] {
  return (list?.split(',') ?? strategyIds).map((id) => strategyNamed(id.trim()));
}

/** Next to the bundled program, or among the sources if these are run. */
const workerScript = new URL(
  import.meta.url.endsWith('.ts') ? '../agent/custom-strategy/strategy-worker.ts' : './strategy-worker.js',
  import.meta.url,
);

/**
 * The strategy of `--custom`. A person who types a path trusts it, so it may lead anywhere.
 *
 * @param named `./FILE.mjs#EXPORT`, relative to the current folder
 * @throws {UsageError} if it has another form
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

/** Folder that the module may read: the current one if the module is in it, else the module's own. */
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
  throw new UsageError(`--custom must be a module and its export, ./FILE.mjs#EXPORT, not "${named}".`);
}
