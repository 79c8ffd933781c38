import type { ApprovalView, FileChangeView } from '../../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../../src/protocol/chat.ts';
import { controlButton } from '../../../shared/controls.ts';
import { element, intentOf, KeyedList, setAttribute, setText } from '../../../shared/dom.ts';
import { icon } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import { approvalDetails, approvalFile, approvalTerms, isSameChange } from './approval-details.ts';

const words = strings.approval;

/** The request for approval of a call, below the call. Never takes the focus. */
export interface ApprovalCard {
  readonly element: HTMLElement;
  update(approval: ApprovalView): void;
}

/** @param rowId id of the call's row */
export function approvalCard(
  rowId: string,
  approval: ApprovalView,
  post: (request: ChatRequest) => void,
): ApprovalCard {
  /** Only the first answer counts, even before the host has received it. */
  let isAnswered = false;
  let shown: ApprovalView | undefined;
  const title = element('p', { class: 'approval-title' });
  const warningText = element('span');
  const warning = element('p', { class: 'approval-warning' }, icon('warning'), warningText);
  const details = approvalDetails();
  const terms = approvalTerms(() => showRule());
  const list = element('ul', { class: 'approval-files', tabindex: 0, 'aria-label': words.changes });
  const files = new KeyedList<FileChangeView>(list, {
    keyOf: ({ path }) => path,
    create: (file) => approvalFile(file, (path) => post({ type: 'review', id: rowId, path })),
    isSame: isSameChange,
  });
  const rule = element('p', { class: 'approval-rule' });
  const choices = approvalChoices((choice, feedback) => {
    if (isAnswered) return;
    isAnswered = true;
    root.classList.add('is-answered');
    const reach = choice === 'reject' ? undefined : terms.reach;
    post({
      type: 'decide',
      id: rowId,
      choice,
      ...(feedback === undefined ? {} : { feedback }),
      ...(reach === undefined ? {} : { reach }),
    });
  });
  const root = element(
    'div',
    // The line above the composer announces the request, without its buttons.
    { class: 'approval', role: 'group', tabindex: -1, 'aria-live': 'off' },
    title,
    warning,
    ...details.elements,
    list,
    terms.element,
    choices.element,
    rule,
  );
  const showRule = () => {
    const { reach } = terms;
    const where = reach === undefined ? '' : words.ruleReach[reach];
    setText(rule, words.allows({ rule: revealed(shown?.rule ?? '') + where }));
  };
  const update = (next: ApprovalView) => {
    if (next === shown) return;
    shown = next;
    isAnswered = false;
    root.classList.remove('is-answered');
    const shownTitle = revealed(next.title);
    setAttribute(root, 'aria-label', words.label({ title: shownTitle }));
    // The whole command is shown below the title.
    setText(title, next.kind === 'command' ? words.runCommand : shownTitle);
    setText(warningText, revealed(next.warning ?? ''));
    warning.hidden = next.warning === undefined;
    details.show(next.details);
    terms.show(next.terms);
    setAttribute(root, 'aria-describedby', next.terms === undefined ? undefined : terms.element.id);
    files.render(next.changes);
    list.hidden = next.changes.length === 0;
    showRule();
    rule.hidden = next.rule === undefined;
    choices.show(next.rule !== undefined);
  };
  update(approval);
  return { element: root, update };
}

type Choice = Extract<ChatRequest, { type: 'decide' }>['choice'];

/** The answers to a request for approval. A rejection first asks for a better way. */
interface ApprovalChoices {
  readonly element: HTMLElement;
  /** @param hasRule false if the only approval is for this one action */
  show(hasRule: boolean): void;
}

/** @param onChoice called with an answer; `feedback` is the trimmed comment on a rejection */
function approvalChoices(onChoice: (choice: Choice, feedback?: string) => void): ApprovalChoices {
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
