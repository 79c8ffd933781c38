import type { ToolRow } from '../../../src/protocol/chat-rows.ts';
import { element, setAttribute, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import { tokenWords } from './token-words.ts';

const stateIcons = {
  running: 'running',
  waiting: 'waiting',
  failed: 'error',
  declined: 'declined',
  interrupted: 'interrupted',
} as const;

/** A call in one line: what was called, how it stands, and what its result takes. */
export interface ToolLine {
  readonly parts: readonly HTMLElement[];
  update(row: ToolRow): void;
}

export function toolLine(): ToolLine {
  const name = element('b');
  const label = element('span', { class: 'tool-label code-line' });
  const state = element('span', { class: 'tool-state' });
  const tokens = element('span', { class: 'tool-tokens' });
  let shown: ToolRow | undefined;
  return {
    parts: [name, label, state, tokens],
    update(row) {
      setText(name, row.tool);
      setText(label, row.label);
      if (row.state !== shown?.state || row.summary !== shown.summary) {
        state.className = `tool-state is-${row.state}${toldSummary(row) === undefined ? '' : ' is-summary'}`;
        state.replaceChildren(...stateWords(row));
        setAttribute(state, 'title', row.summary);
      }
      if (row.tokens !== shown?.tokens) {
        tokens.replaceChildren(...(row.tokens === undefined ? [] : tokenWords(row.tokens)));
      }
      shown = row;
    },
  };
}

/** Where a result sums itself up, that stands for the word; it is still heard. */
function stateWords(row: ToolRow): readonly (Node | string)[] {
  const { state } = row;
  const told = toldSummary(row);
  if (state === 'done') return told === undefined ? [] : [told];
  const word = strings.toolStates[state];
  if (told === undefined) return [icon(stateIcons[state]), word];
  return [icon(stateIcons[state]), element('span', { class: 'spoken' }, strings.stateAndSummary(word)), told];
}

/** What was changed in files stands beside the line, and would stand there twice. */
function toldSummary({ summary, changes = [] }: ToolRow): string | undefined {
  return changes.length > 0 ? undefined : summary;
}
