import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { MarkName } from '../../../src/protocol/inspector-ledger.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { rewordField } from './reword-field.ts';

const words = inspectorTexts.ledger.marks;

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
  /** The outcome for screen readers, and a button next to the selection. */
  readonly element: HTMLElement;
  private readonly post: (request: InspectorRequest) => void;
  private readonly outcome = element('p', { class: 'spoken', role: 'status' });
  private readonly menu = new PopupMenu(words.menu);
  private readonly beside: HTMLButtonElement;
  private sessionId: string | undefined;
  private isAllowed = false;
  /** Sentences that were marked on this page, the last one last. */
  private made: string[] = [];

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    this.beside = plainButton(
      { class: 'mark-beside', 'aria-haspopup': 'menu', hidden: true },
      () => this.openAt(selectedSentence(), this.beside.getBoundingClientRect()),
      icon('edit'),
      words.mark,
    );
    // Otherwise, the selection would be lost before the click.
    this.beside.addEventListener('pointerdown', (event) => event.preventDefault());
    this.element = element('div', {}, this.outcome, this.beside);
    document.addEventListener('keydown', (event) => this.keyPressed(event), { capture: true });
    document.addEventListener('contextmenu', (event) => this.menuAsked(event), { capture: true });
    document.addEventListener('selectionchange', () => this.placeBeside());
    document.addEventListener('scroll', () => this.placeBeside(), { capture: true, passive: true });
    window.addEventListener('resize', () => this.placeBeside());
  }

  render(state: InspectorState): void {
    if (state.sessionId !== this.sessionId) this.made = [];
    this.sessionId = state.sessionId;
    this.isAllowed = state.canMark === true;
    this.placeBeside();
  }

  /** False if sentences of the displayed session cannot be marked. */
  get canMark(): boolean {
    return this.isAllowed;
  }

  /** Attaches the keys and the menu for a sentence to an element. They work while the element has the focus. */
  attach(target: HTMLElement, subject: () => SentenceSubject | undefined): void {
    target.addEventListener('keydown', (event) => {
      const key = keyOf(event);
      const about = subject();
      if (event.target !== target || key === undefined || about === undefined) return;
      event.preventDefault();
      this.act(key, about, target);
    });
    target.addEventListener('contextmenu', (event) => {
      const about = subject();
      if (about === undefined || !this.canMark) return;
      event.preventDefault();
      event.stopPropagation();
      this.menu.open(this.itemsFor(about, target), { left: event.clientX, top: event.clientY }, target);
    });
  }

  /** A button that opens the menu of a sentence. */
  button(subject: () => SentenceSubject | undefined, opener: HTMLElement): HTMLButtonElement {
    const button = plainButton(
      { class: 'more-button', 'aria-haspopup': 'menu', 'aria-label': words.mark, title: words.mark },
      () => this.openAt(subject(), button.getBoundingClientRect(), opener),
      icon('more'),
    );
    return button;
  }

  /** A button with the menu for the selected text of a field, because keys type in the field. */
  fieldButton(field: HTMLTextAreaElement): HTMLElement {
    const subject = (): SentenceSubject | undefined => {
      const { value, selectionStart, selectionEnd } = field;
      const sentence = value.slice(selectionStart, selectionEnd).replace(/\s+/gu, ' ').trim();
      const withoutItem = sentence.replace(/^[-*•] /u, '');
      return withoutItem === '' || withoutItem.length > longestSentence
        ? undefined
        : { sentence: withoutItem, kind: 'note' };
    };
    const button = plainButton(
      { class: 'link', 'aria-haspopup': 'menu' },
      () => this.openAt(subject(), button.getBoundingClientRect(), button),
      words.mark,
    );
    return button;
  }

  private openAt(
    subject: SentenceSubject | undefined,
    { left, bottom }: DOMRect,
    opener: HTMLElement = this.beside,
  ): void {
    if (!this.canMark) setText(this.outcome, words.readOnly);
    else if (subject === undefined) setText(this.outcome, words.selectFirst);
    else this.menu.open(this.itemsFor(subject, opener), { left, top: bottom }, opener);
  }

  private keyPressed(event: KeyboardEvent): void {
    if (isField(event.target)) return;
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      const last = this.made.at(-1);
      if (last === undefined) return;
      event.preventDefault();
      this.takeBack(last);
      return;
    }
    const key = keyOf(event);
    const text =
      event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-said]') : null;
    if (key === undefined || text === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const subject = selectedSentence();
    if (subject === undefined) setText(this.outcome, words.selectFirst);
    else this.act(key, subject, text);
  }

  private menuAsked(event: MouseEvent): void {
    const subject = this.canMark ? selectedSentence() : undefined;
    const text =
      event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-said]') : null;
    if (subject === undefined || text === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.menu.open(this.itemsFor(subject, text), { left: event.clientX, top: event.clientY }, text);
  }

  private placeBeside(): void {
    const range =
      this.canMark && selectedSentence() !== undefined ? window.getSelection()?.getRangeAt(0) : undefined;
    this.beside.hidden = range === undefined;
    if (range === undefined) return;
    const { left, bottom } = range.getBoundingClientRect();
    this.beside.style.left = `${Math.max(4, left)}px`;
    this.beside.style.top = `${Math.min(bottom + 4, window.innerHeight - 32)}px`;
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
      setText(this.outcome, words.readOnly);
      return;
    }
    if (key === 'u') {
      if (mark === undefined) setText(this.outcome, words.notMarked);
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
    setText(
      this.outcome,
      words.marked({ name: words.names[request.as ?? 'note'], sentence: request.words ?? request.sentence }),
    );
    window.getSelection()?.removeAllRanges();
  }

  private takeBack(sentence: string): void {
    const place = this.made.lastIndexOf(sentence);
    if (place >= 0) this.made.splice(place, 1);
    this.post({ type: 'mark-sentence', sentence });
    setText(this.outcome, words.takenBack({ sentence }));
  }
}

/**
 * Value of the attribute for texts with markable sentences: messages of the user and the model, and summaries, which
 * quote them. Undefined for other texts.
 */
export function saidBy(kind: Kind | undefined, messageId: string): string | undefined {
  if (kind === 'summary') return '';
  return kind === 'user' || kind === 'assistant' ? messageId : undefined;
}

function keyOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): MarkKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const name = key.toLowerCase();
  if (name === 'backspace') return 'delete';
  return (['r', 'd', 'x', 'e', 'delete', 'u'] as const).find((one) => one === name);
}

/** True for an element in which the user can type. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, vscode-text-field, vscode-dropdown'))
  );
}

/** The selected text of a message; undefined without a selection, or if it is too long or spans several messages. */
function selectedSentence(): SentenceSubject | undefined {
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
