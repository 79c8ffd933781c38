import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { isMessageRow, shownMessageOf, type MessageRow } from '../../../src/protocol/shown-messages.ts';
import { PopupMenu } from '../../shared/popup-menu.ts';
import { strings } from '../text/chat-strings.ts';
import { actionsOn } from './message-actions.ts';
import type { ContextMarks } from './rows/message-rows.ts';
import { MessageSelection } from './message-selection.ts';
import { keyOf } from './rows/row-parts.ts';

const words = strings.hand;

/** Elements of a row on which a click does not select the row. */
const controls = 'a, input, textarea, select, vscode-button, .more, .approval, .editing';

interface Shown {
  readonly rows: readonly ChatRow[];
  readonly marks: ContextMarks;
  readonly isReadOnly: boolean;
}

interface HandOptions {
  readonly post: (request: ChatRequest) => void;
  /** Returns the element of a row. @param key of the row */
  readonly elementOf: (key: string) => HTMLElement | undefined;
}

/** A row and its element. */
interface Place {
  readonly row: MessageRow;
  readonly element: HTMLElement;
}

/** The user's actions on messages of the log: a menu for each row, selecting several rows, and moving between rows. */
export class MessageHand {
  readonly selection: MessageSelection;
  private readonly log: HTMLElement;
  private readonly post: (request: ChatRequest) => void;
  private readonly menu = new PopupMenu(words.menu);
  private shown: Shown | undefined;

  constructor(log: HTMLElement, { post, elementOf }: HandOptions) {
    this.log = log;
    this.post = post;
    this.selection = new MessageSelection();
    this.selection.props = {
      post,
      elementOf,
      onLeave: (row) => {
        const left = row && elementOf(keyOf(row));
        if (left !== undefined) focusRow(left);
      },
    };
    log.addEventListener('click', (event) => this.clicked(event), { capture: true });
    log.addEventListener('mousedown', (event) => {
      // Otherwise, the browser would select text from the last click to this one.
      if (event.shiftKey && this.selection.isOn) event.preventDefault();
    });
    log.addEventListener('contextmenu', (event) => this.contextMenu(event));
    log.addEventListener('keydown', (event) => this.keyPressed(event));
  }

  render(shown: Shown): void {
    this.shown = shown;
    const { rows, marks, isReadOnly } = shown;
    this.selection.offer(isReadOnly ? [] : rows.filter((row) => marks.isInContext(row)));
  }

  get isReadOnly(): boolean {
    return this.shown?.isReadOnly !== false;
  }

  /** @param key of a row */
  canHide(key: string): boolean {
    const row = this.rowOf(key);
    return row !== undefined && this.canPick(row);
  }

  /** Hides the message of a row, or all selected messages. */
  hide(key: string): void {
    const row = this.rowOf(key);
    const messageId = row && shownMessageOf(row);
    if (this.selection.isOn) this.selection.hide();
    else if (messageId !== undefined) this.post({ type: 'hide', selection: { messageIds: [messageId] } });
  }

  private clicked(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const place = this.placeOf(event.target);
    if (place === undefined) return;
    const more = event.target.closest<HTMLElement>('.more');
    if (more !== null) {
      const { left, bottom } = more.getBoundingClientRect();
      this.openMenu(place, { left, top: bottom }, more);
      return;
    }
    const { isOn } = this.selection;
    if (!isOn && !event.ctrlKey && !event.metaKey) return;
    if (event.target.closest(controls) !== null || !this.canPick(place.row)) return;
    event.preventDefault();
    event.stopPropagation();
    focusRow(place.element);
    if (isOn && event.shiftKey) this.selection.extendTo(place.row);
    else this.selection.toggle(place.row);
  }

  private contextMenu(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const place = this.placeOf(event.target);
    // If text is selected or edited, the usual menu can copy and paste.
    if (place === undefined || event.target.closest('a, input, textarea') !== null) return;
    if (document.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    const { clientX: left, clientY: top } = event;
    this.openMenu(place, { left, top }, focusableIn(place.element));
  }

  private keyPressed(event: KeyboardEvent): void {
    const { key, target } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.placeOf(target);
    const isRow = target.classList.contains('row');
    const act = (): (() => void) | undefined => {
      if (key === 'Escape' && this.selection.isOn) return () => this.selection.leave();
      if (target === this.log && key === 'Enter') return () => focusRow([...this.rowElements()].at(-1));
      if (isRow && !event.shiftKey) {
        const next = this.nextRow(target, key);
        if (next !== undefined) return () => focusRow(next);
        if (key === 'Enter') return () => target.querySelector<HTMLElement>('.disclosure, .link')?.click();
      }
      if (place === undefined || target.closest('input, textarea') !== null) return undefined;
      if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
        const { left, top, height } = target.getBoundingClientRect();
        return () => this.openMenu(place, { left, top: top + Math.min(height, 24) }, target);
      }
      if (key === ' ' && isRow && this.selection.isOn && this.canPick(place.row)) {
        return () => this.selection.toggle(place.row);
      }
      return undefined;
    };
    const run = act();
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  private openMenu({ row, element }: Place, at: { left: number; top: number }, opener: HTMLElement): void {
    if (this.shown === undefined) return;
    const groups = actionsOn(row, this.shown).map((actions) =>
      actions.map(({ label, request }) => ({ label, run: () => this.post(request) })),
    );
    const pick = () => {
      focusRow(element);
      this.selection.toggle(row);
    };
    const picking = this.canPick(row) ? [[{ label: words.select, run: pick }]] : [];
    this.menu.open([...groups, ...picking], at, opener);
  }

  private canPick(row: MessageRow): boolean {
    return this.shown?.isReadOnly === false && this.shown.marks.isInContext(row);
  }

  /** Finds the message to which an element of the log belongs; undefined if the message does not exist yet. */
  private placeOf(target: Element): Place | undefined {
    const element = target.closest<HTMLElement>('[data-key]');
    const row = this.rowOf(element?.dataset['key']);
    return element === null || row === undefined ? undefined : { row, element };
  }

  private rowOf(key: string | undefined): MessageRow | undefined {
    const row = this.shown?.rows.find((candidate) => keyOf(candidate) === key);
    return row !== undefined && isMessageRow(row) && shownMessageOf(row) !== undefined ? row : undefined;
  }

  private rowElements(): NodeListOf<HTMLElement> {
    return this.log.querySelectorAll<HTMLElement>('.row');
  }

  /** The row to which a key leads. A row that is higher than the page is scrolled to its end first. */
  private nextRow(row: HTMLElement, key: string): HTMLElement | undefined {
    const rows = [...this.rowElements()];
    if (key === 'Home' || key === 'End') return rows.at(key === 'Home' ? 0 : -1);
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
    const [own, page] = [row.getBoundingClientRect(), this.log.closest('.scroller')?.getBoundingClientRect()];
    const isCut = page !== undefined && (key === 'ArrowUp' ? own.top < page.top : own.bottom > page.bottom);
    if (isCut && own.height > page.height) return undefined;
    return rows[rows.indexOf(row) + (key === 'ArrowUp' ? -1 : 1)];
  }
}

/** Focuses a row, although rows are not in the tab order. */
export function focusRow(element: HTMLElement | undefined): void {
  if (element === undefined) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

/** The element to focus after a menu closes: the focused element in the row, or the row itself. */
function focusableIn(row: HTMLElement): HTMLElement {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && row.contains(activeElement)) return activeElement;
  row.tabIndex = -1;
  return row;
}
