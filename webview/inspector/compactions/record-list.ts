import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { isByHand, strategyName } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { formatShort, formatTime } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { lostKinds } from './outcome-sentence.ts';

const words = inspectorTexts.record;

interface RecordList {
  /** Newest first. */
  readonly records: readonly RecordView[];
  readonly selectedId: string | undefined;
  /** Tokens of each context that are not in the session's file. */
  readonly unseen: (record: RecordView) => number;
  /** The selection, which keys may have changed since the list was drawn. */
  readonly current: () => string | undefined;
  readonly onSelect: (recordId: string) => void;
}

/** The compactions of a session. The user selects one by click or by arrow keys. */
export function recordList({ records, selectedId, unseen, current, onSelect }: RecordList): TemplateResult {
  const keyPressed = (event: KeyboardEvent) => {
    const index = records.findIndex(({ id }) => id === (current() ?? selectedId));
    const last = records.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, index - 1),
      ArrowDown: Math.min(last, index + 1),
      Home: 0,
      End: last,
    };
    const next = places[event.key];
    const record = records[next ?? -1];
    if (next === undefined || record === undefined) return;
    event.preventDefault();
    onSelect(record.id);
    const list = event.currentTarget as HTMLElement;
    list.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const active = records.findIndex(({ id }) => id === selectedId);
  return html`<div
    class="records"
    role="listbox"
    aria-label=${inspectorTexts.compactions}
    aria-activedescendant="record-${active}"
    tabindex="0"
    @keydown=${keyPressed}
  >
    ${repeat(
      records,
      ({ id }) => id,
      (record, index) =>
        html`<div
          class="record ${record.isUndone ? 'is-undone' : ''}"
          id="record-${index}"
          role="option"
          aria-selected=${record.id === selectedId}
          title=${record.reason ?? nothing}
          @click=${() => onSelect(record.id)}
        >
          <div>
            <time datetime=${record.createdAt}>${formatTime(record.createdAt)}</time>
            <span>${causeOf(record)}</span>
            <em>${statusOf(record)}</em>
          </div>
          <div class="dim">${effectOf(record, unseen(record))}</div>
        </div>`,
    )}
  </div>`;
}

/** The start of a compaction in one or two words, or its name if it was a manual change. */
function causeOf({ trigger, actualStrategy }: RecordView): string {
  if (isByHand(actualStrategy)) return strategyName(actualStrategy);
  return trigger === 'manual' || trigger === 'agent' ? words.causes[trigger] : words.causes.automatic;
}

function statusOf({ status, isUndone }: RecordView): string {
  if (status !== 'applied') return inspectorTexts.statuses[status];
  return isUndone ? inspectorTexts.undone : '';
}

function effectOf(
  { status, tokensBefore, tokensAfter, requestedStrategy, coverage }: RecordView,
  unseen: number,
): string {
  if (status !== 'applied') return strategyName(requestedStrategy);
  const [first] = lostKinds(coverage);
  return [
    inspectorTexts.fromTo({
      before: formatShort(tokensBefore + unseen),
      after: formatShort(tokensAfter + unseen),
    }),
    first === undefined ? words.nothingLost : words.lost[first.kind]({ count: first.lost }),
  ].join(' · ');
}

addStyles(css`
  .records {
    position: sticky;
    top: 12px;
    max-height: calc(100vh - 24px);
    overflow: hidden auto;
    font-variant-numeric: tabular-nums;
  }
  .record {
    padding: 5px 9px;
    border: 1px solid transparent;
    border-radius: var(--radius);
    cursor: pointer;
    time {
      font-weight: 600;
    }
    em {
      font-style: normal;
    }
    &:hover {
      background: var(--hover);
    }
    &[aria-selected='true'] {
      background: var(--card);
    }
    body.vscode-high-contrast &[aria-selected='true'] {
      border-color: var(--vscode-contrastActiveBorder, var(--focus));
    }
    .records:focus-visible &[aria-selected='true'] {
      border-color: var(--focus);
    }
    &.is-undone > :first-child > :not(em) {
      text-decoration: line-through;
    }
  }
  .records:focus-visible {
    outline: 0;
  }
  @media (max-width: 699px) {
    .records {
      position: static;
      max-height: 120px;
    }
  }
`);
