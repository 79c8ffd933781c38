import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import type { Disclosure } from '../../shared/controls.ts';
import { element, type ItemView, setText } from '../../shared/dom.ts';
import { hasFocus } from '../../shared/focus.ts';
import { icon } from '../../shared/icons.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { DiffContext } from './diff-context.ts';
import { disclosureLine } from './disclosure-line.ts';
import { excerpt, fateChip, messageCell, tokensOf, topLine } from './message-cell.ts';
import { textsPanel } from './texts-panel.ts';

/** A row of the diff, with the messages before on the left and after on the right. */
export function rowView(row: DiffRowView, context: DiffContext): ItemView<DiffRowView> {
  const root = element(
    'div',
    { class: `diff-row is-${row.fate}`, role: 'listitem', 'data-index': row.index },
    ...contentOf(row, context),
  );
  return {
    element: root,
    update(next) {
      const hadFocus = hasFocus(root);
      context.store.sources.forget(next.index);
      root.replaceChildren(...contentOf(next, context));
      if (hadFocus) root.querySelector<HTMLElement>('[data-stop]')?.focus();
    },
  };
}

function contentOf(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
  if (row.fate === 'keep') return keptRow(row, context);
  const [source] = row.sources;
  const isPair = row.sourceCount === 1 && source !== undefined && row.fate !== 'summarise';
  return isPair ? oneToOneRow(row, source, context) : manyToOneRow(row, context);
}

const words = inspectorTexts.diff;

/** Kept messages as one line. The messages themselves are shown on demand. */
function keptRow(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
  const { index, sourceCount, sources, tokensBefore } = row;
  const count = words.kept({ count: sourceCount });
  const names = kinds
    .filter((kind) => (row.kinds[kind] ?? 0) > 0)
    .map((kind) => kindNames[kind].toLowerCase());
  const { button, panel } = disclosureLine(
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
  const hidden =
    row.hiddenCount === undefined ? [] : [inspectorTexts.byHand.hiddenCount({ count: row.hiddenCount })];
  const line = [count, ...(names.length === 0 ? [] : [listed(names)]), ...hidden].join(' · ');
  button.append(icon('chevron'), element('span', { class: 'fold-words' }, line), tokensOf(tokensBefore));
  panel.classList.add('fold-panel');
  return [button, panel];
}

/** A message and its replacement, side by side. */
function oneToOneRow(row: DiffRowView, source: MessageView, context: DiffContext): readonly HTMLElement[] {
  const { index, fate, reason, output, tokensBefore, tokensAfter } = row;
  const { button, panel } = disclosureLine(
    {
      key: `row:${index}`,
      class: 'pair columns-grid',
      fill: (target) => target.append(textsPanel({ message: source, fate, sides: 'both' }, context)),
    },
    context,
  );
  attachMenu(button, source, context);
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

/** Several messages next to their replacement, or an inserted message with nothing on the left. */
function manyToOneRow(row: DiffRowView, context: DiffContext): readonly HTMLElement[] {
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
  const more = words.more({ text: sourceCount - sources.length });
  const rest = row.tokensBefore - sources.reduce((total, { tokens }) => total + tokens, 0);
  const label = element('span', {}, more);
  const disclosure = disclosureLine(
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
  const from = sourceCount === 0 ? '' : words.ofMessages({ count: sourceCount });
  const { button, panel } = disclosureLine(
    {
      key: `output:${index}`,
      class: 'message is-output',
      fill: (target) => {
        const [first] = row.sources;
        const standIn = first === undefined ? undefined : `row:${index}:${first.id}`;
        target.append(textsPanel({ message: output, fate: 'insert', sides: 'after', standIn }, context));
      },
      // Opening a summary also shows all messages that it replaces.
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

/** Messages of the earlier view, one below the other. Each unfolds to its text. */
function sourceMessages(
  messages: readonly MessageView[],
  row: DiffRowView,
  context: DiffContext,
): readonly HTMLElement[] {
  return messages.flatMap((message) => sourceMessage(message, row, context));
}

function sourceMessage(
  message: MessageView,
  { index, fate, output }: DiffRowView,
  context: DiffContext,
): readonly HTMLElement[] {
  const { button, panel } = disclosureLine(
    {
      key: `row:${index}:${message.id}`,
      class: 'message',
      fill: (target) => {
        const standIn = output === undefined || fate === 'keep' ? undefined : `output:${index}`;
        target.append(textsPanel({ message, fate, sides: 'before', standIn }, context));
      },
    },
    context,
  );
  attachMenu(button, message, context);
  const details = fate === 'keep' ? [] : [fateChip(fate)];
  button.append(messageCell({ message, details, hasChevron: true }));
  return [button, panel];
}

function attachMenu(button: HTMLElement, message: MessageView, { menu }: DiffContext): void {
  menu?.attach(button, { ...message, messageId: message.id });
}
