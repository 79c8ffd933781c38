import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownActivity, ChatState, RowAction } from '../../../src/protocol/chat.ts';
import type { ChatRow, RecordDetails } from '../../../src/protocol/chat-rows.ts';
import { targetOf } from '../text/markdown.ts';
import { strings } from '../text/chat-strings.ts';
import type { SearchedRow } from './find-matches.ts';
import { FocusedRow } from './focused-row.ts';
import { Grouping } from './grouping.ts';
import { focusRow, MessageHand } from './message-hand.ts';
import { type GroupContext, type LogItem, nearby, RowGroup, rowGroup } from './row-group.ts';
import { RowStops } from './row-stops.ts';
import { CompactionRowElement } from './rows/compaction-row-view.ts';
import { ContextMarks, type HiddenRows } from './rows/message-rows.ts';
import type { RowContext } from './rows/row-element.ts';
import { keyOf } from './rows/row-parts.ts';
import { ToolRowElement } from './rows/tool-row.ts';

/** Milliseconds for which a button confirms that its text was copied. */
const copiedFor = 2000;

/** Number of rows that are drawn with the log. */
const firstRows = 20;

/** The log of the conversation, with a row for each message and action. */
export class Log {
  readonly element = document.createElement('div');
  private readonly context: GroupContext;
  private readonly grouping = new Grouping<LogItem>(keyOf);
  private readonly stops: RowStops;
  private readonly marks = new ContextMarks();
  private readonly hand: MessageHand;
  private readonly focused: FocusedRow;
  private hidden: readonly HiddenRows[] = [];
  private sessionId: string | undefined;
  /** Key of the row that gets the focus when it is shown again. */
  private awaited: string | undefined;

  /** @param scroller element in which the log scrolls */
  constructor(context: RowContext, scroller: HTMLElement) {
    const { element } = this;
    element.className = 'log';
    element.role = 'log';
    element.ariaLive = 'polite';
    element.ariaLabel = strings.conversation;
    element.tabIndex = -1;
    this.context = {
      ...context,
      onShow: (hidden) => this.show(hidden),
      sight: new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries)
            if (target instanceof RowGroup) target.seen(isIntersecting);
        },
        { root: scroller, rootMargin: `${nearby}px 0px` },
      ),
    };
    this.stops = new RowStops(element);
    this.hand = new MessageHand(element, {
      post: context.post,
      elementOf: (key) => this.find(key),
    });
    this.focused = new FocusedRow(element, {
      actionOn: (key) => this.actionOn(key),
      onChange: (action) =>
        context.post({ type: 'focused-row', ...(action === undefined ? {} : { action }) }),
    });
    element.addEventListener('click', (event) => this.clicked(event));
  }

  /** The bar with the number of selected messages and their actions; hidden without a selection. */
  get selectionBar(): HTMLElement {
    return this.hand.selection;
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
    this.draw(items);
    // The focus moves on if its row is gone.
    const inUse = document.activeElement?.closest('cb-rows');
    if (inUse instanceof RowGroup) inUse.drawNow();
    this.hand.render({ rows, marks: this.marks, isReadOnly: readOnly !== undefined });
    // The focused row was hidden, so the line in its place gets the focus.
    if (focused !== undefined && this.focused.key === undefined) focusRow(this.find(focused));
    this.focusAwaited();
    this.focused.tell();
  }

  /** Sets the activity. Screen readers wait while an answer is streamed. */
  setActivity(activity: ShownActivity): void {
    const isBusy = String(activity === 'streaming');
    if (this.element.ariaBusy !== isBusy) this.element.ariaBusy = isBusy;
    this.element.classList.toggle('is-idle', activity === 'idle');
  }

  showToolOutput(id: string, text: string): void {
    this.toolRow(id)?.showOutput(text);
  }

  /** Moves the focus to the approval of a call. */
  focusApproval(id: string): void {
    this.toolRow(id)?.focusApproval();
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
    const row = this.find(`compaction:${recordId}`);
    if (row instanceof CompactionRowElement) row.showDetails(details);
  }

  /** The rows and their folded texts, in order. */
  *views(): Iterable<SearchedRow> {
    for (const group of this.groups()) yield* group.views();
  }

  /** The first row that ends below a height, in pixels from the top of the page. */
  firstBelow(top: number): Element | undefined {
    const isBelow = (element: Element) => element.getBoundingClientRect().bottom > top;
    const group = this.groups().find(isBelow);
    return group && [...group.rows()].find(isBelow);
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
    const shown = run === undefined ? key : keyOf(run);
    const group = this.groups()[this.grouping.indexOf(shown)];
    group?.drawNow();
    return group && [...group.rows()].find((row) => row.dataset['key'] === shown);
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

  private draw(items: readonly LogItem[]): void {
    const groups = this.grouping.divide(items);
    let count = 0;
    const first = new Set(
      groups.toReversed().filter((group) => (count += group.items.length) - group.items.length < firstRows),
    );
    render(
      html`${repeat(
        groups,
        ({ id }) => id,
        (group) =>
          rowGroup({
            items: group.items,
            isNewest: group === groups.at(-1),
            isFirst: first.has(group),
            context: this.context,
          }),
      )}`,
      this.element,
    );
  }

  private groups(): readonly RowGroup[] {
    return [...this.element.children].filter((child) => child instanceof RowGroup);
  }

  private toolRow(id: string): ToolRowElement | undefined {
    const row = this.find(`tool:${id}`);
    return row instanceof ToolRowElement ? row : undefined;
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
    button.textContent = strings.copied;
  } catch {
    button.textContent = strings.notCopied;
  }
  window.setTimeout(() => (button.textContent = strings.copy), copiedFor);
}
