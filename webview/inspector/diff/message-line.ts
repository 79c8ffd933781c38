import { css, html, nothing, type TemplateResult } from 'lit';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { addStyles } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pathCut } from '../../shared/path-cut.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.diff;

interface MessageLine {
  readonly message: MessageView;
  /** Parts after the title and the label. */
  readonly details?: unknown;
  readonly tokens?: number | undefined;
}

/** A message on one line, with its kind as a bar in the gutter. Consists of spans, so that it can be in a button. */
export function messageLine({ message, details, tokens = message.tokens }: MessageLine): TemplateResult {
  const { kind, title, label, excerpt, isRestored, isHidden, isPinned, isLost } = message;
  return html`<span class="cell kind-${kind}">
    <b>${title}</b>
    ${label === '' ? nothing : pathCut(label, 'label')}
    ${isLost === true ? html`<span class="no-longer">${words.lost}</span>` : nothing} ${details ?? nothing}
    ${excerptSpan(excerpt, kind)} ${isRestored ? sign('keep', words.restored) : nothing}
    ${isHidden === true ? sign('hide', inspectorTexts.byHand.hidden) : nothing}
    ${isPinned === true ? sign('pin', inspectorTexts.compactionsTab.pinned) : nothing} ${tokensOf(tokens)}
  </span>`;
}

/** An icon with its word in the accessible name and in the tooltip. */
export function sign(name: Parameters<typeof iconTemplate>[0], word: string): TemplateResult {
  return html`<span class="sign" title=${word}
    >${iconTemplate(name)}<span class="spoken">${word}</span></span
  >`;
}

/** A number of tokens at the end of a line, with its unit for screen readers. */
export function tokensOf(tokens: number): TemplateResult {
  return html`<span class="tokens"
    >${formatCount(tokens)}<span class="spoken">${words.tokens({ text: '' })}</span></span
  >`;
}

export function excerptSpan(text: string, kind: MessageView['kind']): unknown {
  if (text === '') return nothing;
  const isCode = kind === 'toolCall' || kind === 'toolResult' || kind === 'tools';
  return html`<span class="excerpt ${isCode ? 'is-code' : ''}">${text}</span>`;
}

addStyles(css`
  .cell {
    position: relative;
    display: flex;
    align-items: baseline;
    gap: 8px;
    min-width: 0;
    padding: 3px 8px 3px 18px;
    &::before {
      position: absolute;
      inset: 4px auto 4px 0;
      width: 3px;
      background: var(--kind, var(--line));
      content: '';
      forced-color-adjust: none;
    }
    > b {
      flex: none;
      min-width: min(5em, 25%);
      max-width: 32%;
      overflow: hidden;
      font-weight: 400;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > .label,
    > .is-code {
      font-family: var(--mono);
      font-size: var(--mono-size);
    }
    > .label {
      flex: 0 1 auto;
      min-width: min(calc(var(--name, 0px) + 2ch), 100%);
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > .reason {
      flex: 0 1 auto;
    }
    > .excerpt {
      flex: 1 1 0;
    }
    > .excerpt,
    > .reason {
      min-width: 0;
      overflow: hidden;
      color: var(--dim);
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > .no-longer {
      flex: 0 1 auto;
      min-width: 4em;
      overflow: hidden;
      color: var(--warning-words);
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > .sign {
      flex: none;
      color: var(--dim);
    }
  }
  .tokens {
    flex: none;
    margin-inline-start: auto;
    color: var(--dim);
    font-variant-numeric: tabular-nums;
  }
  @media (max-width: 480px) {
    .cell {
      flex-wrap: wrap;
      gap: 0 8px;
      > b {
        min-width: 0;
        max-width: 80%;
      }
      > .label,
      > .excerpt {
        flex: 1 0 100%;
        order: 1;
      }
    }
  }
`);
