import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { BudgetView, LargeMessage } from '../../../src/protocol/inspector-budget.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { addStyles, Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pathCut } from '../../shared/path-cut.ts';
import { menuButton, menuFor } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.inWindow;

interface FoldProps {
  readonly title: string;
  /** A number or a few words after the title. */
  readonly note?: string;
  readonly content: unknown;
}

/** Content under a title, folded at first. */
class Fold extends Component<FoldProps> {
  static override styles = css`
    cb-fold {
      display: block;
      margin-top: 5px;
      > .disclosure {
        border-radius: 3px;
        font-variant-numeric: tabular-nums;
      }
      > .folded {
        margin: 4px 0 10px 14px;
      }
    }
  `;
  private isOpen = false;

  protected override render(): TemplateResult {
    const { title, note, content } = this.props;
    return html`<button
        type="button"
        class="disclosure"
        aria-expanded=${this.isOpen}
        @click=${() => {
          this.isOpen = !this.isOpen;
          this.requestUpdate();
        }}
      >
        ${iconTemplate('chevron')} ${title}
        ${note === undefined ? nothing : html`<span class="dim">${note}</span>`}
      </button>
      ${this.isOpen ? html`<div class="folded">${content}</div>` : nothing}`;
  }
}

export const fold = component('cb-fold', Fold);

/** An item of a list, which takes tokens. */
interface Held {
  readonly key: string;
  readonly kind?: Kind;
  readonly name: string;
  readonly note?: string;
  readonly tokens: number;
  readonly messageId?: string | undefined;
  /** Subject of the item's menu with manual actions. */
  readonly subject: MenuSubject;
}

/** The largest messages, hidden messages, tools and files, each in a folded list. Items link to the chat. */
export function heldLists(
  { largest, hidden = [], tools, files }: BudgetView,
  props: TabProps,
): readonly unknown[] {
  const message =
    (state: MenuSubject) =>
    ({ id, kind, title, tokens }: LargeMessage): Held => ({
      key: id,
      kind,
      name: title,
      tokens,
      messageId: id,
      subject: { ...state, messageId: id },
    });
  return [
    list(words.largestMessages, largest.map(message({ isInContext: true })), props),
    hidden.length === 0
      ? nothing
      : list(inspectorTexts.byHand.hiddenTitle, hidden.map(message({ isHidden: true })), props),
    list(
      words.tools,
      tools.map(({ tool, calls, callTokens, resultTokens, messageId }) => ({
        key: tool,
        name: tool,
        note: `${words.calls({ count: calls })} · ${words.toolParts({ calls: callTokens, results: resultTokens })}`,
        tokens: callTokens + resultTokens,
        messageId,
        subject: { tool },
      })),
      props,
    ),
    list(
      words.files,
      files.map(({ path, calls, tokens, messageId }) => ({
        key: path,
        name: path,
        note: words.calls({ count: calls }),
        tokens,
        messageId,
        subject: { path },
      })),
      props,
    ),
  ];
}

function list(title: string, items: readonly Held[], props: TabProps): TemplateResult {
  const rows = html`<ol class="held-list" aria-label=${title}>
    ${repeat(
      items,
      ({ key }) => key,
      (held) => row(held, props),
    )}
  </ol>`;
  return fold({ title, content: items.length === 0 ? html`<p class="dim">${words.none}</p>` : rows });
}

function row(held: Held, { session, page: { menu, post } }: TabProps): TemplateResult {
  const { name, note = '', messageId, subject } = held;
  return html`<li>
    ${
      messageId === undefined || !isEditable(session)
        ? html`<div class="held" ${menuFor(menu, subject)}>${cells(held)}</div>`
        : html`<button
            type="button"
            class="held"
            title=${words.inChat}
            ${menuFor(menu, subject)}
            @click=${() => post({ type: 'show-in-chat', messageId })}
          >
            ${cells(held)}
          </button>`
    }
    ${menuButton(menu, subject, `${name} ${note}`.trim())}
  </li>`;
}

function cells({ kind, name, note = '', tokens }: Held): TemplateResult {
  return html`${
      kind === undefined
        ? nothing
        : html`<i class="swatch kind kind-${kind}"></i><span class="dim">${kindNames[kind]}</span>`
    }
    ${pathCut(name, 'held-name')}
    <span class="dim">${note}</span>
    <span class="held-tokens">${formatCount(tokens)}</span>`;
}

addStyles(css`
  .held-list {
    max-width: 90ch;
    > li {
      display: flex;
      align-items: center;
      gap: 0 6px;
    }
  }
  .held {
    display: flex;
    flex: 1;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 7px;
    min-width: 0;
    margin-inline: -4px;
    padding: 2px 4px;
    border-radius: 3px;
    font-variant-numeric: tabular-nums;
    &:is(button):hover {
      background: var(--hover);
      body.vscode-high-contrast & {
        outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
      }
    }
  }
  .held-name {
    flex: 1 1 120px;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .more-button {
    flex: none;
    padding: 2px 4px;
    border-radius: 3px;
    color: var(--dim);
    &:is(:hover, :focus-visible) {
      background: var(--hover);
      color: var(--fg);
    }
  }
  .held-tokens {
    flex: none;
    min-width: 4.2em;
    margin-inline-start: auto;
    text-align: end;
  }
`);
