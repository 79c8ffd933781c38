import { css, html, nothing, type TemplateResult } from 'lit';
import type { ErrorRow } from '../../../../src/protocol/chat-rows.ts';
import { excerptOf } from '../../../../src/protocol/shown-messages.ts';
import { addStyles } from '../../../shared/component.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import type { HiddenRows } from './message-rows.ts';
import type { RowContext } from './row-element.ts';
import { keyOf } from './row-parts.ts';

/** The end of a turn that failed or that the user stopped. */
export function errorRow(row: ErrorRow, { post }: RowContext): TemplateResult {
  const isStopped = row.isStopped === true;
  return html`<div class="row error ${isStopped ? 'is-stopped' : ''}" data-key=${keyOf(row)}>
    ${isStopped ? nothing : iconTemplate('error')}
    <span class="error-message">${row.message}</span>
    ${row.canRetry ? linkButton(strings.retry, () => post({ type: 'retry' }), { class: 'changes-chat' }) : nothing}
  </div>`;
}

const words = strings.hand;

/**
 * The line in place of hidden messages, with a button to show them again.
 *
 * @param onShow called with the messages to show
 */
export function hiddenRow(hidden: HiddenRows, onShow: (hidden: HiddenRows) => void): TemplateResult {
  const { rows } = hidden;
  const [first] = rows;
  const what =
    rows.length === 1 && first !== undefined
      ? words.hidden({ excerpt: revealed(excerptOf(first)) })
      : words.hiddenCount({ count: rows.length });
  const count = rows.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  return html`<div class="row hidden-messages" data-key=${keyOf(hidden)}>
    ${iconTemplate('hide')}
    <span class="hidden-words" title=${rows.map((row) => revealed(excerptOf(row))).join('\n')}>${what}</span>
    <span class="hidden-tokens">${strings.tokensOf({ count })}</span>
    ${linkButton(rows.length === 1 ? words.show : words.showAll, () => onShow(hidden), {
      class: 'changes-chat',
      name: words.showLabel({ what }),
    })}
  </div>`;
}

addStyles(css`
  .row.error {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 2px 7px;
    margin: 10px 0;
    padding: 7px 10px;
    border: 1px solid var(--vscode-inputValidation-errorBorder, var(--danger));
    border-radius: 8px;
    > .icon {
      align-self: flex-start;
      margin-top: 0.22em;
      color: var(--danger);
    }
    &.is-stopped {
      padding: 0;
      border: 0;
      color: var(--dim);
    }
  }
  .error-message {
    flex: 1 1 100px;
    min-width: 0;
  }
  .row.hidden-messages {
    display: flex;
    align-items: baseline;
    gap: 0 6px;
    padding: 2px 0;
    color: var(--dim);
    font-size: 0.92em;
    @media (max-width: 260px) {
      flex-wrap: wrap;
    }
    > .icon {
      align-self: center;
    }
    > .link {
      flex: none;
      margin-inline-start: auto;
    }
  }
  .hidden-words {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    @media (max-width: 260px) {
      flex: 1 1 70%;
    }
  }
  .hidden-tokens {
    flex: none;
    font-variant-numeric: tabular-nums;
  }
`);
