import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { element, plainButton, setAttribute, setText } from '../../shared/dom.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.byHand;

/** The subject of manual actions: a message, or all results of a tool or about a file. */
export interface MenuSubject {
  readonly messageId?: string | undefined;
  readonly isInContext?: boolean | undefined;
  /** True if the user hid the message. */
  readonly isHidden?: boolean | undefined;
  readonly tool?: string | undefined;
  readonly path?: string | undefined;
}

/** The selected messages, and a bar with actions on them at the bottom of the page. */
export class PickedMessages {
  readonly element: HTMLElement;
  private readonly count = element('span', { role: 'status' });
  private readonly hide: HTMLButtonElement;
  private readonly show: HTMLButtonElement;
  /** Message id → subject. */
  private readonly subjects = new Map<string, MenuSubject>();

  constructor(post: (request: InspectorRequest) => void) {
    const button = (label: string, request: () => InspectorRequest) =>
      plainButton(
        { class: 'link' },
        () => {
          post(request());
          this.clear();
        },
        label,
      );
    this.hide = button(words.hide, () => ({ type: 'hide', selection: { messageIds: this.inContext() } }));
    this.show = button(words.show, () => ({ type: 'show', messageIds: this.hidden() }));
    const cancel = plainButton({ class: 'link' }, () => this.clear(), words.cancel);
    this.element = element(
      'div',
      { class: 'picked-bar', role: 'group', 'aria-label': words.pickedLabel, hidden: true },
      this.count,
      this.hide,
      this.show,
      cancel,
    );
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.subjects.size > 0) this.clear();
    });
  }

  toggle(subject: MenuSubject): void {
    const { messageId } = subject;
    if (messageId === undefined) return;
    if (!this.subjects.delete(messageId)) this.subjects.set(messageId, subject);
    this.render();
  }

  /** Marks an element if its message is selected, even after the element was drawn again. */
  mark(target: HTMLElement, { messageId }: MenuSubject): void {
    if (messageId === undefined) return;
    setAttribute(target, 'data-picks', messageId);
    target.classList.toggle('is-picked', this.subjects.has(messageId));
  }

  clear(): void {
    this.subjects.clear();
    this.render();
  }

  private inContext(): readonly string[] {
    return [...this.subjects].flatMap(([id, { isInContext }]) => (isInContext === true ? [id] : []));
  }

  private hidden(): readonly string[] {
    return [...this.subjects].flatMap(([id, { isHidden }]) => (isHidden === true ? [id] : []));
  }

  private render(): void {
    const { size } = this.subjects;
    this.element.hidden = size === 0;
    this.hide.hidden = this.inContext().length === 0;
    this.show.hidden = this.hidden().length === 0;
    setText(this.count, size === 0 ? '' : words.picked({ count: size }));
    for (const target of document.querySelectorAll<HTMLElement>('[data-picks]')) {
      target.classList.toggle('is-picked', this.subjects.has(target.dataset['picks'] ?? ''));
    }
  }
}
