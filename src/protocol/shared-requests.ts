import { isRecord } from '../language/is-record.ts';
import { flag, id, ifValid, line, listOf, objectWith, optional, text } from './field-guards.ts';
import { messages, readFields, type FieldValues } from './messages.ts';

/** Most messages that one request names. */
const mostMessages = 10_000;

/** Things that a person chose to hide: messages, only the pictures of messages, or all results of a tool or a file. */
const selectionFields = {
  messageIds: optional(listOf(id, mostMessages)),
  pictureIds: optional(listOf(id, mostMessages)),
  tool: optional(line),
  path: optional(line),
};

export type Selection = FieldValues<typeof selectionFields>;

/** Choices of one compaction that is looked at before it counts. Each end of a part is open if it is left out. */
const previewFields = {
  focus: ifValid(text),
  strategy: ifValid(text),
  from: optional(id),
  to: optional(id),
};

export type PreviewChoice = FieldValues<typeof previewFields>;

/** Reads the argument of a command; no choice at all if it is none. */
export function parsePreviewChoice(value: unknown): PreviewChoice {
  return (isRecord(value) ? readFields(previewFields, value) : undefined) ?? {};
}

const partFields = { from: optional(id), to: optional(id), above: optional(id), below: optional(id) };

/** A part of the conversation: from a message to another, or everything above or below the exchange of one. */
export type PartChoice = FieldValues<typeof partFields>;

/** Requests that both pages send in the same form. */
export const sharedRequests = messages({
  /** Compacts now; once with a focus or another strategy than the one set, if given. */
  compact: { focus: ifValid(text), strategy: ifValid(text) },
  /** Plans a compaction, and shows it in the inspector before it counts. */
  preview: previewFields,
  /** Undoes a compaction. */
  undo: { recordId: text },
  /** Keeps a message through every compaction, or no longer. */
  pin: { messageId: id, isPinned: flag },
  /** Hides messages, after a question that names the price. */
  hide: { selection: objectWith(selectionFields) },
  /** Shows hidden messages again. */
  show: { messageIds: listOf(id, mostMessages) },
  /**
   * Compacts a part in a way the person chooses: from a message to another, each end open if it is left out, or
   * everything above or below a message.
   */
  'compact-part': partFields,
  /** Goes on from a message: what came after it leaves the context. */
  rewind: { messageId: id },
  'select-strategy': {},
});
