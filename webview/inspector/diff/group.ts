import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import type { Disclosure } from '../../shared/controls.ts';
import { element, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import type { DiffContext } from './diff-context.ts';
import { fateChip, messageCell, tokensOf, topLine } from './message-cell.ts';
import { opening } from './opening.ts';
import { sourceMessages } from './source-messages.ts';
import { textsPanel } from './texts-panel.ts';
import { strings } from '../text/inspector-strings.ts';

const words = strings.diff;

/** Several messages beside the one that stands for all of them, or for none: an insertion has nothing before it. */
export function group(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
  const isJoined = row.sourceCount > 0 && row.output !== undefined;
  const rest = restOfSources(row, context);
  return [
    element(
      'div',
      { class: 'columns-grid' },
      element(
        'div',
        {},
        ...sourceMessages(row.sources, row, context),
        ...(rest === undefined ? [] : [rest.panel, rest.button]),
      ),
      element('div', { class: isJoined ? 'brace' : 'middle' }),
      element('div', { class: 'group-output' }, ...outputOf(row, rest, context)),
    ),
  ];
}

function restOfSources(row: DiffRowView, context: DiffContext): Disclosure | undefined {
  const { index, sources, sourceCount } = row;
  if (sources.length >= sourceCount) return undefined;
  const more = words.more(formatCount(sourceCount - sources.length));
  const rest = row.tokensBefore - sources.reduce((total, { tokens }) => total + tokens, 0);
  const label = element('span', {}, more);
  const disclosure = opening(
    {
      key: `more:${index}`,
      class: 'more',
      fill: (target) => {
        target.append(element('p', { class: 'dim loading' }, words.loading));
        context.store.sources.request(index, (all) => {
          target.replaceChildren(...sourceMessages(all.slice(sources.length), row, context));
        });
      },
      onToggle: (isOpen) => setText(label, isOpen ? words.fewer : more),
    },
    context,
  );
  disclosure.button.append(icon('chevron'), label, tokensOf(rest));
  return disclosure;
}

function outputOf(
  row: DiffRowView,
  rest: Disclosure | undefined,
  context: DiffContext,
): readonly HTMLElement[] {
  const { index, fate, output, sourceCount, reason, tokensAfter } = row;
  const reasonWords = (text: string) => element('span', { class: 'reason' }, text);
  if (output === undefined) {
    return [
      element('span', { class: 'cell is-gone' }, topLine([fateChip(fate), reasonWords(reason)], undefined)),
    ];
  }
  const from = sourceCount === 0 ? '' : words.ofMessages(sourceCount, formatCount(sourceCount));
  const { button, panel } = opening(
    {
      key: `output:${index}`,
      class: 'message is-output',
      fill: (target) => {
        const [first] = row.sources;
        const standIn = first === undefined ? undefined : `row:${index}:${first.id}`;
        target.append(textsPanel({ message: output, fate: 'insert', sides: 'after', standIn }, context));
      },
      // A summary is read beside all that it stands for.
      onToggle: (isOpen) => {
        if (isOpen) rest?.setOpen(true);
      },
    },
    context,
  );
  const details =
    from === '' ? [fateChip(fate), reasonWords(reason)] : [reasonWords([from, reason].join(' · '))];
  button.append(messageCell({ message: output, tokens: tokensAfter, details, hasChevron: true }));
  return [button, panel];
}
