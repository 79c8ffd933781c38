import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { element } from '../../dom.ts';
import { controlButton } from '../../toolkit.ts';
import { intentOf } from '../keys.ts';
import { strings } from '../strings.ts';

const words = strings.approval;

type Choice = Extract<ChatRequest, { type: 'decide' }>['choice'];

/** The answers to an approval. Rejecting asks first what would be better. */
export interface ApprovalChoices {
  readonly element: HTMLElement;
  /** @param hasRule false leaves nothing but this once */
  show(hasRule: boolean): void;
}

/** @param onChoice called with an answer; `feedback` is what the person said with a rejection, trimmed */
export function approvalChoices(onChoice: (choice: Choice, feedback?: string) => void): ApprovalChoices {
  const button = (choice: Choice, label: string) =>
    controlButton(
      { appearance: choice === 'once' ? 'primary' : 'secondary', onClick: () => onChoice(choice) },
      label,
    );
  const longer = [button('session', words.session), button('always', words.always)];
  const reject = controlButton({ appearance: 'secondary', onClick: () => ask(true) }, words.reject);
  const choices = element('div', { class: 'buttons' }, button('once', words.once), ...longer, reject);

  const input = element('textarea', {
    class: 'field',
    rows: 1,
    placeholder: words.feedback,
    'aria-label': words.feedback,
  });
  const rejectNow = () => {
    const feedback = input.value.trim();
    if (feedback === '') onChoice('reject');
    else onChoice('reject', feedback);
  };
  const form = element(
    'div',
    { class: 'feedback', hidden: true },
    input,
    element(
      'div',
      { class: 'buttons' },
      controlButton({ appearance: 'primary', onClick: rejectNow }, words.reject),
      controlButton({ appearance: 'secondary', onClick: () => ask(false) }, words.back),
    ),
  );
  input.addEventListener('keydown', (event) => {
    const intent = intentOf(event);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') rejectNow();
    else ask(false);
  });

  const ask = (isAsking: boolean) => {
    choices.hidden = isAsking;
    form.hidden = !isAsking;
    (isAsking ? input : reject).focus();
  };
  return {
    element: element('div', {}, choices, form),
    show(hasRule) {
      for (const each of longer) each.hidden = !hasRule;
    },
  };
}
