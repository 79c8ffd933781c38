import { type ElementPart, html, noChange, type TemplateResult } from 'lit';
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { selectedIn, type SentenceSubject } from './selected-sentence.ts';
import type { SentenceMenu } from './sentence-menu.ts';

const words = inspectorTexts.ledger.marks;

/** A button with the menu for the selected text of a field, because keys type in the field. */
export function fieldButton(marks: SentenceMenu, field: () => HTMLTextAreaElement): TemplateResult {
  return html`<button
    type="button"
    class="link"
    aria-haspopup="menu"
    @click=${({ currentTarget }: Event) => marks.openBelow(selectedIn(field()), currentTarget as HTMLElement)}
  >
    ${words.mark}
  </button>`;
}

class SentenceForDirective extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('`sentenceFor` stands alone in a tag.');
  }

  override render(_marks: SentenceMenu, _subject: SentenceSubject | undefined): unknown {
    return noChange;
  }

  override update(
    { element }: ElementPart,
    [marks, subject]: [SentenceMenu, SentenceSubject | undefined],
  ): unknown {
    marks.attach(element, () => subject);
    return noChange;
  }
}

/** Gives an element the keys and the menu of a sentence: `<button ${sentenceFor(marks, subject)}>`. */
export const sentenceFor = directive(SentenceForDirective);
