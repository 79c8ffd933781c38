import { CompactionFailure } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/custom-english.ts';
import { isRegisteredId } from './registered-strategies.ts';

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
