import { css, html, nothing, type TemplateResult } from 'lit';
import type { PreviewedSummary, PreviewView } from '../../../src/protocol/inspector-preview.ts';
import { listed } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { fieldButton, type SentenceMenu } from '../by-hand/sentence-menu.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.preview;

/** Maximum number of facts lost by an edit that are named. The others are only counted. */
const namedFacts = 5;

interface SummaryFields {
  readonly summaries: readonly PreviewedSummary[];
  readonly isBusy: boolean;
  readonly isRefused: boolean;
  readonly marks: SentenceMenu;
  readonly onInput: () => void;
}

/** The summaries of a plan, one field each. A field keeps what the user types until it is drawn for another plan. */
export function summaryFields({
  summaries,
  isBusy,
  isRefused,
  marks,
  onInput,
}: SummaryFields): TemplateResult {
  const total = summaries.length;
  return html`<div class="summary-fields">
    ${summaries.map(({ text, tokens }, index) => {
      const id = `summary-${index}`;
      return html`<div class="summary-name">
          <label for=${id}
            >${total === 1 ? words.summary : words.summaryOf({ index: index + 1, total })}</label
          >
          <span class="dim">${words.tokens({ text: tokens })}</span>
          ${fieldButton(marks, () => document.querySelector<HTMLTextAreaElement>(`#${id}`)!)}
        </div>
        <textarea
          class="field"
          id=${id}
          aria-describedby="summary-outcome"
          aria-invalid=${isRefused}
          .defaultValue=${text}
          ?readonly=${isBusy}
          @input=${onInput}
        ></textarea>`;
    })}
  </div>`;
}

/** The texts in the fields. A field normalises line breaks, so an unchanged text is the one that was loaded. */
export function textsIn(place: HTMLElement): readonly string[] {
  return [...place.querySelectorAll('textarea')].map(({ value, defaultValue }) =>
    value === defaultValue.replace(/\r\n?/gu, '\n') ? defaultValue : value,
  );
}

/** The outcome of the last check of the texts. */
export function checkLine({ activity, refusal, record, lost }: PreviewView): TemplateResult {
  const outcome = activity === 'checking' ? words.checking : outcomeOf(record?.isEdited, lost);
  return html`<p class="refusal" role="status">
      ${refusal === undefined ? nothing : words.refused({ reason: refusal })}
    </p>
    <p class="dim" id="summary-outcome" role="status">${outcome}</p>`;
}

/** The outcome of an accepted edit; empty if the text was not edited. */
function outcomeOf(isEdited: boolean | undefined, lost: readonly string[]): string {
  if (isEdited !== true) return '';
  if (lost.length === 0) return words.losesNothing;
  const rest = lost.length - namedFacts;
  const more = rest > 0 ? [inspectorTexts.record.andMore({ count: rest })] : [];
  return words.loses({ names: listed([...lost.slice(0, namedFacts), ...more]) });
}

addStyles(css`
  .summary-name {
    display: flex;
    justify-content: space-between;
    gap: 0 12px;
    padding-bottom: 3px;
    font-variant-numeric: tabular-nums;
  }
  .summary-fields textarea {
    display: block;
    width: 100%;
    height: auto;
    min-height: 5lh;
    max-height: 45vh;
    margin-bottom: 6px;
    padding-block: 4px;
    field-sizing: content;
    resize: vertical;
    font-family: var(--mono);
    &[aria-invalid='true'] {
      border-color: var(--warning);
    }
  }
  .refusal {
    color: var(--warning-words);
    body.vscode-high-contrast & {
      color: var(--fg);
    }
  }
`);
