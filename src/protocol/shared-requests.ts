import { isRecord } from '../language/is-record.ts';
import { flag, id, ifValid, line, listOf, objectWith, optional, text } from './field-guards.ts';
import { messages, readFields, type FieldValues } from './messages.ts';

/** Maximum number of messages that one request names. */
const mostMessages = 10_000;

/** The user's selection to hide: messages, the pictures of messages, or all results of a tool or about a file. */
const selectionFields = {
  messageIds: optional(listOf(id, mostMessages)),
  pictureIds: optional(listOf(id, mostMessages)),
  tool: optional(line),
  path: optional(line),
};

export type Selection = FieldValues<typeof selectionFields>;

/** Choices for one previewed compaction. Without `from` or `to`, the part is open at that end. */
const previewFields = {
  focus: ifValid(text),
  strategy: ifValid(text),
  from: optional(id),
  to: optional(id),
};

export type PreviewChoice = FieldValues<typeof previewFields>;

/** Reads the choices from a command's argument. Returns no choices if the argument is invalid. */
export function parsePreviewChoice(value: unknown): PreviewChoice {
  return (isRecord(value) ? readFields(previewFields, value) : undefined) ?? {};
}

const partFields = { from: optional(id), to: optional(id), above: optional(id), below: optional(id) };

/** A part of the conversation: from one message to another, or everything above or below the exchange of a message. */
export type PartChoice = FieldValues<typeof partFields>;

/** Requests that both pages send in the same form. */
export const sharedRequests = messages({
  /** Compacts now, optionally with a focus or with another strategy than the configured one. */
  compact: { focus: ifValid(text), strategy: ifValid(text) },
  /** Plans a compaction, and shows it in the inspector without applying it. */
  preview: previewFields,
  undo: { recordId: text },
  /** Pins or unpins a message. Compactions keep pinned messages. */
  pin: { messageId: id, isPinned: flag },
  hide: { selection: objectWith(selectionFields) },
  show: { messageIds: listOf(id, mostMessages) },
  /** Compacts a part: from one message to another, or everything above or below a message. One end may be open. */
  'compact-part': partFields,
  /** Continues from a message. Later messages leave the context. */
  rewind: { messageId: id },
  'select-strategy': {},
});
