import { kinds } from '../../../src/compaction/message.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { createDisclosure } from '../../shared/controls.ts';
import { element, setAttribute } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { kindNames } from '../../shared/compaction-more.ts';
import { formatChange, formatCount } from '../../shared/numbers.ts';
import { strings } from '../text/inspector-strings.ts';

const more = strings.compactionsTab;

type Sizes = Pick<RecordView, 'byKindBefore' | 'byKindAfter' | 'tokensBefore' | 'tokensAfter'>;

/** Before and after for each kind, on demand. */
export function kindTable(record: Sizes): readonly HTMLElement[] {
  const disclosure = createDisclosure({
    isOpen: false,
    class: 'by-kind',
    onToggle: (isOpen) => {
      if (isOpen && disclosure.panel.childElementCount === 0) disclosure.panel.append(table(record));
    },
  });
  disclosure.button.append(icon('chevron'), more.byKind);
  // In a narrow window it scrolls sideways, with the arrow keys, too.
  setAttribute(disclosure.panel, 'tabindex', 0);
  setAttribute(disclosure.panel, 'role', 'region');
  setAttribute(disclosure.panel, 'aria-label', more.byKindTable);
  return [disclosure.button, disclosure.panel];
}

function table({ byKindBefore, byKindAfter, tokensBefore, tokensAfter }: Sizes): HTMLElement {
  const present = kinds.filter((kind) => byKindBefore[kind] > 0 || byKindAfter[kind] > 0);
  const head = [more.kind, more.before, more.after, more.change];
  return element(
    'table',
    { class: 'kind-table' },
    element('caption', { class: 'spoken' }, more.byKindTable),
    element('thead', {}, element('tr', {}, ...head.map((name) => element('th', { scope: 'col' }, name)))),
    element(
      'tbody',
      {},
      ...present.map((kind) => row(kindNames[kind], byKindBefore[kind], byKindAfter[kind], `kind-${kind}`)),
      row(more.total, tokensBefore, tokensAfter),
    ),
  );
}

function row(name: string, before: number, after: number, kind?: string): HTMLElement {
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      kind === undefined
        ? undefined
        : element('span', { class: `swatch kind ${kind}`, 'aria-hidden': 'true' }),
      name,
    ),
    element('td', {}, formatCount(before)),
    element('td', {}, formatCount(after)),
    element('td', {}, before === 0 ? '' : formatChange(before, after)),
  );
}
