import { html, render, type TemplateResult } from 'lit';
import type { MarkName } from '../../../src/protocol/inspector-ledger.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { styled } from '../../shared/styled.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { rewordField } from './reword-field.ts';
import { isField, selectedIn, selectedSentence, type SentenceSubject } from './selected-sentence.ts';

const words = inspectorTexts.ledger.marks;

type MarkKey = 'r' | 'd' | 'x' | 'e' | 'delete' | 'u';

const marksByKey: Readonly<Partial<Record<MarkKey, MarkName>>> = {
  r: 'rule',
  d: 'decision',
  x: 'done',
  delete: 'struck',
};

/**
 * Lets the user mark the sentence of a focused fact or the selected text of a message. Each kind of mark has a key.
 * The menu opens by right click, Shift+F10, the context-menu key, or a button.
 */
export class SentenceMenu {
  private readonly post: (request: InspectorRequest) => void;
  private readonly menu = new PopupMenu(words.menu);
  private readonly subjects = new WeakMap<Element, () => SentenceSubject | undefined>();
  /** The outcome for screen readers, and a button next to the selection. */
  readonly element = document.createElement('div');
  /** The newest outcome. */
  private outcome = '';
  private sessionId: string | undefined;
  private isAllowed = false;
  /** Sentences that were marked on this page, the last one last. */
  private made: string[] = [];

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    document.addEventListener('keydown', (event) => this.keyPressed(event), { capture: true });
    document.addEventListener('contextmenu', (event) => this.menuAsked(event), { capture: true });
    document.addEventListener('selectionchange', () => this.draw());
    document.addEventListener('scroll', () => this.draw(), { capture: true, passive: true });
    window.addEventListener('resize', () => this.draw());
  }

  render(state: InspectorState): void {
    if (state.sessionId !== this.sessionId) this.made = [];
    this.sessionId = state.sessionId;
    this.isAllowed = state.canMark === true;
    this.draw();
  }

  /** False if sentences of the displayed session cannot be marked. */
  get canMark(): boolean {
    return this.isAllowed;
  }

  /** Attaches the keys and the menu for a sentence to an element. They work while the element has the focus. */
  attach(target: Element, subject: () => SentenceSubject | undefined): void {
    this.subjects.set(target, subject);
    target.toggleAttribute('data-sentence', true);
  }

  /** As `sentenceButton`, for code that builds elements. */
  button(subject: () => SentenceSubject | undefined, opener: HTMLElement): HTMLButtonElement {
    const place = document.createElement('div');
    render(
      sentenceButton(this, subject, () => opener),
      place,
    );
    return place.querySelector('button')!;
  }

  /** Opens the menu of a sentence below an element. */
  openBelow(subject: SentenceSubject | undefined, below: HTMLElement, opener = below): void {
    if (!this.canMark) this.say(words.readOnly);
    else if (subject === undefined) this.say(words.selectFirst);
    else {
      const { left, bottom } = below.getBoundingClientRect();
      this.menu.open(this.itemsFor(subject, opener), { left, top: bottom }, opener);
    }
  }

  private say(outcome: string): void {
    this.outcome = outcome;
    this.draw();
  }

  /** Draws the outcome, and places the button below the selection. */
  private draw(): void {
    const range = this.canMark && selectedSentence() ? window.getSelection()?.getRangeAt(0) : undefined;
    const { left = 0, bottom = 0 } = range?.getBoundingClientRect() ?? {};
    render(
      html`<p class="spoken" role="status">${this.outcome}</p>
        <button
          type="button"
          class="mark-beside"
          aria-haspopup="menu"
          ?hidden=${range === undefined}
          ${styled({
            left: `${Math.max(4, left)}px`,
            top: `${Math.min(bottom + 4, window.innerHeight - 32)}px`,
          })}
          @pointerdown=${keepSelection}
          @click=${({ currentTarget }: Event) =>
            this.openBelow(selectedSentence(), currentTarget as HTMLElement)}
        >
          ${iconTemplate('edit')} ${words.mark}
        </button>`,
      this.element,
    );
  }

  private keyPressed(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLElement) || isField(target)) return;
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      const last = this.made.at(-1);
      if (last === undefined) return;
      event.preventDefault();
      this.takeBack(last);
      return;
    }
    const key = keyOf(event);
    const own = this.subjects.get(target)?.();
    const place = own === undefined ? target.closest<HTMLElement>('[data-said]') : target;
    if (key === undefined || place === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const subject = own ?? selectedSentence();
    if (subject === undefined) this.say(words.selectFirst);
    else this.act(key, subject, place);
  }

  private menuAsked(event: MouseEvent): void {
    if (!this.canMark || !(event.target instanceof Element)) return;
    const owner = event.target.closest<HTMLElement>('[data-sentence]');
    const place = owner ?? event.target.closest<HTMLElement>('[data-said]');
    const subject = owner === null ? selectedSentence() : this.subjects.get(owner)?.();
    if (subject === undefined || place === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.menu.open(this.itemsFor(subject, place), { left: event.clientX, top: event.clientY }, place);
  }

  private itemsFor(subject: SentenceSubject, place: HTMLElement): readonly (readonly MenuItem[])[] {
    const item = (key: MarkKey): MenuItem => ({
      label: words.items[key],
      keys: words.keys[key],
      run: () => this.act(key, subject, place),
    });
    const isMarked = subject.mark !== undefined;
    const kinds = (['r', 'd', 'x'] as const).filter((key) => marksByKey[key] !== subject.mark);
    return [
      subject.mark === 'struck' ? [] : [...kinds.map(item), item('e')],
      [...(subject.mark === 'struck' ? [] : [item('delete')]), ...(isMarked ? [item('u')] : [])],
    ].filter((group) => group.length > 0);
  }

  private act(key: MarkKey, subject: SentenceSubject, place: HTMLElement): void {
    const { sentence, messageId, mark } = subject;
    if (!this.canMark) {
      this.say(words.readOnly);
      return;
    }
    if (key === 'u') {
      if (mark === undefined) this.say(words.notMarked);
      else this.takeBack(sentence);
      return;
    }
    if (key === 'e') {
      rewordField(place, subject.words ?? sentence, (reworded) =>
        this.mark({
          sentence,
          messageId,
          as: mark === undefined || mark === 'struck' ? subject.kind : mark,
          words: reworded,
        }),
      );
      return;
    }
    const as = marksByKey[key]!;
    // A reworded sentence keeps the user's words when it gets another mark.
    const reworded = as === 'struck' || subject.words === sentence ? undefined : subject.words;
    this.mark({ sentence, messageId, as, words: reworded });
  }

  private mark(request: Omit<Extract<InspectorRequest, { type: 'mark-sentence' }>, 'type'>): void {
    this.made.push(request.sentence);
    this.post({ type: 'mark-sentence', ...request });
    this.say(
      words.marked({ name: words.names[request.as ?? 'note'], sentence: request.words ?? request.sentence }),
    );
    window.getSelection()?.removeAllRanges();
  }

  private takeBack(sentence: string): void {
    const place = this.made.lastIndexOf(sentence);
    if (place >= 0) this.made.splice(place, 1);
    this.post({ type: 'mark-sentence', sentence });
    this.say(words.takenBack({ sentence }));
  }
}

/** A button that opens the menu of a sentence. The focus returns to the opener. */
export function sentenceButton(
  marks: SentenceMenu,
  subject: () => SentenceSubject | undefined,
  opener: (button: HTMLElement) => HTMLElement,
): TemplateResult {
  return html`<button
    type="button"
    class="more-button"
    aria-haspopup="menu"
    aria-label=${words.mark}
    title=${words.mark}
    @click=${({ currentTarget }: Event) => {
      const button = currentTarget as HTMLElement;
      marks.openBelow(subject(), button, opener(button));
    }}
  >
    ${iconTemplate('more')}
  </button>`;
}

/** A button with the menu for the selected text of a field, because keys type in the field. */
export function fieldButton(marks: SentenceMenu, field: () => HTMLTextAreaElement): TemplateResult {
  const open = ({ currentTarget }: MouseEvent) =>
    marks.openBelow(selectedIn(field()), currentTarget as HTMLElement);
  return linkButton(words.mark, open, { opensMenu: true });
}

/** Otherwise, the selection would be lost before the click. */
function keepSelection(event: Event): void {
  event.preventDefault();
}

function keyOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): MarkKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const name = key.toLowerCase();
  if (name === 'backspace') return 'delete';
  return (['r', 'd', 'x', 'e', 'delete', 'u'] as const).find((one) => one === name);
}
