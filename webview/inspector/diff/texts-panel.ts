import { css, html, nothing, type TemplateResult } from 'lit';
import type { RowFate } from '../../../src/protocol/engine-terms.ts';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { addStyles } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import { messageButtons } from '../by-hand/message-menu.ts';
import { saidBy } from '../by-hand/selected-sentence.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { DiffContext, Texts } from './diff-data.ts';
import { compareTexts, type TextPart } from './text-comparison.ts';

const words = inspectorTexts.diff;
const more = inspectorTexts.compactionsTab;

/** Maximum characters of a text on the page. The diff editor shows longer texts. */
const longestShown = 100_000;

interface TextsPanel {
  readonly message: MessageView;
  readonly fate: RowFate;
  /** Sides to show. */
  readonly sides: 'both' | 'before' | 'after';
  /** Key of the line with the message's replacement, or with the first message that it replaces. */
  readonly standIn?: string | undefined;
}

/** A whole message: the original, its replacement, and actions on it. */
export function textsPanel(panel: TextsPanel, context: DiffContext): TemplateResult {
  const { message, fate, sides } = panel;
  const texts = context.texts.get(message.id);
  if (texts === undefined) return html`<div class="texts"><p class="dim">${words.loadingTexts}</p></div>`;
  const { before, after } = texts;
  const said = saidBy(message.kind, message.id);
  const whole = (label: string, text: string) => column(label, wholeText(text, said));
  const shown =
    sides === 'before'
      ? whole(words.original, before)
      : sides === 'after'
        ? whole(words.now, after ?? before)
        : fate === 'keep' || before === after
          ? whole(words.unchanged, before)
          : bothSides(texts, said);
  return html`<div class="texts">
    ${shown}
    <div class="texts-actions">${actionsOf(panel, context)}</div>
  </div>`;
}

/** Comparing long texts takes too long for every drawing. */
const comparisons = new WeakMap<Texts, ReturnType<typeof compareTexts>>();

function bothSides(texts: Texts, said: string | undefined): TemplateResult {
  const { before, after } = texts;
  const [left, right] = [before.slice(0, longestShown), after?.slice(0, longestShown)];
  if (right !== undefined && !comparisons.has(texts)) comparisons.set(texts, compareTexts(left, right));
  const compared = comparisons.get(texts);
  const now =
    right === undefined
      ? html`<p class="dim">${words.gone}</p>`
      : textBox(compared?.after ?? right, said, 'ins');
  return html`<div class="columns">
    ${column(words.original, [textBox(compared?.before ?? left, said, 'del'), noteOf(before)])}
    ${column(words.now, [now, noteOf(after ?? '')])}
  </div>`;
}

function column(label: string, content: unknown): TemplateResult {
  return html`<div class="column">
    <div class="column-label">${label}</div>
    ${content}
  </div>`;
}

/**
 * A text in a box that scrolls, cut if it is too long for the page.
 *
 * @param said see `saidBy`
 * @param cut says that it was cut
 */
export function wholeText(text: string, said: string | undefined, cut = words.cut): TemplateResult {
  return html`${textBox(text.slice(0, longestShown), said, 'ins')} ${noteOf(text, cut)}`;
}

function noteOf(text: string, cut = words.cut): unknown {
  return text.length <= longestShown
    ? nothing
    : html`<p class="dim">${cut({ characters: longestShown })}</p>`;
}

function textBox(
  text: string | readonly TextPart[],
  said: string | undefined,
  changed: 'ins' | 'del',
): TemplateResult {
  if (text.length === 0) return html`<p class="dim">${words.noText}</p>`;
  const parts =
    typeof text === 'string'
      ? text
      : text.map(({ text: part, isChanged }) =>
          !isChanged ? part : changed === 'ins' ? html`<ins>${part}</ins>` : html`<del>${part}</del>`,
        );
  return html`<pre tabindex="0" data-said=${said ?? nothing}>${parts}</pre>`;
}

/** Actions on a message whose text is open, as links. */
function actionsOf({ message, fate, standIn }: TextsPanel, context: DiffContext): unknown {
  const { post, recordId, menu, goTo } = context;
  const { id: messageId } = message;
  const isSource = fate !== 'insert';
  return [
    canRestore(message, fate, context)
      ? linkButton(words.restore, () => post({ type: 'restore', messageId }))
      : nothing,
    isSource && context.canPin
      ? linkButton(
          message.isPinned === true ? more.unpin : more.pin,
          () => post({ type: 'pin', messageId, isPinned: message.isPinned !== true }),
          { title: more.pinTitle },
        )
      : nothing,
    messageButtons(menu, { ...message, messageId }),
    standIn === undefined
      ? nothing
      : linkButton(isSource ? more.whereItWent : more.itsSources, () => goTo(standIn)),
    isSource && fate !== 'keep'
      ? linkButton(words.openInEditor, () => post({ type: 'open-diff-editor', recordId, messageId }))
      : nothing,
  ];
}

/** A summary is not a message of the conversation and cannot be restored. Undoing its compaction removes it. */
export function canRestore({ isRestored, kind }: MessageView, fate: RowFate, context: DiffContext): boolean {
  const isChanged = fate !== 'insert' && fate !== 'keep' && fate !== 'restore';
  return context.canRestore && isChanged && !isRestored && kind !== 'summary';
}

addStyles(css`
  .texts {
    margin: 0 0 8px;
    padding: 2px 8px 4px 18px;
    border-inline-start: 3px solid var(--line);
    pre {
      max-height: 420px;
      margin: 0;
      padding: 6px 8px;
      overflow: auto;
      border-radius: var(--radius);
      background: var(--vscode-textCodeBlock-background, var(--card));
      font-family: var(--mono);
      font-size: var(--mono-size);
      white-space: pre-wrap;
      body.vscode-high-contrast & {
        border: 1px solid var(--line);
      }
    }
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 8px 26px;
    @media (max-width: 699px) {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .column-label {
    padding-bottom: 2px;
    color: var(--dim);
    font-size: var(--small);
  }
  .texts-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    padding-top: 6px;
  }
  ins {
    background: var(
      --vscode-diffEditor-insertedTextBackground,
      color-mix(in srgb, var(--green) 22%, transparent)
    );
    text-decoration: none;
  }
  del {
    /* Readable on its background, even if a theme's own text is pale */
    color: oklch(from var(--fg) min(l, calc(var(--palest) - 0.06)) c h);
    background: var(
      --vscode-diffEditor-removedTextBackground,
      color-mix(in srgb, var(--red) 22%, transparent)
    );
    text-decoration: line-through;
    text-decoration-color: color-mix(in srgb, currentColor 45%, transparent);
  }
  body.vscode-high-contrast {
    ins {
      background: none;
      outline: 1px solid var(--vscode-diffEditor-insertedTextBorder, var(--line));
      text-decoration: underline;
    }
    del {
      background: none;
      outline: 1px dashed var(--vscode-diffEditor-removedTextBorder, var(--line));
      text-decoration-color: currentColor;
    }
  }
`);
