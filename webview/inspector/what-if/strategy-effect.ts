import { css, html, nothing, type TemplateResult } from 'lit';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { talliedKinds, type WhatIfRow, type WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import { addStyles } from '../../shared/component.ts';
import { largeButton, linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { effectOf, lossOf, titleOfRow } from './outcomes.ts';
import type { WhatIfAnswers } from '../state/what-if-answers.ts';

const words = inspectorTexts.whatIf;

interface ChosenStrategy {
  readonly row: WhatIfRow;
  readonly view: WhatIfView;
  /** Undefined until the extension has named the lost facts. */
  readonly lost: WhatIfAnswers['lost'];
  readonly isLostOpen: boolean;
  /** False in a read-only session. */
  readonly canChange: boolean;
  readonly post: (request: InspectorRequest) => void;
  readonly onLost: () => void;
}

/** Savings, price and losses of the chosen strategy, with its actions. */
export function chosenStrategy({
  row,
  view,
  lost,
  isLostOpen,
  canChange,
  post,
  onLost,
}: ChosenStrategy): TemplateResult {
  const { strategy, isEstimate } = row;
  const title = titleOfRow(row);
  const loss = lossOf(row);
  const isMade = strategy === view.made?.strategy;
  return html`<div class="chosen" role="group" aria-label=${title}>
      <p>
        <b>${title}</b> ${effectOf(row)}
        ${
          loss === undefined
            ? words.losesNothing
            : linkButton(words.loses({ loss }), onLost, { isOpen: isLostOpen })
        }
        ${isEstimate ? html`<span class="dim">${words.estimateNote}</span>` : nothing}
      </p>
      <span
        >${largeButton(
          isMade ? words.madeDiff : words.preview,
          () => post({ type: 'what-if-preview', strategy }),
          { class: 'preview' },
        )}${canChange && !isMade ? strategyActions(view, strategy, post) : nothing}</span
      >
    </div>
    ${loss !== undefined && isLostOpen ? lostNames(lost?.strategy === strategy ? lost : undefined) : nothing}`;
}

/** Buttons that compact with a strategy once, or make it the default of the workspace. */
export function strategyActions(
  { isStale, applying, applied, current }: WhatIfView,
  strategy: string,
  post: (request: InspectorRequest) => void,
): TemplateResult {
  const isDisabled = isStale || applying !== undefined;
  const isDefault = current === strategy;
  const name =
    applying === strategy ? words.isApplying : applied === strategy ? words.isApplied : words.apply;
  const apply = () => post({ type: 'what-if-apply', strategy });
  const use = () => post({ type: 'what-if-use', strategy });
  return html`${largeButton(name, apply, { isPrimary: true, isDisabled })}${largeButton(
    isDefault ? words.isUsed : words.use,
    use,
    { isDisabled: isDefault },
  )}`;
}

function lostNames(answer: WhatIfAnswers['lost']): TemplateResult {
  if (answer === undefined) return html`<p class="dim" role="status">${words.loadingLost}</p>`;
  return html`<dl class="lost">
    ${talliedKinds
      .filter((kind) => answer.lost[kind].length > 0)
      .map(
        (kind) =>
          html`<dt class="dim">${words.columns[kind]}</dt>
            ${answer.lost[kind].map((name) => html`<dd><code>${name}</code></dd>`)}`,
      )}
  </dl>`;
}

addStyles(css`
  .chosen {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px 8px;
    min-height: 34px;
    padding: 3px 8px;
    background: var(--card);
    > p {
      flex: 1 1 300px;
    }
    > span {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 8px;
    }
    body.vscode-high-contrast & {
      border: 1px solid var(--line);
    }
  }
  .lost {
    max-height: 180px;
    margin: 0;
    padding: 0 8px;
    overflow: auto;
    overflow-wrap: anywhere;
  }
`);
