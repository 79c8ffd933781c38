import type { ChatRequest, ChatState } from '../../src/protocol/chat.ts';
import { element, plainButton, setText } from '../dom.ts';
import { strings } from './strings.ts';

const words = strings.readOnly;

/** Stands where the composer is in a chat that can only be looked at: says why, and what can be done about it. */
export class ReadOnlyBanner {
  readonly element: HTMLElement;
  private readonly reason = element('span', { role: 'status' });
  private readonly choices: HTMLElement;

  constructor(post: (request: ChatRequest) => void) {
    this.choices = element(
      'span',
      { class: 'choices' },
      plainButton({ class: 'link' }, () => post({ type: 'take-over' }), words.takeOver),
      plainButton({ class: 'link' }, () => post({ type: 'fork' }), words.fork),
    );
    // What announces itself has to be on the page before it has something to say.
    this.element = element('div', { class: 'read-only' }, this.reason, this.choices);
  }

  render({ readOnly }: ChatState): void {
    this.element.classList.toggle('is-shown', readOnly !== undefined);
    this.choices.hidden = readOnly?.reason !== 'other-window';
    setText(this.reason, reasonOf(readOnly));
  }
}

function reasonOf(readOnly: ChatState['readOnly']): string {
  if (readOnly === undefined) return '';
  return readOnly.reason === 'newer-version' ? words.newerVersion : words.otherWindow(readOnly.window);
}
