import { css, html, type TemplateResult } from 'lit';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { shownMessageOf, type MessageRow } from '../../../src/protocol/shown-messages.ts';
import { Component } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import { strings } from '../text/chat-strings.ts';
import { openingMessageOf } from './rows/message-rows.ts';
import { keyOf } from './rows/row-parts.ts';

const words = strings.hand;

interface SelectionProps {
  readonly post: (request: ChatRequest) => void;
  /** Returns the element of a row. @param key of the row */
  readonly elementOf: (key: string) => HTMLElement | undefined;
  /** Called when the selection becomes empty, with the last selected row. */
  readonly onLeave: (row: MessageRow | undefined) => void;
}

/** The messages that the user selects for one action: a bar with their number and the actions. */
export class MessageSelection extends Component<SelectionProps> {
  static override styles = css`
    cb-selection {
      display: block;
    }
  `;
  /** Rows that can be selected, in the order of the conversation. */
  private rows: readonly MessageRow[] = [];
  private readonly chosen = new Set<string>();
  private newest: string | undefined;

  get isOn(): boolean {
    return this.chosen.size > 0;
  }

  /** @param selectable rows that can be selected */
  offer(selectable: readonly MessageRow[]): void {
    this.rows = selectable;
    if (!this.isOn) return;
    const keys = new Set(selectable.map(keyOf));
    for (const key of [...this.chosen].filter((chosen) => !keys.has(chosen))) this.set(key, false);
    this.requestUpdate();
  }

  /** Selects or deselects a row. */
  toggle(row: MessageRow): void {
    const key = keyOf(row);
    this.set(key, !this.chosen.has(key));
    this.newest = key;
    this.requestUpdate();
  }

  /** Selects all rows between the last selected row and this one. */
  extendTo(row: MessageRow): void {
    const ends = [this.rows.findIndex((other) => keyOf(other) === this.newest), this.rows.indexOf(row)];
    for (const between of this.rows.slice(Math.min(...ends), Math.max(...ends) + 1)) {
      this.set(keyOf(between), true);
    }
    this.newest = keyOf(row);
    this.requestUpdate();
  }

  leave(): void {
    const picked = this.picked();
    const newest = picked.find((row) => keyOf(row) === this.newest) ?? picked.at(-1);
    this.clear();
    this.props.onLeave(newest);
  }

  /** Clears the selection, for example when another chat is shown. */
  clear(): void {
    for (const key of [...this.chosen]) this.set(key, false);
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div
      class="selection"
      role="group"
      aria-label=${words.selection}
      ?hidden=${!this.isOn}
      @keydown=${this.keyPressed}
    >
      <span role="status">${this.isOn ? words.selected({ count: this.chosen.size }) : ''}</span>
      ${linkButton(words.hide, () => this.hide())} ${linkButton(words.compactSelected, () => this.compact())}
      ${linkButton(words.cancel, () => this.leave())}
    </div>`;
  }

  private readonly keyPressed = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') this.leave();
  };

  private picked(): readonly MessageRow[] {
    return this.rows.filter((row) => this.chosen.has(keyOf(row)));
  }

  private set(key: string, isChosen: boolean): void {
    if (isChosen) this.chosen.add(key);
    else this.chosen.delete(key);
    const row = this.props.elementOf(key);
    row?.classList.toggle('is-selected', isChosen);
    row?.querySelector(':scope > .selected-spoken')?.remove();
    if (isChosen) row?.prepend(selectedMark());
  }

  /** Hides the selected messages. */
  hide(): void {
    const messageIds = this.picked().map((row) => shownMessageOf(row) ?? row.id);
    this.leave();
    this.props.post({ type: 'hide', selection: { messageIds } });
  }

  private compact(): void {
    const picked = this.picked();
    const [first, last] = [picked[0], picked.at(-1)];
    if (first === undefined || last === undefined) return;
    this.leave();
    this.props.post({ type: 'compact-part', from: openingMessageOf(first), to: shownMessageOf(last) });
  }
}

customElements.define('cb-selection', MessageSelection);

/** A mark for screen readers. A row does not know that it is selected. */
function selectedMark(): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'spoken selected-spoken';
  mark.textContent = words.isSelected;
  return mark;
}
