import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import type { PlannedAction } from '../../../src/compaction/records/plan.ts';
import { fieldsOf, listOf, textIn, type OriginalCase } from './original-case.ts';

/**
 * A view in one line: `m3` is the unchanged fourth message of the input, `m3~` a shortened one, `summary` a
 * new message with notes.
 */
export type Shape = string;

/** The outcome of a plan on a view. Messages that are not part of the case are left out. */
export function shapeAfter(view: readonly Message[], actions: readonly PlannedAction[]): Shape {
  const fates = new Map<string, string>();
  for (const action of actions) {
    switch (action.kind) {
      case 'drop':
        for (const id of action.ids) fates.set(id, '');
        break;
      case 'summarise':
        for (const id of action.ids) fates.set(id, '');
        fates.set(action.ids.at(-1) ?? '', 'summary');
        break;
      case 'insert':
        break;
      default:
        fates.set(action.id, `${action.id}~`);
    }
  }
  return view
    .filter(({ id }) => /^[a-z]\d+$/.test(id))
    .map(({ id }) => fates.get(id) ?? id)
    .filter((part) => part !== '')
    .join(' ');
}

/** Openings of the text an original puts in place of a summary, for any reply. */
const summaryMarks = ['[CONTEXT RESTORATION]', 'Previous context has been compacted', '<keyword>', 'TLDR'];

/**
 * The shape that an original left; undefined if the case does not state it. Canned acknowledgements are left
 * out.
 */
export function shapeExpected(
  { inputs, replies, expected }: OriginalCase,
  entries: unknown = expected['messages'],
): Shape | undefined {
  const kept = listOf(expected['kept_indices']);
  if ('kept_indices' in expected) return kept.map((index) => `m${String(index)}`).join(' ');
  if (!Array.isArray(entries)) return undefined;
  const taken = new Set<number>();
  let next = 0;
  const parts = entries.map(fieldsOf).flatMap((entry): readonly string[] => {
    const text = textIn(entry['equals'] ?? [entry['contains']].flat()[0]);
    if (text.startsWith('Got it. Thanks') || entry['synthetic'] === true || entry['note'] !== undefined)
      return [];
    const isSummary =
      entry['item_type'] === 'compaction_summary' ||
      [...replies.map((reply) => reply.trim()), ...summaryMarks].some(
        (mark) => mark !== '' && text.includes(mark),
      );
    if (isSummary && !inputs.some((input) => input['content'] === text)) return ['summary'];
    const candidates = inputs.flatMap((input, index) =>
      index >= next && !taken.has(index) && isSame(input, entry) ? [index] : [],
    );
    const index = candidates.find((candidate) => isSaid(inputs[candidate], text)) ?? candidates[0];
    if (index === undefined) return [`?${String(entry['role'])}`];
    taken.add(index);
    next = index + 1;
    return [`m${index}${isShorter(inputs[index], entry, text) ? '~' : ''}`];
  });
  return parts.join(' ');
}

function isSame(input: OriginalCase['inputs'][number], entry: OriginalCase['inputs'][number]): boolean {
  if (input['role'] !== entry['role']) return false;
  const calls = listOf(input['tool_calls']).map(fieldsOf);
  const ids = listOf(entry['tool_call_ids']);
  if (ids.length > 0) return calls.some((call) => ids.includes(call['id']));
  const name = entry['function_call'];
  if (name !== undefined) return calls.some((call) => fieldsOf(call['function'])['name'] === name);
  return entry['tool_call_id'] === undefined || input['tool_call_id'] === entry['tool_call_id'];
}

function isShorter(
  input: OriginalCase['inputs'][number] | undefined,
  entry: OriginalCase['inputs'][number],
  text: string,
): boolean {
  if (entry['unchanged'] === true || entry['args_unchanged'] === true) return false;
  if (text !== '' && text === saidIn(input)) return false;
  if (['hidden', 'masked', 'truncated', 'offloaded'].some((key) => entry[key] === true)) return true;
  if (entry['args_contains'] !== undefined) return true;
  const before = saidIn(input);
  if (typeof entry['length'] === 'number') return entry['length'] < before.length;
  return (
    text !== '' &&
    (entry['exact'] === true || entry['equals'] !== undefined ? before !== text : !before.includes(text))
  );
}

function isSaid(input: OriginalCase['inputs'][number] | undefined, text: string): boolean {
  const said = saidIn(input);
  return said === text || (text !== '' && typeof input?.['content'] !== 'string' && said.includes(text));
}

function saidIn(input: OriginalCase['inputs'][number] | undefined): string {
  const content = input?.['content'];
  return typeof content === 'string' ? content : textOf(Array.isArray(content) ? content : null);
}
