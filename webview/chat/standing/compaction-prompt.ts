import type { ChatRequest, ChatState, StrategyChoice } from '../../../src/protocol/chat.ts';
import { element, intentOf, plainButton, setText } from '../../shared/dom.ts';
import { hasFocus } from '../../shared/focus.ts';
import { formatPercent } from '../../shared/numbers.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.proposal;

type Question = Pick<ChatState, 'proposal' | 'meter' | 'strategies'>;

/** The question in one row whether to compact. It is announced to screen readers, and does not take the focus. */
export class CompactionPrompt {
  readonly element: HTMLElement;
  private readonly question = element('span', { role: 'status' });
  private readonly choices: HTMLElement;
  private readonly answers: HTMLElement;
  private readonly withFocus: HTMLElement;
  private readonly otherStrategy: HTMLElement;
  private readonly forms: readonly PromptForm[];
  private readonly giveFocus: () => void;
  private strategies: readonly StrategyChoice[] = [];

  /** @param giveFocus called if the row has the focus when it disappears */
  constructor(post: (request: ChatRequest) => void, giveFocus: () => void) {
    this.giveFocus = giveFocus;
    const focus = focusForm({
      onCompact: (text) => post(text === '' ? { type: 'compact' } : { type: 'compact', focus: text }),
      onBack: () => this.back(this.withFocus),
    });
    const strategy = strategyForm(() => this.strategies, {
      onCompact: (id) => post({ type: 'compact', strategy: id }),
      onBack: () => this.back(this.otherStrategy),
    });
    this.forms = [focus, strategy];
    this.withFocus = plainButton({ class: 'link' }, () => this.ask(focus), words.withFocus);
    this.otherStrategy = plainButton({ class: 'link' }, () => this.ask(strategy), words.otherStrategy);
    this.answers = element(
      'span',
      { class: 'answers' },
      plainButton({ class: 'link' }, () => post({ type: 'compact' }), words.compactNow),
      plainButton({ class: 'link' }, () => post({ type: 'preview' }), words.preview),
      this.withFocus,
      this.otherStrategy,
      plainButton({ class: 'link' }, () => post({ type: 'decline-compaction' }), words.notNow),
    );
    this.choices = element(
      'span',
      { class: 'choices', role: 'group', 'aria-label': words.label, hidden: true },
      this.answers,
      ...this.forms.map((form) => form.element),
    );
    // A live region must be on the page before it gets text.
    this.element = element('div', { class: 'proposal changes-chat' }, this.question, this.choices);
  }

  render(state: Question): void {
    const hadFocus = hasFocus(this.choices);
    this.strategies = state.strategies ?? [];
    this.otherStrategy.hidden = this.strategies.length === 0;
    setText(this.question, questionOf(state));
    this.choices.hidden = state.proposal === null;
    if (!this.choices.hidden) return;
    this.show(this.answers);
    if (hadFocus) this.giveFocus();
  }

  private ask(form: PromptForm): void {
    this.show(form.element);
    form.ask();
  }

  private back(to: HTMLElement): void {
    this.show(this.answers);
    to.focus();
  }

  private show(part: HTMLElement): void {
    for (const each of [this.answers, ...this.forms.map((form) => form.element)]) each.hidden = each !== part;
  }
}

function questionOf({ proposal, meter: { tokens, window: size } }: Question): string {
  if (proposal === null) return '';
  if (proposal === 'messages' || proposal === 'turns' || proposal === 'planStep')
    return words.grown[proposal];
  return size === undefined ? words.holds({ tokens }) : words.full({ share: formatPercent(tokens / size) });
}

/** A form that asks for the focus or the strategy of a compaction. */
interface PromptForm {
  readonly element: HTMLElement;
  /** Empties the form and focuses it. */
  ask(): void;
}

interface PromptFormOptions {
  /** Called with the trimmed text or the chosen strategy. It may be empty. */
  readonly onCompact: (value: string) => void;
  readonly onBack: () => void;
}

function focusForm(options: PromptFormOptions): PromptForm {
  const input = element('input', {
    type: 'text',
    class: 'field',
    placeholder: words.focus,
    'aria-label': words.focus,
  });
  return form(input, options, () => {
    input.value = '';
  });
}

/**
 * A form that asks for a strategy.
 *
 * @param strategies returns the choices each time the form opens
 */
function strategyForm(strategies: () => readonly StrategyChoice[], options: PromptFormOptions): PromptForm {
  const select = element('select', { class: 'field', 'aria-label': words.strategy });
  return form(select, options, () => {
    select.replaceChildren(...strategies().map(({ id, title }) => element('option', { value: id }, title)));
  });
}

function form(
  field: HTMLInputElement | HTMLSelectElement,
  { onCompact, onBack }: PromptFormOptions,
  prepare: () => void,
): PromptForm {
  const compact = () => onCompact(field.value.trim());
  field.addEventListener('keydown', (event) => {
    const intent = intentOf(event as KeyboardEvent);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') compact();
    else onBack();
  });
  return {
    element: element(
      'span',
      { class: 'proposal-form', hidden: true },
      field,
      plainButton({ class: 'link' }, compact, words.compact),
      plainButton({ class: 'link' }, onBack, words.back),
    ),
    ask() {
      prepare();
      field.focus();
    },
  };
}
