import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatRow, QueuedMessage } from '../../../src/protocol/chat-rows.ts';
import { addStyles, component, Component } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import type { ChatActions } from '../state/chat-page-state.ts';
import { strings } from '../text/chat-strings.ts';
import { revealed } from '../text/deceptive-characters.ts';

const words = strings.approval;

interface WaitingProps {
  readonly rows: readonly ChatRow[];
  /** Called with the id of a waiting row. */
  readonly onShow: (id: string) => void;
}

/** Shows how many actions wait for the user, wherever the log is scrolled, and leads to them one by one. */
class WaitingLine extends Component<WaitingProps> {
  static override styles = css`
    .waiting-line {
      display: flex;
      align-items: baseline;
      flex-wrap: wrap;
      gap: 0 10px;
      &:has(.link) {
        padding: 6px 2px 0;
      }
      > [role='status'] {
        flex: 1 1 auto;
      }
    }
  `;
  private lastShown: string | undefined;

  protected override willUpdate(): void {
    this.className = 'waiting-line';
  }

  protected override render(): TemplateResult {
    const { rows, onShow } = this.props;
    const waiting = rows.flatMap((row) =>
      row.type === 'tool' && row.state === 'waiting' && row.approval !== undefined
        ? [{ id: row.id, title: row.approval.title }]
        : [],
    );
    const ids = waiting.map(({ id }) => id);
    const newest = waiting.at(-1);
    const show = () => {
      this.lastShown = ids[(ids.indexOf(this.lastShown ?? '') + 1) % ids.length];
      if (this.lastShown !== undefined) onShow(this.lastShown);
    };
    // A live region must be on the page before it gets text.
    return html`<span role="status"
        >${
          newest === undefined
            ? nothing
            : html`${words.count({ count: waiting.length })}<span class="spoken"
                  >${words.which({ title: revealed(newest.title) })}</span
                >`
        }</span
      >${newest === undefined ? nothing : linkButton(waiting.length > 1 ? words.showNext : words.show, show)}`;
  }
}

export const waitingLine = component('cb-waiting', WaitingLine);

const queueWords = strings.queue;

/** The messages that are queued for the agent, one line each. */
export function queueList(
  queue: readonly QueuedMessage[],
  { post }: ChatActions,
): TemplateResult | typeof nothing {
  if (queue.length === 0) return nothing;
  return html`<ul class="queue" aria-label=${queueWords.list}>
    ${repeat(
      queue,
      ({ id }) => id,
      ({ id, text }) =>
        html`<li>
          <span class="queued-mark">${queueWords.queued}</span>
          <span class="queued-text" title=${text}>${text}</span>
          ${linkButton(queueWords.edit, () => post({ type: 'unqueue', id }), {
            class: 'changes-chat',
            name: queueWords.editLabel({ text }),
          })}
        </li>`,
    )}
  </ul>`;
}

addStyles(css`
  .queue {
    padding: 0 2px 5px;
    color: var(--dim);
    font-size: 0.92em;
    > li {
      display: flex;
      align-items: baseline;
      gap: 8px;
      padding: 1px 0;
    }
    .link {
      flex: none;
    }
  }
  .queued-mark {
    flex: none;
    padding: 0 5px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    font-size: 0.92em;
  }
  .queued-text {
    flex: 1 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`);
