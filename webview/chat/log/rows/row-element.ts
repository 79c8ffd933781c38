import { html, nothing, type TemplateResult } from 'lit';
import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../../src/protocol/chat.ts';
import { Component } from '../../../shared/component.ts';
import type { OpenRows } from '../../../shared/host.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { formatCount } from '../../../shared/numbers.ts';
import type { Pictures } from '../../pictures/thumbnails.ts';
import { strings } from '../../text/chat-strings.ts';
import { type FoldedText, keyOf } from './row-parts.ts';

/** Services that all rows of the log share. */
export interface RowContext {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  readonly pictures: Pictures;
  readonly edited: EditedMessage;
}

/** The message that the user is editing, or none. */
interface EditedMessage {
  /** The edited text; undefined if the message is not being edited. */
  textOf(messageId: string): string | undefined;
  /** @param text undefined to cancel editing */
  set(messageId: string, text: string | undefined): void;
}

export interface RowProps<Row> {
  readonly row: Row;
  readonly context: RowContext;
}

/** A row of the log that has state. The element itself is the row. */
export abstract class RowElement<Row extends Pick<ChatRow, 'id' | 'type'>> extends Component<RowProps<Row>> {
  /** Text that is added to the page only when the user opens the row. */
  readonly folded: FoldedText | undefined = undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const { row } = this.props;
    this.classList.add('row', row.type);
    this.dataset['key'] = keyOf(row);
  }
}

/**
 * A button that pins a message and shows whether it is pinned.
 *
 * @param what description of the message
 * @param isPinned undefined if the message cannot be pinned
 * @param onPin called with the requested state
 */
export function pinButton(
  what: string,
  isPinned: boolean | undefined,
  onPin: (isPinned: boolean) => void,
): TemplateResult | typeof nothing {
  if (isPinned === undefined) return nothing;
  return html`<button
    type="button"
    class="pin changes-chat"
    aria-label=${strings.pins.pinLabel({ what })}
    title=${strings.pins.explained}
    aria-pressed=${String(isPinned)}
    @click=${() => onPin(!isPinned)}
  >
    ${iconTemplate('pin')}
  </button>`;
}

/** A button for the menu of a row. The log opens the menu. */
export function moreButton(): TemplateResult {
  const { more } = strings.hand;
  return html`<button type="button" class="more" aria-haspopup="menu" aria-label=${more} title=${more}>
    ${iconTemplate('more')}
  </button>`;
}

/** A number on the page, with its unit for screen readers. */
export function tokenCount(count: number): TemplateResult {
  const text = formatCount(count);
  return html`<span aria-hidden="true">${text}</span
    ><span class="spoken">${strings.tokensOf({ count: text })}</span>`;
}
