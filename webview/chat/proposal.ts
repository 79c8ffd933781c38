import type { ChatRequest, ChatState } from '../../src/extension/protocol/chat.ts';
import { element, plainButton, setText } from '../dom.ts';
import { formatCount, formatPercent } from '../numbers.ts';
import { strings } from './strings.ts';

const words = strings.proposal;

type Question = Pick<ChatState, 'proposal' | 'meter'>;

/** Asks whether to compact, in one quiet row. A reader hears the question; nothing takes the focus. */
export class ProposalView {
  readonly element: HTMLElement;
  private readonly question = element('span', { role: 'status' });
  private readonly choices: HTMLElement;
  private readonly giveFocus: () => void;

  /** @param giveFocus called when the row goes away with the focus in it */
  constructor(post: (request: ChatRequest) => void, giveFocus: () => void) {
    this.giveFocus = giveFocus;
    this.choices = element(
      'span',
      { class: 'choices', role: 'group', 'aria-label': words.label, hidden: true },
      plainButton({ class: 'link' }, () => post({ type: 'compact-now' }), words.compactNow),
      plainButton({ class: 'link' }, () => post({ type: 'decline-compaction' }), words.notNow),
    );
    // What announces itself has to be on the page before it has something to say.
    this.element = element('div', { class: 'proposal' }, this.question, this.choices);
  }

  render(state: Question): void {
    const hadFocus = this.choices.contains(document.activeElement);
    setText(this.question, questionOf(state));
    this.choices.hidden = state.proposal === null;
    if (hadFocus && this.choices.hidden) this.giveFocus();
  }
}

function questionOf({ proposal, meter: { tokens, window: size } }: Question): string {
  if (proposal === null) return '';
  if (proposal === 'messages' || proposal === 'turns') return words.grown[proposal];
  return size === undefined ? words.holds(formatCount(tokens)) : words.full(formatPercent(tokens / size));
}
