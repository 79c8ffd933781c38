import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { MarkName } from '../../../src/protocol/inspector-ledger.ts';

/** Maximum characters of a sentence that can be marked. */
const longestSentence = 2_000;

/** A sentence that the user can mark. */
export interface SentenceSubject {
  readonly sentence: string;
  /** The displayed words: the sentence's own, unless the sentence was reworded. */
  readonly words?: string | undefined;
  /** Id of the message that contains the sentence, if any. */
  readonly messageId?: string | undefined;
  readonly mark?: MarkName | undefined;
  /** The kind that the sentence keeps if the user only rewords it. */
  readonly kind: Exclude<MarkName, 'struck'>;
}

/**
 * Value of the attribute for texts with markable sentences: messages of the user and the model, and summaries, which
 * quote them. Undefined for other texts.
 */
export function saidBy(kind: Kind | undefined, messageId: string): string | undefined {
  if (kind === 'summary') return '';
  return kind === 'user' || kind === 'assistant' ? messageId : undefined;
}

/** The selected text of a field, without the sign of a list item; undefined without a selection. */
export function selectedIn({
  value,
  selectionStart,
  selectionEnd,
}: HTMLTextAreaElement): SentenceSubject | undefined {
  const sentence = value.slice(selectionStart, selectionEnd).replace(/\s+/gu, ' ').trim();
  const withoutItem = sentence.replace(/^[-*•] /u, '');
  return withoutItem === '' || withoutItem.length > longestSentence
    ? undefined
    : { sentence: withoutItem, kind: 'note' };
}

/** True for an element in which the user can type. */
export function isField(target: HTMLElement): boolean {
  return target.isContentEditable || target.matches('input, textarea, select, vscode-dropdown');
}

/** The selected text of a message; undefined without a selection, or if it is too long or spans several messages. */
export function selectedSentence(): SentenceSubject | undefined {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const within = selection.getRangeAt(0).commonAncestorContainer;
  const text = (within instanceof HTMLElement ? within : within.parentElement)?.closest<HTMLElement>(
    '[data-said]',
  );
  const sentence = selection.toString().replace(/\s+/gu, ' ').trim();
  if (text === null || text === undefined || sentence === '' || sentence.length > longestSentence)
    return undefined;
  return { sentence, messageId: text.dataset['said'] || undefined, kind: 'note' };
}
