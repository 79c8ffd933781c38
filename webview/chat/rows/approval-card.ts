import type { ChatRequest } from '../../../src/protocol/chat.ts';
import type { ApprovalView, FileChangeView } from '../../../src/protocol/chat-rows.ts';
import { element, KeyedList, setAttribute, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { approvalChoices } from './approval-choices.ts';
import { approvalDetails } from './approval-details.ts';
import { approvalFile, isSameFile } from './approval-file.ts';
import { approvalTerms } from './approval-terms.ts';

const words = strings.approval;

/** What a person is asked before an action is done, under its call. Never takes the focus by itself. */
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
  /** One answer is enough: what follows before the host has heard it is not another one. */
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
    isSame: isSameFile,
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
    // The line above the composer announces it, without the buttons.
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
    setText(rule, words.allows(visibleText(shown?.rule ?? '') + where));
  };
  const update = (next: ApprovalView) => {
    if (next === shown) return;
    shown = next;
    isAnswered = false;
    root.classList.remove('is-answered');
    const shownTitle = visibleText(next.title);
    setAttribute(root, 'aria-label', words.label(shownTitle));
    // The whole command stands under it.
    setText(title, next.kind === 'command' ? words.runCommand : shownTitle);
    setText(warningText, visibleText(next.warning ?? ''));
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
