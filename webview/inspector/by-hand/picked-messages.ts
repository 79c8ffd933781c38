import { html, nothing, render } from 'lit';
import { linkButton } from '../../shared/link-button.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
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
  readonly element = document.createElement('div');
  private readonly post: (request: InspectorRequest) => void;
  /** Message id → subject. */
  private readonly subjects = new Map<string, MenuSubject>();

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    this.element.className = 'picked-bar';
    this.element.role = 'group';
    this.element.ariaLabel = words.pickedLabel;
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.subjects.size > 0) this.clear();
    });
    this.render();
  }

  toggle(subject: MenuSubject): void {
    const { messageId } = subject;
    if (messageId === undefined) return;
    if (!this.subjects.delete(messageId)) this.subjects.set(messageId, subject);
    this.render();
  }

  /** Marks an element if its message is selected, even after the element was drawn again. */
  mark(target: Element, { messageId }: MenuSubject): void {
    target.toggleAttribute('data-picked', messageId !== undefined && this.subjects.has(messageId));
    if (messageId === undefined) target.removeAttribute('data-picks');
    else if (target.getAttribute('data-picks') !== messageId) target.setAttribute('data-picks', messageId);
  }

  clear(): void {
    if (this.subjects.size === 0) return;
    this.subjects.clear();
    this.render();
  }

  private idsOf(has: (subject: MenuSubject) => boolean): readonly string[] {
    return [...this.subjects].flatMap(([id, subject]) => (has(subject) ? [id] : []));
  }

  private render(): void {
    const { size } = this.subjects;
    const hidden = this.idsOf(({ isHidden }) => isHidden === true);
    const inContext = this.idsOf(({ isInContext }) => isInContext === true);
    const button = (label: string, ids: readonly string[], request: InspectorRequest) =>
      ids.length === 0
        ? nothing
        : linkButton(label, () => {
            this.post(request);
            this.clear();
          });
    this.element.hidden = size === 0;
    render(
      html`<span role="status">${size === 0 ? '' : words.picked({ count: size })}</span>
        ${button(words.hide, inContext, { type: 'hide', selection: { messageIds: inContext } })}
        ${button(words.show, hidden, { type: 'show', messageIds: hidden })}
        ${linkButton(words.cancel, () => this.clear())}`,
      this.element,
    );
    for (const target of document.querySelectorAll<HTMLElement>('[data-picks]')) {
      target.toggleAttribute('data-picked', this.subjects.has(target.dataset['picks'] ?? ''));
    }
  }
}
