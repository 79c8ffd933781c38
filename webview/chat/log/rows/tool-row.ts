import type { ApprovalView, SubAgentView, ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { createDisclosure } from '../../../shared/controls.ts';
import { element, type ItemView, plainButton, setAttribute, setText } from '../../../shared/dom.ts';
import { hasFocus } from '../../../shared/focus.ts';
import { icon } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { type ApprovalCard, approvalCard } from './approval-card.ts';
import { type ToolChanges, toolChanges } from './file-changes.ts';
import { type FoldedText, moreButton, pinButton, type RowContext, tokenWords } from './row-parts.ts';
import { type SubAgentList, subAgentList } from './sub-agent-list.ts';
import { isFollowed, type ToolPanel, toolPanel } from './tool-panel.ts';

/** A tool call as one line. Necessary parts are below it, and its output on demand. */
export interface ToolRowView extends ItemView<ToolRow> {
  readonly folded: FoldedText;
  showOutput(text: string): void;
  focusApproval(): void;
}

export function toolRow(row: ToolRow, { post, open }: RowContext): ToolRowView {
  let current = row;
  /** True after the user has opened or closed the row. Until then, it is open while output arrives. */
  let isChosen = open.has(row.id);
  let opensItself = false;
  // Created on demand, because users never open most calls.
  let panel: ToolPanel | undefined;
  let changes: ToolChanges | undefined;
  let card: ApprovalCard | undefined;
  let subAgents: SubAgentList | undefined;

  const disclosure = createDisclosure({
    isOpen: isChosen,
    class: 'tool-line',
    onToggle: (isOpen) => {
      if (!opensItself) {
        isChosen = true;
        open.set(row.id, isOpen);
      }
      if (isOpen) showPanel().show(current);
    },
  });
  const line = toolLine();
  disclosure.button.append(icon('chevron'), ...line.parts);
  const stop = plainButton(
    { class: 'link changes-chat', 'aria-label': strings.stopCallLabel({ tool: row.tool }) },
    () => post({ type: 'stop-call', id: row.id }),
    strings.stopCall,
  );
  const pin = pinButton(strings.pins.resultOf({ tool: row.tool }), (isPinned) => {
    if (current.messageId !== undefined) post({ type: 'pin', messageId: current.messageId, isPinned });
  });
  const more = moreButton();
  const root = element(
    'div',
    { class: 'row tool' },
    element('div', { class: 'tool-head' }, disclosure.button, stop, pin.element, more),
    disclosure.panel,
  );

  const showPanel = () =>
    (panel ??= toolPanel(disclosure.panel, () => post({ type: 'tool-output', id: row.id })));
  const openItself = () => {
    // A panel that the user is reading stays open.
    if (isChosen || (disclosure.isOpen && panel?.isRead === true)) return;
    opensItself = true;
    disclosure.setOpen(isFollowed(current));
    opensItself = false;
  };
  const showChanges = () => {
    if (changes === undefined) {
      changes = toolChanges((path) => post({ type: 'review', id: row.id, path }));
      stop.before(changes.beside);
      disclosure.panel.before(changes.below);
    }
    changes.show(current);
  };
  const showSubAgents = (next: readonly SubAgentView[]) => {
    if (subAgents === undefined) {
      subAgents = subAgentList((sessionId) => post({ type: 'open-sub-agent', sessionId }));
      disclosure.panel.before(subAgents.element);
    }
    subAgents.show(next);
  };
  const showApproval = (approval: ApprovalView) => {
    if (card === undefined) {
      card = approvalCard(row.id, approval, post);
      disclosure.panel.before(card.element);
    } else card.update(approval);
  };
  const endApproval = () => {
    // Moves the focus away, so that the next Enter does not approve something else.
    if (card !== undefined && hasFocus(card.element)) {
      disclosure.button.focus({ preventScroll: true });
    }
    card?.element.remove();
    card = undefined;
  };
  const update = (next: ToolRow) => {
    current = next;
    line.update(next);
    pin.show(next.messageId === undefined ? undefined : next.isPinned);
    more.hidden = next.messageId === undefined;
    stop.hidden = next.canStop !== true || next.state !== 'running';
    if (next.changes !== undefined) showChanges();
    if (next.subAgents !== undefined) showSubAgents(next.subAgents);
    if (next.state === 'waiting' && next.approval !== undefined) showApproval(next.approval);
    else endApproval();
    openItself();
    if (disclosure.isOpen) showPanel().show(next);
  };
  update(row);

  return {
    element: root,
    update,
    folded: {
      text: () => (disclosure.isOpen ? '' : current.preview),
      unfold: () => disclosure.setOpen(true),
    },
    showOutput: (text) => showPanel().showWhole(text),
    focusApproval() {
      root.scrollIntoView({ block: 'nearest' });
      card?.element.focus({ preventScroll: true });
    },
  };
}

const stateIcons = {
  running: 'running',
  waiting: 'waiting',
  failed: 'error',
  declined: 'declined',
  interrupted: 'interrupted',
} as const;

/** The line of a call: its name, its state and the size of its result. */
interface ToolLine {
  readonly parts: readonly HTMLElement[];
  update(row: ToolRow): void;
}

function toolLine(): ToolLine {
  const name = element('b');
  const label = element('span', { class: 'tool-label code-line', role: 'img' });
  const state = element('span', { class: 'tool-state' });
  const tokens = element('span', { class: 'tool-tokens' });
  let shown: ToolRow | undefined;
  return {
    parts: [name, label, state, tokens],
    update(row) {
      setText(name, row.tool);
      if (row.label !== shown?.label) {
        label.replaceChildren(...cutInMiddle(row.label));
        setAttribute(label, 'aria-label', row.label);
        setAttribute(label, 'title', row.label);
      }
      if (row.state !== shown?.state || row.summary !== shown.summary) {
        state.className = `tool-state is-${row.state}${toldSummary(row) === undefined ? '' : ' is-summary'}`;
        state.replaceChildren(...stateWords(row));
        const word = row.state === 'done' ? undefined : strings.toolStates[row.state];
        setAttribute(state, 'title', row.summary ?? word);
      }
      if (row.tokens !== shown?.tokens) {
        tokens.replaceChildren(...(row.tokens === undefined ? [] : tokenWords(row.tokens)));
      }
      shown = row;
    },
  };
}

/** The sign of the state, with its word for screen readers, and the summary of the result. */
function stateWords(row: ToolRow): readonly (Node | string)[] {
  const { state } = row;
  const told = toldSummary(row);
  if (state === 'done') return told === undefined ? [] : [told];
  const word = strings.toolStates[state];
  const spoken = told === undefined ? word : strings.stateAndSummary({ state: word });
  return [icon(stateIcons[state]), element('span', { class: 'spoken' }, spoken), told ?? ''];
}

/** Number of characters of a long command that are always visible at its end. */
const endLength = 10;

/** A command or a path in two parts: what is cut if there is no room, and an end that stays. */
function cutInMiddle(text: string): readonly (HTMLElement | string)[] {
  if (text.length <= 2 * endLength) return [text];
  const slash = text.includes(' ') ? -1 : Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
  const isName = slash > 0 && slash < text.length - 1 && text.length - slash <= 2 * endLength;
  const start = isName ? slash : text.length - endLength;
  const head = element('span', { class: 'cut-head' }, text.slice(0, start));
  head.style.setProperty('--end', `${text.length - start}ch`);
  return [head, text.slice(start)];
}

/** The summary of the result, unless the line already shows file changes. */
function toldSummary({ summary, changes = [] }: ToolRow): string | undefined {
  return changes.length > 0 ? undefined : summary;
}
