import { css, html, nothing, type TemplateResult } from 'lit';
import { kinds, type RowFate } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import { fateWords, kindNames, listed } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { iconButton, iconTemplate } from '../../shared/icons.ts';
import { styled } from '../../shared/styled.ts';
import { menuButton, menuFor } from '../by-hand/message-menu.ts';
import { pathCut } from '../../shared/path-cut.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { DiffContext } from './diff-data.ts';
import type { DiffLine } from './diff-lines.ts';
import { excerptSpan, messageLine, sign, tokensOf } from './message-line.ts';
import { canRestore, textsPanel } from './texts-panel.ts';

const words = inspectorTexts.diff;

/** Draws a line of the diff. Its button expands the texts below it. */
export function diffLine(line: DiffLine, context: DiffContext): TemplateResult {
  const { row, key, type, isOpen, message } = line;
  const isBlock = (type === 'message' || type === 'more') && row.fate !== 'keep';
  const target = type === 'head' ? undefined : message;
  const hasNoText = type === 'head' && message === undefined;
  const button = html`<button
    type="button"
    class="line ${type} ${type === 'pair' || type === 'head' ? 'columns-grid' : ''}"
    data-stop
    data-key=${key}
    aria-expanded=${hasNoText ? nothing : isOpen}
    @click=${() => context.toggle(hasNoText ? `more:${row.index}` : key)}
    ${target === undefined ? nothing : menuFor(context.menu, { ...target, messageId: target.id })}
  >
    ${iconTemplate('chevron')} ${contentOf(line)}
  </button>`;
  const left = html`${button} ${isOpen ? panelOf(line, context) : actionsOf(line, context)}`;
  return html`<div class="diff-row is-${row.fate} ${isBlock ? 'columns-grid' : ''}" data-index=${row.index}>
    ${
      isBlock
        ? html`<div class="block-side">${left}</div>
            <span
              class="brace ${row.output === undefined ? 'is-gone' : ''} ${line.isLast === true ? 'is-last' : ''}"
            >
            </span>
            <span class="block-rest">${reminderOf(line)}</span>`
        : left
    }
  </div>`;
}

/** Names the summary next to its messages again, where its head is out of sight. */
function reminderOf({ row: { output, sourceCount }, from }: DiffLine): unknown {
  if (output === undefined || from === 0 || from % 25 > 0) return nothing;
  return html`<span class="cell" aria-hidden="true"
    ><span class="reason">${output.title} ${words.ofMessages({ count: sourceCount })}</span></span
  >`;
}

function contentOf({ type, row, message, from, isOpen, below = 0 }: DiffLine): unknown {
  switch (type) {
    case 'fold':
      return [textLine(keptWords(row)), tokensOf(row.tokensBefore)];
    case 'pair':
      return [
        messageLine({ message: message!, tokens: row.tokensBefore }),
        fateSign(row.fate),
        outcomeOf(row, 0),
      ];
    case 'head':
      return [
        row.sourceCount === 0
          ? html`<span></span>`
          : html`<span class="cell"
              >${textLine(`${words.messages({ count: row.sourceCount })} · ${kindsOf(row)}`)}
              ${tokensOf(row.tokensBefore)}</span
            >`,
        fateSign(row.fate, row.output !== undefined && row.sourceCount > 0),
        outcomeOf(row, below),
      ];
    case 'message':
      return messageLine({
        message: message!,
        details: row.fate === 'keep' ? undefined : html`<span class="spoken">${fateWords[row.fate]}</span>`,
      });
    case 'more':
      return [
        textLine(isOpen ? words.fewer : words.more({ text: row.sourceCount - from })),
        isOpen ? nothing : tokensOf(row.tokensBefore - tokensIn(row.sources)),
      ];
  }
}

function textLine(text: string): TemplateResult {
  return html`<span class="line-words">${text}</span>`;
}

function keptWords(row: DiffRowView): string {
  const { sourceCount, hiddenCount } = row;
  const names = kindsOf(row);
  return [
    words.kept({ count: sourceCount }),
    ...(names === '' ? [] : [names]),
    ...(hiddenCount === undefined ? [] : [inspectorTexts.byHand.hiddenCount({ count: hiddenCount })]),
  ].join(' · ');
}

function kindsOf({ kinds: ofRow }: DiffRowView): string {
  const present = kinds.filter((kind) => (ofRow[kind] ?? 0) > 0);
  return listed(present.map((kind) => kindNames[kind].toLowerCase()));
}

/** The fate between both sides: an icon, with its word for screen readers and in the tooltip. */
function fateSign(fate: RowFate, joins = false): TemplateResult {
  return html`<span class="fate ${joins ? 'joins' : ''}">${sign(fate, fateWords[fate])}</span>`;
}

/** The outcome: the replacement, or the reason why there is none. */
function outcomeOf(
  { fate, reason, output, sourceCount, tokensAfter }: DiffRowView,
  below: number,
): TemplateResult {
  const isNew = sourceCount === 0 || fate === 'summarise';
  const from = sourceCount > 1 ? `${words.ofMessages({ count: sourceCount })} · ` : '';
  const why = html`<span class="reason">${from}${reason}</span>`;
  if (output === undefined) return html`<span class="cell is-gone">${why}</span>`;
  if (below > 0) {
    return html`<span
      class="cell is-output kind-${output.kind}"
      ${styled({ '--below': String(Math.min(below, 6)) })}
    >
      <b>${output.title}</b>${why} ${tokensOf(tokensAfter)}<span class="gist">${output.excerpt}</span>
    </span>`;
  }
  return html`<span class="cell kind-${output.kind}"
    >${isNew ? html`<b>${output.title}</b>${output.label === '' ? nothing : pathCut(output.label, 'label')}` : nothing}${why}
    ${excerptSpan(output.excerpt, output.kind)} ${tokensOf(tokensAfter)}</span
  >`;
}

function panelOf({ type, row, message }: DiffLine, context: DiffContext): unknown {
  const { index, fate, output, sources } = row;
  if (message === undefined) return nothing;
  if (type === 'pair') return textsPanel({ message, fate, sides: 'both' }, context);
  if (type === 'head') {
    const standIn = sources[0] === undefined ? undefined : `row:${index}:${sources[0].id}`;
    return textsPanel({ message, fate: 'insert', sides: 'after', standIn }, context);
  }
  const standIn = output === undefined || fate === 'keep' ? undefined : `output:${index}`;
  return textsPanel({ message, fate, sides: 'before', standIn }, context);
}

/** Buttons on the line under the pointer: to restore it, to pin it, and its menu. The keyboard opens the line. */
function actionsOf({ type, key, row, message }: DiffLine, context: DiffContext): unknown {
  const { pointed, post, menu, canPin } = context;
  if (pointed !== key || message === undefined || type === 'head') return nothing;
  const { id: messageId, isPinned = false } = message;
  const subject = { ...message, messageId };
  const { pin, unpin } = inspectorTexts.compactionsTab;
  const setPin = () => post({ type: 'pin', messageId, isPinned: !isPinned });
  return html`<span class="line-actions">
    ${
      canRestore(message, row.fate, context)
        ? iconButton('restore', words.restore, () => post({ type: 'restore', messageId }))
        : nothing
    }
    ${canPin ? iconButton('pin', isPinned ? unpin : pin, setPin) : nothing}
    ${menuButton(menu, subject, message.title)}
  </span>`;
}

function tokensIn(messages: readonly MessageView[]): number {
  return messages.reduce((total, { tokens }) => total + tokens, 0);
}

addStyles(css`
  .line {
    position: relative;
    width: 100%;
    min-height: 24px;
    line-height: 19px;
    &:hover {
      background: var(--hover);
    }
    body.vscode-high-contrast &:hover {
      outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
      outline-offset: -1px;
    }
    > .icon-chevron {
      position: absolute;
      z-index: 1;
      top: 8px;
      left: 6px;
      color: var(--dim);
      opacity: 0;
    }
    body.vscode-high-contrast & > .icon-chevron,
    &:is(:hover, :focus-visible, [aria-expanded='true'], .fold, .more) > .icon-chevron {
      opacity: 1;
    }
  }
  .diff-row,
  .block-side {
    position: relative;
    min-width: 0;
  }
  .fold,
  .more {
    display: flex;
    align-items: baseline;
    gap: 8px;
    padding: 2px 8px 2px 18px;
    color: var(--dim);
  }
  .fold {
    background: var(--card);
  }
  .line-words {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    color: var(--dim);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .fate {
    display: flex;
    align-items: center;
    justify-content: center;
    min-height: 24px;
    color: var(--dim);
    /* The beginning of the bracket that joins messages to their summary */
    &.joins {
      position: relative;
      &::after {
        position: absolute;
        inset: 50% 3px 0 auto;
        width: 6px;
        border: solid var(--kind-summary);
        border-width: 2px 2px 0 0;
        border-start-end-radius: 6px;
        content: '';
      }
    }
  }
  .brace {
    position: relative;
    &:not(.is-gone)::after {
      position: absolute;
      inset: 0 3px 0 auto;
      width: 6px;
      border-inline-end: 2px solid var(--kind-summary);
      content: '';
    }
    &.is-last::after {
      bottom: 6px;
      border-bottom: 2px solid var(--kind-summary);
      border-end-end-radius: 6px;
    }
    &.is-gone.is-last::after {
      content: none;
    }
  }
  .is-summarise .block-rest,
  .is-output {
    background: color-mix(in srgb, var(--kind-summary) 8%, transparent);
    body.vscode-high-contrast & {
      background: none;
    }
  }
  /* The beginning of a summary runs on next to the messages that it replaced. */
  .gist {
    position: absolute;
    top: 24px;
    right: 8px;
    left: 18px;
    display: -webkit-box;
    max-height: calc(var(--below) * 24px);
    overflow: hidden;
    white-space: pre-line;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: var(--below);
    [aria-expanded='true'] & {
      display: none;
    }
  }
  .virtual-row:has(.gist) {
    z-index: 1;
  }
  .is-gone::before {
    content: none;
  }
  .line-actions {
    position: absolute;
    top: 1px;
    right: 4px;
    display: flex;
    gap: 2px;
    border-radius: var(--radius);
    background: var(--surface);
  }
  @media (max-width: 699px) {
    .brace,
    .block-rest {
      display: none;
    }
    .pair,
    .head {
      grid-template-columns: 26px minmax(0, 1fr);
      > span:first-of-type {
        grid-column: span 2;
      }
    }
    .fate.joins::after {
      content: none;
    }
    .gist {
      position: static;
      flex: 1 0 100%;
    }
    .is-output {
      flex-wrap: wrap;
    }
  }
`);
