import type { ChatRequest } from '../../../src/extension/protocol/chat.ts';
import type { ApprovalView, FileChangeView } from '../../../src/extension/protocol/chat-rows.ts';
import { element, KeyedList, setAttribute, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { approvalChoices } from './approval-choices.ts';
import { approvalFile, isSameFile } from './approval-file.ts';

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
  const details = element('pre', {
    class: 'output approval-details',
    tabindex: 0,
    role: 'group',
    'aria-label': words.details,
  });
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
    post({ type: 'decide', id: rowId, choice, ...(feedback === undefined ? {} : { feedback }) });
  });
  const root = element(
    'div',
    // The line above the composer announces it, without the buttons.
    { class: 'approval', role: 'group', tabindex: -1, 'aria-live': 'off' },
    title,
    warning,
    details,
    list,
    choices.element,
    rule,
  );
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
    setText(details, visibleText(next.details));
    details.hidden = next.details === '';
    files.render(next.changes);
    list.hidden = next.changes.length === 0;
    setText(rule, words.allows(visibleText(next.rule ?? '')));
    rule.hidden = next.rule === undefined;
    choices.show(next.rule !== undefined);
  };
  update(approval);
  return { element: root, update };
}
