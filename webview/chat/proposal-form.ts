import type { StrategyChoice } from '../../src/protocol/composing.ts';
import { element, plainButton } from '../dom.ts';
import { intentOf } from './keys.ts';
import { strings } from './strings.ts';

const words = strings.proposal;

/** What a person can say about a compaction before it begins. */
export interface ProposalForm {
  readonly element: HTMLElement;
  /** Starts anew and takes the focus. */
  ask(): void;
}

export interface ProposalFormOptions {
  /** Called with what was written or chosen, trimmed; may be empty. */
  readonly onCompact: (value: string) => void;
  readonly onBack: () => void;
}

/** Asks what matters most. */
export function focusForm(options: ProposalFormOptions): ProposalForm {
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
 * Asks for a strategy.
 *
 * @param strategies are read whenever it asks
 */
export function strategyForm(
  strategies: () => readonly StrategyChoice[],
  options: ProposalFormOptions,
): ProposalForm {
  const select = element('select', { class: 'field', 'aria-label': words.strategy });
  return form(select, options, () => {
    select.replaceChildren(...strategies().map(({ id, title }) => element('option', { value: id }, title)));
  });
}

function form(
  field: HTMLInputElement | HTMLSelectElement,
  { onCompact, onBack }: ProposalFormOptions,
  prepare: () => void,
): ProposalForm {
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
