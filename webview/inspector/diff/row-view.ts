import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { element, type ItemView } from '../../shared/dom.ts';
import type { DiffContext } from './diff-context.ts';
import { group } from './group.ts';
import { keptRun } from './kept-run.ts';
import { pair } from './pair.ts';

/** A line of the diff: what was there on the left, what became of it on the right. */
export function rowView(row: DiffRowView, context: DiffContext): ItemView<DiffRowView> {
  const root = element(
    'div',
    { class: `diff-row is-${row.fate}`, role: 'listitem', 'data-index': row.index },
    ...contentOf(row, context),
  );
  return {
    element: root,
    update(next) {
      const hadFocus = root.contains(document.activeElement);
      context.store.sources.forget(next.index);
      root.replaceChildren(...contentOf(next, context));
      if (hadFocus) root.querySelector<HTMLElement>('[data-stop]')?.focus();
    },
  };
}

function contentOf(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
  if (row.fate === 'keep') return keptRun(row, context);
  const [source] = row.sources;
  const isPair = row.sourceCount === 1 && source !== undefined && row.fate !== 'summarise';
  return isPair ? pair(row, source, context) : group(row, context);
}
