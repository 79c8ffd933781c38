import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatState } from '../../../src/protocol/chat.ts';
import {
  excerptOf,
  isMessageRow,
  shownMessageOf,
  type MessageRow,
} from '../../../src/protocol/shown-messages.ts';
import { addStyles } from '../../shared/component.ts';
import { disclosure } from '../../shared/disclosure.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { linkButton } from '../../shared/link-button.ts';
import { keyOf } from '../log/rows/row-parts.ts';
import type { ChatActions } from '../state/chat-page-state.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.pins;

const openKey = 'pins';

type PinnedState = Pick<ChatState, 'pins' | 'pinTexts' | 'rows'>;

/** The number of pinned messages in one line, which unfolds to a list. */
export function pinsView(
  { pins = [], pinTexts, rows }: PinnedState,
  actions: ChatActions,
): TemplateResult | typeof nothing {
  if (pins.length === 0) return nothing;
  const { open } = actions;
  return html`<div class="pins">
    ${disclosure({
      id: 'pinned-messages',
      isOpen: open.has(openKey),
      class: 'plan-line',
      label: html`<b>${words.count({ count: pins.length })}</b>`,
      panel: () => {
        const rowOf = rowsByMessage(rows);
        return html`<ul class="plan-steps" aria-label=${words.list}>
          ${repeat(
            pins,
            (messageId) => messageId,
            (messageId) => pinnedMessage(messageId, rowOf.get(messageId), pinTexts?.[messageId], actions),
          )}
        </ul>`;
      },
      onToggle: (isOpen) => open.set(openKey, isOpen),
    })}
  </div>`;
}

/** Id of a message → the row that shows it. */
function rowsByMessage(rows: PinnedState['rows']): ReadonlyMap<string, MessageRow> {
  return new Map(
    rows.filter(isMessageRow).flatMap((row) => {
      const id = shownMessageOf(row);
      return id === undefined ? [] : [[id, row] as const];
    }),
  );
}

function pinnedMessage(
  messageId: string,
  row: MessageRow | undefined,
  known: string | undefined,
  { post, showRow }: ChatActions,
): TemplateResult {
  const text = row === undefined ? (known ?? words.unknown) : excerptOf(row);
  const isUnknown = row === undefined && known === undefined;
  return html`<li>
    ${iconTemplate('pin')}
    <button
      type="button"
      class="plan-text pinned-text"
      ?disabled=${isUnknown}
      aria-label=${isUnknown ? nothing : words.show({ text })}
      title=${text}
      @click=${() => (row === undefined ? post({ type: 'show-message', messageId }) : showRow(keyOf(row)))}
    >
      ${text}
    </button>
    ${linkButton(words.unpin, () => post({ type: 'pin', messageId, isPinned: false }), {
      class: 'changes-chat',
      name: words.unpinLabel({ text }),
    })}
  </li>`;
}

addStyles(css`
  .pinned-text {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    &:enabled:hover {
      color: var(--fg);
      text-decoration: underline;
    }
    &:disabled {
      cursor: default;
    }
  }
`);
