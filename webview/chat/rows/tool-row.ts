import type { ToolRow } from '../../../src/extension/protocol/chat.ts';
import { createDisclosure } from '../../disclosure.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { formatCount } from '../../numbers.ts';
import { strings } from '../strings.ts';
import type { RowContext } from './row-context.ts';

/** A tool call: one line, and its output under it on demand. */
export interface ToolRowView extends ItemView<ToolRow> {
  showOutput(text: string): void;
}

const stateIcons = { running: 'running', failed: 'error', interrupted: 'interrupted' } as const;

export function toolRow(row: ToolRow, { post, open }: RowContext): ToolRowView {
  let current = row;
  /** The whole output, once it was asked for. */
  let whole: string | undefined;

  const output = element('pre', { class: 'output', tabindex: 0 });
  const showAll = plainButton({ class: 'link' }, () => {
    setText(showAll, strings.loading);
    post({ type: 'tool-output', id: row.id });
  });
  const disclosure = createDisclosure({
    isOpen: open.has(row.id),
    class: 'tool-line',
    onToggle: (isOpen) => {
      open.set(row.id, isOpen);
      if (isOpen) showPanel();
    },
  });
  disclosure.panel.append(output, showAll);
  const name = element('b');
  const label = element('span', { class: 'tool-label' });
  const state = element('span', { class: 'tool-state' });
  const tokens = element('span', { class: 'tool-tokens' });
  disclosure.button.append(icon('chevron'), name, label, state, tokens);

  const showPanel = () => {
    const isRunning = current.state === 'running';
    const shown = whole ?? current.preview;
    setText(output, shown === '' ? (isRunning ? strings.noOutputYet : strings.noOutput) : shown);
    setText(showAll, strings.showAll);
    showAll.hidden = whole !== undefined || !current.isClipped;
  };
  const update = (next: ToolRow) => {
    if (next.preview !== current.preview) whole = undefined;
    current = next;
    setText(name, next.tool);
    setText(label, next.label);
    state.className = `tool-state is-${next.state}`;
    state.replaceChildren(
      ...(next.state === 'done' ? [] : [icon(stateIcons[next.state]), strings.toolStates[next.state]]),
    );
    tokens.replaceChildren(...(next.tokens === undefined ? [] : tokenWords(next.tokens)));
    if (disclosure.isOpen) showPanel();
  };
  update(row);

  return {
    element: element('div', { class: 'row tool' }, disclosure.button, disclosure.panel),
    update,
    showOutput(text) {
      whole = text;
      showPanel();
    },
  };
}

/** A number to look at; to listen to, a number of tokens. */
function tokenWords(count: number): readonly HTMLElement[] {
  const text = formatCount(count);
  return [
    element('span', { 'aria-hidden': 'true' }, text),
    element('span', { class: 'spoken' }, strings.tokensOf(text)),
  ];
}
