import type { RowFate } from '../../../src/protocol/engine-terms.ts';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { type Child, element } from '../../shared/dom.ts';
import { fateWords } from '../../shared/compaction-words.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pathParts } from '../../shared/path-cut.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

/** The word for the fate of a message, with the fate's sign. */
export function fateChip(fate: RowFate): HTMLElement {
  return element('span', { class: `fate fate-${fate}` }, icon(fate), fateWords[fate]);
}

interface MessageCell {
  readonly message: MessageView;
  /** Elements after the title. */
  readonly details?: readonly Child[];
  readonly tokens?: number | undefined;
  readonly hasChevron?: boolean;
}

/** A message on two lines. Consists of spans, so that it can be in a button. */
export function messageCell({ message, details = [], tokens, hasChevron = false }: MessageCell): HTMLElement {
  return element(
    'span',
    { class: `cell kind-${message.kind}` },
    topLine(
      [
        hasChevron ? icon('chevron') : undefined,
        element('b', {}, message.title),
        message.label === ''
          ? undefined
          : element('span', { class: 'label path-cut' }, ...pathParts(message.label)),
        ...details,
        message.isRestored
          ? element('span', { class: 'fate fate-keep' }, icon('keep'), inspectorTexts.diff.restored)
          : undefined,
        message.isHidden === true
          ? element('span', { class: 'fate fate-hide' }, icon('hide'), inspectorTexts.byHand.hidden)
          : undefined,
        message.isPinned === true
          ? element('span', { class: 'fate fate-keep' }, icon('pin'), inspectorTexts.compactionsTab.pinned)
          : undefined,
      ],
      tokens ?? message.tokens,
    ),
    excerpt(message),
  );
}

export function topLine(content: readonly Child[], tokens: number | undefined): HTMLElement {
  return element('span', { class: 'top' }, ...content, tokens === undefined ? undefined : tokensOf(tokens));
}

/** A number of tokens at the end of a line, with its unit for screen readers. */
export function tokensOf(tokens: number): HTMLElement {
  return element(
    'span',
    { class: 'tokens' },
    formatCount(tokens),
    element('span', { class: 'spoken' }, inspectorTexts.diff.tokens({ text: '' })),
  );
}

export function excerpt({ excerpt: text, kind }: MessageView): HTMLElement | undefined {
  if (text === '') return undefined;
  const isCode = kind === 'toolCall' || kind === 'toolResult' || kind === 'tools';
  return element('span', { class: isCode ? 'excerpt is-code' : 'excerpt' }, text);
}
