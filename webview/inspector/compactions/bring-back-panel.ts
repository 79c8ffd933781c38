import { css, html, nothing, type TemplateResult } from 'lit';
import { when } from 'lit/directives/when.js';
import type { BringBackPlan } from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { largeButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.compactionsTab.bringBackPanel;

/** Maximum number of facts of a message that are named. */
const namedFacts = 4;
/** Maximum number of messages that are listed. */
const longestList = 50;

interface BringBack {
  readonly recordId: string;
  /** Undefined until the host has made it. */
  readonly plan: BringBackPlan | undefined;
  readonly post: (request: InspectorRequest) => void;
  /** Called when the user closes the panel. */
  readonly onClose: () => void;
}

/** The messages that would be restored, and their cost, before anything changes. */
export function bringBackPanel({ recordId, plan, post, onClose }: BringBack): TemplateResult {
  const confirm = () => {
    const messageIds = plan?.messages.map(({ message }) => message.id) ?? [];
    post({ type: 'bring-back', recordId, messageIds });
    onClose();
  };
  return html`<section class="bring-back" aria-label=${words.title}>
    <div aria-live="polite">
      ${plan === undefined ? html`<p class="dim">${words.looking}</p>` : contentOf(plan)}
    </div>
    ${
      plan === undefined
        ? nothing
        : html`<div class="bring-back-actions">
            ${when(plan.messages.length, (messages) => largeButton(words.confirm({ messages }), confirm, { isPrimary: true }))}
            ${largeButton(words.cancel, onClose)}
          </div>`
    }
  </section>`;
}

function contentOf(plan: BringBackPlan): TemplateResult {
  const { messages, missing, unreachable, tokensBefore, tokensAfter, trigger } = plan;
  const out =
    unreachable.length === 0 ? nothing : html`<p>${words.unreachable({ names: named(unreachable) })}</p>`;
  if (messages.length === 0) return missing === 0 ? html`<p>${words.nothing}</p>` : html`${out}`;
  const facts = missing - unreachable.length;
  const added = formatCount(tokensAfter - tokensBefore);
  return html`<p>
      ${words.holds({ messages: messages.length, facts })}
      ${words.adds({ added, before: tokensBefore, after: tokensAfter })}
    </p>
    ${
      trigger === undefined || tokensAfter < trigger
        ? nothing
        : html`<p class="warning-line">${iconTemplate('warning')} ${words.overTrigger({ trigger })}</p>`
    }
    <ul class="brought">
      ${messages.slice(0, longestList).map(lineOf)}
    </ul>
    ${out}`;
}

function lineOf({ message, facts }: BringBackPlan['messages'][number]): TemplateResult {
  const { kind, title, label, excerpt, tokens } = message;
  return html`<li>
    <i class="swatch kind kind-${kind}" title=${kindNames[kind]}></i>
    <span title=${excerpt}
      >${title} <code>${label}</code>
      <span class="dim">${words.holdsFacts({ names: named(facts) })}</span></span
    >
    <span class="dim">${formatCount(tokens)}</span>
  </li>`;
}

function named(facts: readonly string[]): string {
  const rest = facts.length - namedFacts;
  const names = listed(facts.slice(0, namedFacts));
  return rest > 0 ? listed([names, inspectorTexts.record.andMore({ count: rest })]) : names;
}

addStyles(css`
  .bring-back {
    display: grid;
    gap: 6px;
    margin-bottom: 8px;
    padding: 8px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .brought {
    max-height: 12lh;
    overflow: auto;
    > li {
      display: grid;
      grid-template-columns: auto 1fr auto;
      align-items: baseline;
      gap: 8px;
    }
  }
  .bring-back-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
`);
