import type { InspectorRequest, InspectorState, SessionChoice } from '../../src/protocol/inspector.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../shared/dom.ts';
import { icon, type IconName } from '../shared/icons.ts';
import { formatCount, formatShort } from '../shared/numbers.ts';
import { strings } from './text/inspector-strings.ts';

const pickerWords = strings.picker;

const icons: Readonly<Record<SessionChoice['state'], IconName>> = {
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
};

interface Choice {
  readonly sessionId: string;
  /** Undefined for the chat itself. */
  readonly other: SessionChoice | undefined;
  readonly isShown: boolean;
}

/** The chat and its sub-agents, one of which is shown. There is nothing to pick in a chat without any. */
export class Picker {
  readonly element: HTMLElement;
  private readonly choices: KeyedList<Choice>;

  constructor(post: (request: InspectorRequest) => void) {
    const list = element('ul', { class: 'choices' });
    this.element = element('nav', { class: 'picker', 'aria-label': pickerWords.title }, list);
    this.choices = new KeyedList<Choice>(list, {
      keyOf: ({ sessionId }) => sessionId,
      create: (choice) =>
        choiceView(choice, () => post({ type: 'show-session', sessionId: choice.sessionId })),
      isSame: (shown, choice) => JSON.stringify(shown) === JSON.stringify(choice),
    });
  }

  render({ sessionId, chatId, otherSessions }: InspectorState): void {
    this.element.hidden = otherSessions.length === 0;
    this.choices.render([
      { sessionId: chatId, other: undefined, isShown: chatId === sessionId },
      ...otherSessions.map((other) => ({
        sessionId: other.sessionId,
        other,
        isShown: other.sessionId === sessionId,
      })),
    ]);
  }
}

function choiceView(choice: Choice, onClick: () => void): ItemView<Choice> {
  const sign = element('span', { class: 'choice-sign' });
  const name = element('span', { class: 'choice-name' });
  const facts = element('span', { class: 'choice-facts dim' });
  const button = plainButton({ class: 'choice' }, onClick, sign, name, facts);
  const update = ({ other, isShown }: Choice) => {
    setAttribute(button, 'aria-current', isShown ? 'true' : undefined);
    setText(name, other === undefined ? pickerWords.chat : pickerWords.name(other.name, other.kind));
    sign.hidden = other === undefined;
    facts.hidden = other === undefined;
    if (other === undefined) return;
    const state = pickerWords.states[other.state];
    sign.replaceChildren(icon(icons[other.state]));
    const { tokens } = other;
    setText(facts, tokens === undefined ? '' : pickerWords.facts(state, formatShort(tokens)));
    setAttribute(button, 'title', tokens === undefined ? undefined : pickerWords.tokens(formatCount(tokens)));
  };
  update(choice);
  return { element: element('li', {}, button), update };
}
