import type { TemplateResult } from 'lit';
import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { shownDiff } from '../../../webview/inspector/diff/diff.ts';
import { noDiffData, receiveDiff } from '../../../webview/inspector/diff/diff-data.ts';
import type { Filter } from '../../../webview/inspector/page/inspector-view-state.ts';
import { diffRows, ladder } from '../support/inspector-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const mixed = ['user', 'toolCall', 'toolResult', 'assistant'] as const satisfies readonly Kind[];

/** The rows with the strip of their messages, and a call whose file is no longer named. */
const rows: readonly DiffRowView[] = diffRows.map((row) => ({
  ...row,
  lostCount: row.index === 1 ? 1 : 0,
  sources: row.sources.map((source) => ({ ...source, isLost: source.id === 'm5' })),
  strip: Array.from({ length: row.sourceCount }, (_, index) => [
    mixed[index % mixed.length]!,
    row.tokensBefore / row.sourceCount,
  ]),
}));

function drawn(
  id: string,
  shown?: readonly DiffRowView[],
  open: readonly string[] = [],
  filter: Filter = {},
): TemplateResult {
  const waiting = receiveDiff(noDiffData, {
    type: 'texts',
    recordId: id,
    messageId: 'm76',
    before: 'head and the middle and tail',
    after: 'head and [clipped] and tail',
  });
  return shownDiff({
    subject: { ...ladder, id },
    data: shown === undefined ? waiting : receiveDiff(waiting, { type: 'diff', recordId: id, rows: shown }),
    post: ignored,
    open: { has: (key) => open.includes(key), set: ignored },
    canRestore: true,
    canPin: true,
    filter,
    onFilter: ignored,
  });
}

export const diffStates: ComponentStates = {
  name: 'cb-diff',
  states: {
    'before its rows arrive': () => drawn('waiting'),
    'every fate': () => drawn('fates', rows),
    'an open message': () => drawn('open', rows, ['row:5']),
    'only what is no longer named': () => drawn('lost', rows, [], { isLost: true }),
    'one message': () => drawn('one', [{ ...rows[4]!, index: 0 }]),
  },
};
