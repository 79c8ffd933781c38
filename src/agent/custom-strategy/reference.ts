import { CompactionFailure } from '../../compaction/failure.ts';

/** Which custom strategy is meant. */
export type StrategyReference =
  | { readonly kind: 'module'; readonly path: string; readonly exportName: string }
  | { readonly kind: 'registered'; readonly id: string };

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** `publisher.extension/strategy-id` */
const registeredId = /^[\w-]+\.[\w-]+\/[\w.-]+$/;

/** Whether a strategy can be registered under an id. */
export function isRegisteredId(id: string): boolean {
  return registeredId.test(id);
}

/**
 * Reads what `contextBudget.customStrategy` or `--custom` says: `./path/file.mjs#ExportName`, or the id of a strategy
 * that another extension registered.
 *
 * @throws {CompactionFailure} `custom-missing` where it is neither
 */
export function readReference(text: string): StrategyReference {
  if (isRegisteredId(text)) return { kind: 'registered', id: text };
  const hash = text.lastIndexOf('#');
  const path = text.slice(0, hash);
  const exportName = text.slice(hash + 1);
  if (hash > 0 && identifier.test(exportName)) return { kind: 'module', path, exportName };
  const given = text.trim() === '' ? 'empty' : JSON.stringify(text);
  throw new CompactionFailure(
    'custom-missing',
    `The custom strategy (contextBudget.customStrategy) must be a module and its export, "./path/file.mjs#ExportName", or the id of a registered strategy, "publisher.extension/strategy-id". It is ${given}.`,
  );
}
