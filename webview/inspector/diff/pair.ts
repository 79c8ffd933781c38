import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import { element } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import type { DiffContext } from './diff-context.ts';
import { excerpt, fateChip, messageCell, topLine } from './message-cell.ts';
import { opening } from './opening.ts';
import { textsPanel } from './texts-panel.ts';

/** One message and what stands for it now, side by side. */
export function pair(row: DiffRowView, source: MessageView, context: DiffContext): readonly HTMLElement[] {
  const { index, fate, reason, output, tokensBefore, tokensAfter } = row;
  const { button, panel } = opening(
    {
      key: `row:${index}`,
      class: 'pair columns-grid',
      fill: (target) => target.append(textsPanel({ message: source, fate, sides: 'both' }, context)),
    },
    context,
  );
  const fateAndReason = [fateChip(fate), element('span', { class: 'reason' }, reason)];
  button.append(
    messageCell({ message: source, tokens: tokensBefore, hasChevron: true }),
    element('span', { class: 'middle' }, icon('arrow')),
    output === undefined
      ? element('span', { class: 'cell is-gone' }, topLine(fateAndReason, undefined))
      : element(
          'span',
          { class: `cell kind-${source.kind}` },
          topLine(fateAndReason, tokensAfter),
          excerpt(output),
        ),
  );
  return [button, panel];
}
