import { css, html, nothing, type TemplateResult } from 'lit';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type {} from '../../../src/protocol/inspector.ts';
import { addStyles } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { lostKinds } from './outcome-sentence.ts';
import { type CompactionAnswers, namesKey } from '../state/compaction-answers.ts';

const words = inspectorTexts.record;

/** Maximum number of names of a kind that are listed. The others are only counted. */
const longestList = 100;

interface LostList {
  readonly record: RecordView;
  readonly answers: CompactionAnswers;
  readonly onFind: ((name: string) => void) | undefined;
  /** Undefined if nothing can be brought back here. */
  readonly onBringBack: (() => void) | undefined;
}

/** The names of the facts that a compaction lost, by kind. */
export function lostList({ record, answers, onFind, onBringBack }: LostList): TemplateResult {
  const { id, coverage } = record;
  return html`<section class="lost-facts" aria-label=${words.lostTitle}>
    ${lostKinds(coverage).map(({ kind }) => {
      const known = answers.names[namesKey(id, kind)];
      const named = known ?? (kind === 'userMessages' ? undefined : coverage[kind].missing);
      return html`<div>
        <h4>${words.names[kind]}</h4>
        ${named === undefined ? html`<p class="dim">${words.loading}</p>` : nameList(named, onFind)}
      </div>`;
    })}
    ${
      onBringBack === undefined
        ? nothing
        : html`<div>${linkButton(inspectorTexts.compactionsTab.bringBack, onBringBack)}</div>`
    }
  </section>`;
}

/** A list of names, one per line. @param onFind shows a name where it is used; without it, names are only text */
function nameList(names: readonly string[], onFind?: (name: string) => void): TemplateResult {
  const rest = names.length - longestList;
  return html`<ul class="lost-names" tabindex="0">
    ${names.slice(0, longestList).map(
      (name) =>
        html`<li>
          ${
            onFind === undefined
              ? html`<code title=${name}>${name}</code>`
              : html`<button type="button" title=${`${words.find}: ${name}`} @click=${() => onFind(name)}>
                  <code>${name}</code>
                </button>`
          }
        </li>`,
    )}
    ${rest > 0 ? html`<li class="dim">${words.andMore({ count: rest })}</li>` : nothing}
  </ul>`;
}

addStyles(css`
  .lost-facts {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 24px;
    padding: 2px 0 8px;
    > div {
      max-width: 100%;
    }
    h4 {
      margin: 0;
      color: var(--dim);
      font-size: 1em;
      font-weight: 400;
    }
  }
  .lost-names {
    max-height: 10lh;
    overflow: auto;
    overflow-wrap: anywhere;
    /* A command can be a whole script. */
    code {
      display: -webkit-box;
      overflow: hidden;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
    }
    button {
      text-align: start;
    }
    button:hover {
      text-decoration: underline;
    }
  }
`);
