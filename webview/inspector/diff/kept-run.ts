import { kinds } from '../../../src/compaction/message.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { element } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { formatCount } from '../../shared/numbers.ts';
import type { DiffContext } from './diff-context.ts';
import { tokensOf } from './message-cell.ts';
import { opening } from './opening.ts';
import { sourceMessages } from './source-messages.ts';
import { strings } from '../text/inspector-strings.ts';

const words = strings.diff;

/** Messages that nothing happened to: one line, and the messages on demand. */
export function keptRun(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
  const { index, sourceCount, sources, tokensBefore } = row;
  const count = words.kept(sourceCount, formatCount(sourceCount));
  const names = kinds
    .filter((kind) => (row.kinds[kind] ?? 0) > 0)
    .map((kind) => kindNames[kind].toLowerCase());
  const { button, panel } = opening(
    {
      key: `row:${index}`,
      class: 'fold',
      fill: (target) => {
        target.append(...sourceMessages(sources, row, context));
        if (sources.length >= sourceCount) return;
        context.store.sources.request(index, (all) => {
          target.append(...sourceMessages(all.slice(sources.length), row, context));
        });
      },
    },
    context,
  );
  const line = names.length === 0 ? count : `${count} · ${words.kinds(names)}`;
  button.append(icon('chevron'), element('span', { class: 'fold-words' }, line), tokensOf(tokensBefore));
  panel.classList.add('fold-panel');
  return [button, panel];
}
