import type { InspectorRequest, InspectorState, ShardChoice } from '../../src/protocol/inspector.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../dom.ts';
import { icon, type IconName } from '../icons.ts';
import { formatCount, formatShort } from '../numbers.ts';
import { strings } from './strings.ts';

const words = strings.picker;

const icons: Readonly<Record<ShardChoice['state'], IconName>> = {
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
};

interface Choice {
  readonly sessionId: string;
  /** Undefined for the chat itself. */
  readonly shard: ShardChoice | undefined;
  readonly isShown: boolean;
}

/** The chat and its sub-agents, one of which is shown. There is nothing to pick in a chat without any. */
export class Picker {
  readonly element: HTMLElement;
  private readonly choices: KeyedList<Choice>;

  constructor(post: (request: InspectorRequest) => void) {
    const list = element('ul', { class: 'choices' });
    this.element = element('nav', { class: 'picker', 'aria-label': words.title }, list);
    this.choices = new KeyedList<Choice>(list, {
      keyOf: ({ sessionId }) => sessionId,
      create: (choice) =>
        choiceView(choice, () => post({ type: 'show-session', sessionId: choice.sessionId })),
      isSame: (shown, choice) => JSON.stringify(shown) === JSON.stringify(choice),
    });
  }

  render({ sessionId, chatId, shards }: InspectorState): void {
    this.element.hidden = shards.length === 0;
    this.choices.render([
      { sessionId: chatId, shard: undefined, isShown: chatId === sessionId },
      ...shards.map((shard) => ({
        sessionId: shard.sessionId,
        shard,
        isShown: shard.sessionId === sessionId,
      })),
    ]);
  }
}

function choiceView(choice: Choice, onClick: () => void): ItemView<Choice> {
  const sign = element('span', { class: 'choice-sign' });
  const name = element('span', { class: 'choice-name' });
  const facts = element('span', { class: 'choice-facts dim' });
  const button = plainButton({ class: 'choice' }, onClick, sign, name, facts);
  const update = ({ shard, isShown }: Choice) => {
    setAttribute(button, 'aria-current', isShown ? 'true' : undefined);
    setText(name, shard === undefined ? words.chat : words.name(shard.name, shard.kind));
    sign.hidden = shard === undefined;
    facts.hidden = shard === undefined;
    if (shard === undefined) return;
    const state = words.states[shard.state];
    sign.replaceChildren(icon(icons[shard.state]));
    const { tokens } = shard;
    setText(facts, tokens === undefined ? '' : words.facts(state, formatShort(tokens)));
    setAttribute(button, 'title', tokens === undefined ? undefined : words.tokens(formatCount(tokens)));
  };
  update(choice);
  return { element: element('li', {}, button), update };
}
