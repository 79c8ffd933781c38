import type { ChatRequest } from '../../src/protocol/chat.ts';
import { element, KeyedList, plainButton, setText } from '../dom.ts';
import { controlButton } from '../toolkit.ts';
import { strings } from './strings.ts';

const words = strings.welcome;

/** What an empty conversation shows. */
export class Welcome {
  readonly element: HTMLElement;
  private readonly title = element('h2');
  private readonly text = element('p');
  private readonly setKey: HTMLElement;
  private readonly examples: KeyedList<string>;

  /** @param onExample called with the text of an example that was chosen */
  constructor(post: (request: ChatRequest) => void, onExample: (text: string) => void) {
    const list = element('ul', { 'aria-label': words.examplesLabel });
    this.setKey = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'set-api-key' }) },
      words.setApiKey,
    );
    this.examples = new KeyedList<string>(list, {
      keyOf: (text) => text,
      create: (text) => ({
        element: element(
          'li',
          {},
          plainButton({ class: 'example' }, () => onExample(text), text),
        ),
        update: () => {},
      }),
    });
    this.element = element('section', { class: 'welcome' }, this.title, this.text, this.setKey, list);
  }

  render(isOffline: boolean): void {
    setText(this.title, isOffline ? words.offlineTitle : words.title);
    setText(this.text, isOffline ? words.offline : words.intro);
    this.setKey.hidden = !isOffline;
    this.examples.render(isOffline ? words.offlineExamples : words.examples);
  }
}
