import { css, html, nothing, type TemplateResult } from 'lit';
import { when } from 'lit/directives/when.js';
import type { ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { component, freshId } from '../../../shared/component.ts';
import { hasFocus } from '../../../shared/keyboard.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { styled } from '../../../shared/styled.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';
import { approvalCard } from './approval-card.ts';
import { toolChanges } from './file-changes.ts';
import { moreButton, pinButton, RowElement, tokenCount } from './row-element.ts';
import { subAgentList } from './sub-agent-list.ts';
import { isFollowed, LiveOutput, toolOutput } from './tool-panel.ts';

/** A tool call as one line. Necessary parts are below it, and its output on demand. */
export class ToolRowElement extends RowElement<ToolRow> {
  static override styles = css`
    .tool-line {
      width: 100%;
      padding: 2px 0;
    }

    .tool-line > b {
      flex: 0 1 auto;
      max-width: 60%;
      overflow: hidden;
      font-weight: 600;
      text-overflow: ellipsis;
      white-space: nowrap;
    }

    .tool-label {
      flex: 0 1 auto;
    }

    .tool-label:empty {
      display: none;
    }

    /* A long command is cut before its end, which stays. */
    .cut-head {
      display: inline-block;
      max-width: max(15%, calc(100% - var(--end)));
      overflow: hidden;
      text-overflow: ellipsis;
      vertical-align: bottom;
    }

    .tool-state {
      flex: 0 3 auto;
      min-width: 1.1em;
      margin-inline-start: auto;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }

    .tool-state .icon {
      margin-inline-end: 3px;
    }

    .tool-state.is-failed {
      color: var(--danger);
    }

    .tool-state:is(.is-declined, .is-waiting) .icon {
      color: var(--warning);
    }

    body.vscode-high-contrast .tool-state {
      color: var(--fg);
    }

    .tool-tokens {
      flex: none;
      font-variant-numeric: tabular-nums;
    }

    .tool-tokens:empty {
      display: none;
    }

    /* In a side bar, the command has the line. The reason of a failure gets a second line, and a success needs no words. */
    @media (max-width: 420px) {
      .disclosure.tool-line {
        display: grid;
        grid-template-columns: auto fit-content(38%) minmax(0, 1fr) auto auto;
        gap: 0 6px;
      }
      .tool-line > b {
        max-width: none;
      }
      .tool-label {
        grid-column: 3;
      }
      .tool-state {
        grid-column: 4;
      }
      .tool-tokens {
        grid-column: 5;
      }
      .tool-state.is-summary {
        display: -webkit-box;
        grid-row: 2;
        grid-column: 2 / -1;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        margin-inline-start: 0;
        white-space: normal;
      }
      .tool-state.is-summary.is-done {
        position: absolute;
        clip-path: inset(50%);
      }
      .tool-head {
        position: relative;
      }
      .tool-head > :is(.pin, .more) {
        position: absolute;
        top: 0;
        right: 0;
        margin: 0;
      }
      .tool-head > .pin {
        right: 26px;
      }
    }

    @media (max-width: 260px) {
      .disclosure.tool-line {
        grid-template-columns: auto minmax(0, 1fr) auto auto;
      }
      .tool-label {
        grid-row: 2;
        grid-column: 2 / -1;
      }
      .tool-state {
        grid-column: 3;
      }
      .tool-tokens {
        grid-column: 4;
      }
      .tool-state.is-summary {
        grid-row: 3;
      }
    }

    .output {
      max-height: 320px;
      margin: 2px 0 4px 16px;
      padding: 6px 8px;
      overflow: auto;
      border-radius: var(--radius);
      background: var(--vscode-textCodeBlock-background, var(--card));
      font-family: var(--mono);
      font-size: var(--mono-size);
      line-height: 1.4;
      white-space: pre-wrap;
    }

    .output + .link {
      margin: 0 0 6px 16px;
    }
    .tool-head {
      display: flex;
      align-items: baseline;
      gap: 8px;
    }

    .tool-head > .tool-line {
      flex: 1 1 0;
      min-width: 0;
    }

    .tool-head > .link,
    .only-change {
      flex: none;
    }

    .only-change:hover {
      text-decoration: underline;
    }

    .output.is-live {
      max-height: 10.5em;
    }
  `;
  override readonly folded = {
    text: () => (this.isOpen ? '' : this.props.row.preview),
    unfold: () => {
      this.choose(true);
      this.drawNow();
    },
  };
  private readonly panelId = freshId();
  private readonly live = new LiveOutput();
  private isOpen = false;
  /** True after the user has opened or closed the row. Until then, it is open while output arrives. */
  private isChosen = false;
  private hasBeenOpen = false;
  private preview: string | undefined;
  private whole: string | undefined;
  private isAsked = false;
  private hadFocus = false;

  /** Shows the whole result instead of its beginning. */
  showOutput(text: string): void {
    this.whole = text;
    this.requestUpdate();
  }

  /** Moves the focus to the approval of the call. */
  focusApproval(): void {
    this.drawNow();
    // The card is drawn after the row.
    requestAnimationFrame(() => this.querySelector<HTMLElement>('.approval')?.focus({ preventScroll: true }));
  }

  protected override willUpdate(): void {
    const { row, context } = this.props;
    if (!this.hasUpdated) this.isOpen = this.isChosen = context.open.has(row.id);
    if (row.preview !== this.preview) [this.whole, this.isAsked] = [undefined, false];
    this.preview = row.preview;
    // A panel that the user is reading stays open.
    if (!this.isChosen && !(this.isOpen && this.isRead)) this.isOpen = isFollowed(row);
    this.hasBeenOpen ||= this.isOpen;
    const card = this.querySelector('.approval');
    this.hadFocus = card !== null && row.approval === undefined && hasFocus(card);
  }

  protected override render(): TemplateResult {
    const { row, context } = this.props;
    const { id, tool, messageId, isPinned, state, approval, subAgents } = row;
    const { post } = context;
    const changes = toolChanges(row, context);
    const pin = (next: boolean) => {
      if (messageId !== undefined) post({ type: 'pin', messageId, isPinned: next });
    };
    return html`<div class="tool-head">
        <button
          type="button"
          class="disclosure tool-line"
          aria-expanded=${String(this.isOpen)}
          aria-controls=${this.panelId}
          @click=${() => this.choose(!this.isOpen)}
        >
          ${iconTemplate('chevron')}${toolLine(row)}
        </button>
        ${changes.beside}
        ${when(row.canStop === true && state === 'running', () =>
          linkButton(strings.stopCall, () => post({ type: 'stop-call', id }), {
            class: 'changes-chat',
            name: strings.stopCallLabel({ tool }),
          }),
        )}
        ${
          messageId === undefined
            ? nothing
            : html`${pinButton(strings.pins.resultOf({ tool }), isPinned, pin)}${moreButton()}`
        }
      </div>
      ${changes.below}
      ${when(subAgents, (subAgents) => subAgentList(subAgents, (sessionId) => post({ type: 'open-sub-agent', sessionId })))}
      ${state === 'waiting' && approval !== undefined ? approvalCard({ rowId: id, approval, post }) : nothing}
      <div id=${this.panelId} ?hidden=${!this.isOpen}>
        ${when(this.hasBeenOpen, () =>
          toolOutput({
            row,
            whole: this.whole,
            isAsked: this.isAsked,
            live: this.live,
            onShowAll: () => this.askForAll(),
          }),
        )}
      </div>`;
  }

  protected override updated(): void {
    const { row } = this.props;
    if (this.hasBeenOpen && isFollowed(row)) this.live.show(row.output ?? '');
    // So that the next Enter does not approve something else.
    if (this.hadFocus) this.querySelector<HTMLElement>('.tool-line')?.focus({ preventScroll: true });
  }

  private get isRead(): boolean {
    return !this.live.isFollowing || this.querySelector(`#${this.panelId}:focus-within`) !== null;
  }

  private choose(isOpen: boolean): void {
    const { row, context } = this.props;
    this.isOpen = isOpen;
    this.isChosen = true;
    context.open.set(row.id, isOpen);
    this.requestUpdate();
  }

  private askForAll(): void {
    this.isAsked = true;
    this.props.context.post({ type: 'tool-output', id: this.props.row.id });
    this.requestUpdate();
  }
}

export const toolRow = component('cb-tool-row', ToolRowElement);

const stateIcons = {
  running: 'running',
  waiting: 'waiting',
  failed: 'error',
  declined: 'declined',
  interrupted: 'interrupted',
} as const;

/** The line of a call: its name, its state and the size of its result. */
function toolLine(row: ToolRow): TemplateResult {
  const { tool, label, tokens } = row;
  return html`<b>${tool}</b>${
      label === ''
        ? nothing
        : html`<span class="tool-label code-line" role="img" aria-label=${label} title=${label}
            >${cutInMiddle(label)}</span
          >`
    }${stateOf(row)}${tokens === undefined ? nothing : html`<span class="tool-tokens">${tokenCount(tokens)}</span>`}`;
}

/** The sign of the state, with its word for screen readers, and the summary of the result. */
function stateOf({ state, summary, changes = [] }: ToolRow): TemplateResult {
  // The line already shows file changes.
  const told = changes.length > 0 ? undefined : summary;
  const word = state === 'done' ? undefined : strings.toolStates[state];
  const spoken = word === undefined || told === undefined ? word : strings.stateAndSummary({ state: word });
  return html`<span
    class="tool-state is-${state} ${told === undefined ? '' : 'is-summary'}"
    title=${summary ?? word ?? nothing}
    >${
      state === 'done'
        ? nothing
        : html`${iconTemplate(stateIcons[state])}<span class="spoken">${spoken}</span>`
    }${told ?? nothing}</span
  >`;
}

/** Number of characters of a long command that are always visible at its end. */
const endLength = 10;

/** A command or a path in two parts: what is cut if there is no room, and an end that stays. */
function cutInMiddle(text: string): TemplateResult | string {
  if (text.length <= 2 * endLength) return text;
  const slash = text.includes(' ') ? -1 : Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
  const isName = slash > 0 && slash < text.length - 1 && text.length - slash <= 2 * endLength;
  const start = isName ? slash : text.length - endLength;
  return html`<span class="cut-head" ${styled({ '--end': `${text.length - start}ch` })}
      >${text.slice(0, start)}</span
    >${text.slice(start)}`;
}
