import type { InspectorRequest, InspectorState } from '../../src/protocol/inspector.ts';
import { element, plainButton, setAttribute, setText } from '../shared/dom.ts';
import { formatCount } from '../shared/numbers.ts';
import { type Control, controlButton } from '../shared/controls.ts';
import { strings } from './text/inspector-strings.ts';

/** What is looked at, and what can be done with it as a whole. */
export class Header {
  readonly element: HTMLElement;
  private readonly title = element('h1');
  private readonly facts = element('span');
  private readonly strategy: HTMLButtonElement;
  private readonly compact: Control;

  constructor(post: (request: InspectorRequest) => void) {
    this.strategy = plainButton({ class: 'link' }, () => post({ type: 'select-strategy' }));
    this.compact = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'compact-now' }) },
      strings.compactNow,
    );
    this.element = element(
      'header',
      {},
      element('div', {}, this.title, element('p', { class: 'dim' }, this.facts, this.strategy)),
      this.compact,
    );
  }

  render(state: InspectorState): void {
    const { title, model, strategy, usage, records, isCompacting } = state;
    const isChat = state.sessionId === state.chatId;
    const size =
      usage.window === undefined ? strings.unknownWindow : strings.window(formatCount(usage.window));
    // Where there is nothing to look at yet, the page offers it in the place where it will be.
    this.compact.hidden = records.length === 0 || !isChat;
    this.compact.disabled = isCompacting;
    setText(this.compact, isCompacting ? strings.compacting : strings.compactNow);
    setText(this.title, title);
    // A sub-agent compacts with the same strategy; what it is, is chosen for the chat.
    const facts = model === '' ? size : `${model} · ${size}`;
    setText(this.facts, isChat ? `${facts} · ${strings.strategy} ` : facts);
    this.strategy.hidden = !isChat;
    setText(this.strategy, strategy);
    setAttribute(this.strategy, 'aria-label', strings.strategyLabel(strategy));
  }
}
