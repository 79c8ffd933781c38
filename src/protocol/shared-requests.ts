import { flag, id, ifValid, text } from './field-guards.ts';
import { messages } from './messages.ts';

/** Requests that both pages send in the same form. */
export const sharedRequests = messages({
  /** Compacts now; once with a focus or another strategy than the one set, if given. */
  compact: { focus: ifValid(text), strategy: ifValid(text) },
  /** Undoes a compaction. */
  undo: { recordId: text },
  /** Keeps a message through every compaction, or no longer. */
  pin: { messageId: id, isPinned: flag },
  'select-strategy': {},
});
