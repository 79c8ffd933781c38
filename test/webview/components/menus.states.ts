import { html } from 'lit';
import {
  menuButton,
  menuFor,
  MessageMenu,
  messageButtons,
} from '../../../webview/inspector/by-hand/message-menu.ts';
import {
  fieldButton,
  sentenceButton,
  SentenceMenu,
} from '../../../webview/inspector/by-hand/sentence-menu.ts';
import { inspectorState } from '../support/inspector-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const messages = new MessageMenu(ignored);
messages.render(inspectorState());
const sentences = new SentenceMenu(ignored);
sentences.render(inspectorState({ canMark: true }));
const inContext = { messageId: 'm1', isInContext: true };
const rule = { sentence: 'Never push.', kind: 'rule' } as const;

export const menuStates: ComponentStates = {
  name: 'menus by hand',
  states: {
    'a message in context': () =>
      html`<button type="button" ${menuFor(messages, inContext)}>src/store.ts</button>
        ${menuButton(messages, inContext, 'src/store.ts')} ${messageButtons(messages, inContext)}`,
    'a hidden message': () => html`${messageButtons(messages, { messageId: 'm2', isHidden: true })}`,
    'a sentence': () =>
      html`<span>${rule.sentence}</span> ${sentenceButton(
          sentences,
          () => rule,
          (button) => button,
        )}
        ${fieldButton(sentences, () => document.createElement('textarea'))}`,
  },
};
