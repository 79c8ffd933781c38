import { kindOf, type Kind, type Message, textOf } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import type { RequestPiece } from './request-difference.ts';
import { sentForm } from './sent-request.ts';
import { type ChangedText, changedText } from './changed-text.ts';

/** The tool or message at which two requests begin to differ. */
export type BreakPlace =
  | {
      readonly type: 'tool';
      readonly tool: string;
      /** Path of the first field that differs, such as `parameters.properties.path`. */
      readonly field: string;
      readonly change: ChangedText;
    }
  | {
      readonly type: 'message';
      readonly messageId: string;
      readonly kind: Kind;
      readonly source?: string;
      readonly change: ChangedText;
    };

/**
 * Finds the first difference between two versions of a tool or a message.
 *
 * @returns undefined if the pieces are not versions of one tool or message
 */
export function breakPlace(
  before: RequestPiece | undefined,
  after: RequestPiece | undefined,
): BreakPlace | undefined {
  if (before?.type === 'tool' && after?.type === 'tool') {
    const { name: tool } = before.tool.function;
    if (tool !== after.tool.function.name) return undefined;
    const found = fieldChange(before.tool.function, after.tool.function);
    return found && { type: 'tool', tool, ...found };
  }
  if (before?.type !== 'message' || after?.type !== 'message') return undefined;
  const [one, other] = [before.message, after.message];
  if (one.id !== other.id && !(isInstruction(one) && isInstruction(other))) return undefined;
  const { source } = other;
  const texts = [textOf(one.content), textOf(other.content)] as const;
  // Messages can differ outside their text, for example in a call.
  const change = texts[0] === texts[1] ? changedText(sentForm(one), sentForm(other)) : changedText(...texts);
  return {
    ...{ type: 'message', messageId: other.id, kind: kindOf(other), change },
    ...(source === undefined ? {} : { source }),
  };
}

/** True for messages at the start of a request. A client may send other versions of them under other ids. */
function isInstruction(message: Message): boolean {
  return ['system', 'memory'].includes(kindOf(message));
}

/** Maximum depth of a field's path. The JSON below it is compared as text. */
const deepest = 20;

/** @returns undefined if only the order of fields differs */
function fieldChange(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): { readonly field: string; readonly change: ChangedText } | undefined {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  if (one === undefined || other === undefined || path.length === deepest) {
    const [earlier, later] = [before, after].map((value) =>
      typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value),
    );
    if (earlier === later) return undefined;
    return { field: path.join('.'), change: changedText(earlier!, later!) };
  }
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const found = fieldChange(one.get(name), other.get(name), [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isRecord(value) || Array.isArray(value) ? new Map(Object.entries(value)) : undefined;
}
