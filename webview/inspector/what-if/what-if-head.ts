import { css, html, nothing, type TemplateResult } from 'lit';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { WhatIfMoment, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { formatShort, formatTime } from '../../shared/numbers.ts';
import { largeButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { answerOf, titleOfRow } from './outcomes.ts';
import { recommended } from './strategy-ranking.ts';

const words = inspectorTexts.whatIf;

type Post = (request: InspectorRequest) => void;

/** The answer of the comparison, or how far it is. */
export function whatIfHead(view: WhatIfView | undefined, post: Post): TemplateResult {
  const { phase = 'idle', moments = [], isStale = false, before } = view ?? {};
  return html`<div class="what-if-head">
      <p role="status">${view === undefined ? words.intro : sentenceOf(view)}</p>
      ${
        phase === 'running'
          ? html`<progress
              aria-label=${words.progress}
              max=${view?.total ?? 1}
              .value=${view?.rows.length ?? 0}
            ></progress>`
          : nothing
      }
      ${moments.length === 0 ? nothing : momentChoice(moments, before, post)}
      ${
        phase === 'running'
          ? largeButton(words.cancel, () => post({ type: 'what-if-cancel' }))
          : phase !== 'idle' && (phase !== 'done' || isStale)
            ? largeButton(words.again, () => post(runRequest(before)), { isPrimary: true })
            : nothing
      }
    </div>
    ${isStale && view !== undefined ? html`<p class="dim">${staleSentence(view)}</p>` : nothing}`;
}

/** @param before record right before which strategies are tried; the current context if empty */
export function runRequest(before: string | undefined): InspectorRequest {
  return { type: 'what-if-run', ...(before !== undefined && before !== '' && { before }) };
}

function momentChoice(
  moments: readonly WhatIfMoment[],
  before: string | undefined,
  post: Post,
): TemplateResult {
  return html`<vscode-dropdown
    aria-label=${words.moments}
    @change=${({ target }: Event) => post(runRequest((target as HTMLSelectElement).value))}
  >
    ${moments.map(
      (moment) =>
        html`<vscode-option value=${moment.recordId} ?selected=${moment.recordId === before}
          >${momentLabel(moment)}</vscode-option
        >`,
    )}
    <vscode-option value="" ?selected=${before === undefined}>${words.now}</vscode-option>
  </vscode-dropdown>`;
}

function momentLabel({ createdAt, tokensBefore, tokensAfter }: WhatIfMoment): string {
  return words.before({
    time: formatTime(createdAt),
    before: formatShort(tokensBefore),
    after: formatShort(tokensAfter),
  });
}

function staleSentence({ applied, rows }: WhatIfView): string {
  if (applied === undefined) return words.stale;
  const row = rows.find(({ strategy }) => strategy === applied);
  return words.applied({ strategy: row === undefined ? titleOfStrategy(applied) : titleOfRow(row) });
}

function sentenceOf(view: WhatIfView): unknown {
  const { phase, before, rows, total, running = '', problem = '' } = view;
  switch (phase) {
    case 'idle':
      return before === undefined ? words.intro : words.replayIntro;
    case 'running':
      return words.running({ done: rows.length, total, strategy: titleOfStrategy(running) });
    case 'cancelled':
      return words.cancelled({ done: rows.length, total });
    case 'failed':
      return words.failed({ problem });
    case 'done':
      return withBold(answerOf(view), recommended(rows)?.row);
  }
}

/** The answer with the recommended strategy in bold. */
function withBold(answer: string, row: Parameters<typeof titleOfRow>[0] | undefined): unknown {
  const title = row === undefined ? '' : titleOfRow(row);
  const at = answer.indexOf(title);
  if (title === '' || at < 0) return answer;
  return html`${answer.slice(0, at)}<b>${title}</b>${answer.slice(at + title.length)}`;
}

addStyles(css`
  .what-if-head {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px 10px;
    min-height: 24px;
    > p {
      flex: 1 1 280px;
    }
    progress {
      width: 120px;
      height: 6px;
      accent-color: var(--vscode-progressBar-background, var(--focus));
    }
    vscode-dropdown {
      min-width: 0;
      max-width: 100%;
    }
  }
`);
