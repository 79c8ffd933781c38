import type { RowFate } from '../../../src/protocol/engine-terms.ts';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { element, plainButton } from '../../shared/dom.ts';
import type { DiffContext, Texts } from './diff-context.ts';
import { compareTexts, type TextPart } from './text-comparison.ts';
import { saidBy } from '../by-hand/sentence-menu.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.diff;
const more = inspectorTexts.compactionsTab;

/** Maximum characters of a text on the page. The diff editor shows longer texts. */
const longestShown = 100_000;

interface TextsPanel {
  readonly message: MessageView;
  readonly fate: RowFate;
  /** Sides to show. */
  readonly sides: 'both' | 'before' | 'after';
  /** Key of the row with the message's replacement, or with the first message that it replaces. */
  readonly standIn?: string | undefined;
}

/** A whole message: the original, its replacement, and actions on it. */
export function textsPanel(panel: TextsPanel, context: DiffContext): HTMLElement {
  const { message } = panel;
  const root = element('div', { class: 'texts' }, element('p', { class: 'dim' }, words.loadingTexts));
  context.store.texts.request(message.id, (texts) => {
    root.replaceChildren(...textsOf(texts, panel), ...actionsOf(panel, context));
  });
  return root;
}

function textsOf(texts: Texts, { message, sides, fate }: TextsPanel): readonly HTMLElement[] {
  const { before, after } = texts;
  const said = saidBy(message.kind, message.id);
  if (sides === 'before') return [column(words.original, before, said)];
  if (sides === 'after') return [column(words.now, after ?? before, said)];
  if (fate === 'keep' || before === after) return [column(words.unchanged, before, said)];
  const left = limited(before);
  const right = limited(after ?? '');
  const compared = after === undefined ? undefined : compareTexts(left, right);
  const now =
    after === undefined
      ? element('p', { class: 'dim' }, words.gone)
      : textBox(compared?.after ?? plain(right), 'ins', said);
  return [
    element(
      'div',
      { class: 'columns' },
      labelled(words.original, textBox(compared?.before ?? plain(left), 'del', said), noteOf(before)),
      labelled(words.now, now, noteOf(after ?? '')),
    ),
  ];
}

function actionsOf({ message, fate, standIn }: TextsPanel, context: DiffContext): readonly HTMLElement[] {
  const { post, store, canRestore, canPin, goTo } = context;
  const { recordId } = store;
  const { id: messageId, isRestored, isPinned = false } = message;
  const isSource = fate !== 'insert';
  const isChanged = isSource && fate !== 'keep';
  const link = (text: string, onClick: () => void, title?: string) =>
    plainButton({ class: 'link', title }, onClick, text);
  const actions = [
    // A summary is not a message of the conversation and cannot be restored. Undoing its compaction removes it.
    ...(isChanged && fate !== 'restore' && canRestore && !isRestored && message.kind !== 'summary'
      ? [link(words.restore, () => post({ type: 'restore', messageId }))]
      : []),
    ...(isSource && canPin
      ? [
          link(
            isPinned ? more.unpin : more.pin,
            () => post({ type: 'pin', messageId, isPinned: !isPinned }),
            more.pinTitle,
          ),
        ]
      : []),
    ...(context.menu?.buttonsFor({ ...message, messageId }, 'link') ?? []),
    ...(standIn === undefined
      ? []
      : [link(isSource ? more.whereItWent : more.itsSources, () => goTo(standIn))]),
    ...(isChanged
      ? [link(words.openInEditor, () => post({ type: 'open-diff-editor', recordId, messageId }))]
      : []),
  ];
  return actions.length === 0 ? [] : [element('div', { class: 'texts-actions' }, ...actions)];
}

function column(label: string, text: string, said: string | undefined): HTMLElement {
  return labelled(label, textBox(plain(limited(text)), 'ins', said), noteOf(text));
}

function labelled(label: string, ...content: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('div', { class: 'column' }, element('div', { class: 'column-label' }, label), ...content);
}

function textBox(parts: readonly TextPart[], changed: 'ins' | 'del', said: string | undefined): HTMLElement {
  if (parts.every(({ text }) => text === '')) return element('p', { class: 'dim' }, words.noText);
  return element(
    'pre',
    { tabindex: 0, 'data-said': said },
    ...parts.map(({ text, isChanged }) => (isChanged ? element(changed, {}, text) : text)),
  );
}

function plain(text: string): readonly TextPart[] {
  return [{ text, isChanged: false }];
}

function limited(text: string): string {
  return text.length <= longestShown ? text : text.slice(0, longestShown);
}

function noteOf(text: string): HTMLElement | undefined {
  if (text.length <= longestShown) return undefined;
  return element('p', { class: 'dim' }, words.cut({ characters: longestShown }));
}
