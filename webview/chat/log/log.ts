import type { ShownActivity, ChatState, RowAction } from '../../../src/protocol/chat.ts';
import type { ChatRow, RecordDetails } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, setAttribute, setText } from '../../shared/dom.ts';
import { GroupedList } from '../../shared/grouped-list.ts';
import { targetOf } from '../text/markdown.ts';
import { assistantRow, errorRow } from './rows/assistant-row.ts';
import { ContextMarks, type HiddenRows } from './rows/message-rows.ts';
import { focusRow, MessageHand } from './message-hand.ts';
import { FocusedRow } from './focused-row.ts';
import { RowStops } from './row-stops.ts';
import { compactionRowView, type CompactionRowView } from './rows/compaction-row-view.ts';
import { editsRow } from './rows/file-changes.ts';
import { hiddenRow } from './rows/hidden-row.ts';
import { type FoldedText, keyOf, type RowContext } from './rows/row-parts.ts';
import { toolRow, type ToolRowView } from './rows/tool-row.ts';
import { userRow } from './rows/user-row.ts';
import { strings } from '../text/chat-strings.ts';

/** Milliseconds for which a button confirms that its text was copied. */
const copiedFor = 2000;

/** A row, or a line in place of hidden rows. */
type LogItem = ChatRow | HiddenRows;

/** An item on the page, with the methods of the item's type. */
type RowView = ItemView<LogItem> &
  Partial<Pick<ToolRowView, 'showOutput' | 'focusApproval'>> &
  Partial<Pick<CompactionRowView, 'showDetails'>> & { readonly folded?: FoldedText };

/** The log of the conversation, with a row for each message and action. */
export class Log {
  readonly element = element('div', {
    class: 'log',
    role: 'log',
    'aria-live': 'polite',
    'aria-label': strings.conversation,
    tabindex: -1,
  });
  private readonly stops = new RowStops(this.element);
  private readonly context: RowContext;
  private readonly rows: GroupedList<LogItem, RowView>;
  private readonly marks = new ContextMarks();
  private readonly hand: MessageHand;
  private readonly focused: FocusedRow;
  private hidden: readonly HiddenRows[] = [];
  private sessionId: string | undefined;
  /** Key of the row that gets the focus when it is shown again. */
  private awaited: string | undefined;

  constructor(context: RowContext) {
    this.context = context;
    this.rows = new GroupedList(this.element, {
      keyOf: (item) => keyOf(item),
      create: (row) => this.create(row),
      from: 'end',
      group: { class: 'rows' },
      // Earlier messages are not new, so they are not announced.
      laterGroup: { 'aria-live': 'off' },
    });
    this.hand = new MessageHand(this.element, {
      post: context.post,
      elementOf: (key) => this.find(key),
    });
    this.focused = new FocusedRow(this.element, {
      actionOn: (key) => this.actionOn(key),
      onChange: (action) =>
        context.post({ type: 'focused-row', ...(action === undefined ? {} : { action }) }),
    });
    this.element.addEventListener('click', (event) => this.clicked(event));
  }

  /** The bar with the number of selected messages and their actions; hidden without a selection. */
  get selectionBar(): HTMLElement {
    return this.hand.selection.bar;
  }

  render(state: Pick<ChatState, 'sessionId' | 'rows' | 'hidden' | 'absent' | 'readOnly'>): void {
    const { sessionId, rows, readOnly } = state;
    // Messages of different chats can have the same ids.
    if (sessionId !== this.sessionId) this.hand.selection.clear();
    this.sessionId = sessionId;
    this.marks.update(state);
    const items = this.marks.folded(rows);
    this.hidden = items === rows ? [] : items.filter((item) => item.type === 'hidden');
    const focused = this.focused.key;
    this.rows.render(items);
    this.hand.render({ rows, marks: this.marks, isReadOnly: readOnly !== undefined });
    // The focused row was hidden, so the line in its place gets the focus.
    if (focused !== undefined && this.focused.key === undefined) focusRow(this.find(focused));
    this.focusAwaited();
    this.focused.tell();
  }

  /** Sets the activity. Screen readers wait while an answer is streamed. */
  setActivity(activity: ShownActivity): void {
    setAttribute(this.element, 'aria-busy', String(activity === 'streaming'));
    this.element.classList.toggle('is-idle', activity === 'idle');
  }

  showToolOutput(id: string, text: string): void {
    this.rows.get(`tool:${id}`)?.showOutput?.(text);
  }

  /** Moves the focus to the approval of a call. */
  focusApproval(id: string): void {
    this.rows.get(`tool:${id}`)?.focusApproval?.();
  }

  /** Hides or shows the focused row, if possible. With a selection, hides the selected rows. */
  actOnFocused(action: RowAction): void {
    const { key } = this.focused;
    if (key === undefined || this.actionOn(key) !== action) return;
    const run = this.hidden.find((hidden) => keyOf(hidden) === key);
    if (run === undefined) this.hand.hide(key);
    else this.show(run);
  }

  showRecord(recordId: string, details: RecordDetails): void {
    this.rows.get(`compaction:${recordId}`)?.showDetails?.(details);
  }

  /** The rows and their folded texts, in order. */
  views(): Iterable<{ readonly element: HTMLElement; readonly folded?: FoldedText }> {
    return this.rows.views();
  }

  /** The first row that ends below a height, in pixels from the top of the page. */
  firstBelow(top: number): Element | undefined {
    return this.rows.firstBelow(top);
  }

  /** True if the log contains the focus, selected rows or selected text. */
  get isInUse(): boolean {
    const selected = document.getSelection();
    return (
      this.hand.selection.isOn ||
      (this.element !== document.activeElement && this.element.contains(document.activeElement)) ||
      (selected?.isCollapsed === false && selected.containsNode(this.element, true))
    );
  }

  /** Makes the newest row the tab stop of the log. */
  resetStop(): void {
    this.stops.reset();
  }

  focusFirst(): void {
    focusRow(this.element.querySelector<HTMLElement>('.row') ?? undefined);
  }

  /** Finds the element of a row, or the line in its place. */
  find(key: string): HTMLElement | undefined {
    const run = this.hidden.find(({ rows }) => rows.some((row) => keyOf(row) === key));
    return this.rows.get(run === undefined ? key : keyOf(run))?.element;
  }

  /** Scrolls a row into view and highlights it until the next action. */
  reveal(revealed: ChatRow | undefined): void {
    const row = revealed && this.find(keyOf(revealed));
    if (row === undefined) return;
    for (const marked of this.element.querySelectorAll('.is-revealed'))
      marked.classList.remove('is-revealed');
    row.classList.add('is-revealed');
    row.scrollIntoView({ block: 'center' });
    this.element.addEventListener('pointerdown', () => row.classList.remove('is-revealed'), { once: true });
  }

  private create(row: LogItem): RowView {
    const view = this.createView(row);
    view.element.dataset['key'] = keyOf(row);
    return view;
  }

  /** Creates the view of a row. A row of another type has another key, so a view only gets rows of its own type. */
  private createView(row: LogItem): RowView {
    switch (row.type) {
      case 'user':
        return userRow(row, this.context);
      case 'assistant':
        return assistantRow(row, this.context);
      case 'tool':
        return toolRow(row, this.context);
      case 'edits':
        return editsRow(row, this.context);
      case 'compaction':
        return compactionRowView(row, this.context);
      case 'error':
        return errorRow(row, this.context);
      case 'hidden':
        return hiddenRow(row, (hidden) => this.show(hidden));
    }
  }

  /** @param key of a row, or of a line in place of rows */
  private actionOn(key: string): RowAction | undefined {
    if (this.hand.canHide(key)) return 'hide';
    return !this.hand.isReadOnly && this.hidden.some((run) => keyOf(run) === key) ? 'show' : undefined;
  }

  private show({ rows, messageIds }: HiddenRows): void {
    const [first] = rows;
    this.awaited = first && keyOf(first);
    this.context.post({ type: 'show', messageIds });
  }

  /** Focuses the rows that replaced the line after the user pressed it. */
  private focusAwaited(): void {
    if (
      this.awaited === undefined ||
      this.hidden.some(({ rows }) => rows.some(({ type, id }) => keyOf({ type, id }) === this.awaited))
    )
      return;
    focusRow(this.find(this.awaited));
    this.awaited = undefined;
  }

  private clicked(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest('a');
    if (link !== null) {
      // Otherwise, VS Code would open the link a second time.
      event.preventDefault();
      event.stopPropagation();
      this.follow(link);
      return;
    }
    const action = event.target.closest<HTMLElement>('[data-code]');
    if (action !== null) {
      const type = action.dataset['code'] === 'apply' ? 'apply-code' : 'insert-code';
      this.context.post({ type, text: codeOf(action) });
      return;
    }
    const copy = event.target.closest<HTMLElement>('[data-copy]');
    if (copy !== null) void copyCode(copy);
  }

  private follow(link: HTMLAnchorElement): void {
    const target = targetOf(link);
    if (target === undefined) return;
    if (target.type === 'web') this.context.post({ type: 'open-link', url: target.url });
    else {
      const { path, line } = target;
      this.context.post({ type: 'open-file', path, ...(line === undefined ? {} : { line }) });
    }
  }
}

/** The code of the block around a button. */
function codeOf(button: HTMLElement): string {
  const code = button.closest('.code')?.querySelector('code')?.textContent ?? '';
  return code.replace(/\n$/, '');
}

async function copyCode(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(codeOf(button));
    setText(button, strings.copied);
  } catch {
    setText(button, strings.notCopied);
  }
  window.setTimeout(() => setText(button, strings.copy), copiedFor);
}
