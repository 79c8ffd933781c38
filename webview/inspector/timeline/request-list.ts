import { css, html, nothing, type TemplateResult } from 'lit';
import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { addStyles } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatCount, formatDuration, formatMoney, formatTime } from '../../shared/numbers.ts';
import { stackedBar } from '../../shared/stacked-bar.ts';
import { virtualList } from '../../shared/virtual-list.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { Looking } from './chart.ts';
import { cachedShare, described, eventsBefore, wireNotes } from './request-words.ts';
import type { Range } from './timeline-layout.ts';
import type { Call } from '../state/timeline-state.ts';

const { list: words, betweenEvents } = inspectorTexts.timeline;

const rowHeight = 24;
/** Columns with their heading, class and text. Wide ones have no room on narrow pages. */
const columns: readonly (readonly [string, string, (call: Call) => string])[] = [
  [words.time, 'wide', ({ at }) => formatTime(at)],
  [words.total, 'number', ({ tokens }) => formatCount(tokens)],
  [words.reported, 'number wide', ({ reported = 0 }) => (reported === 0 ? '' : formatCount(reported))],
  [words.cached, 'number wide', cachedShare],
  [words.cost, 'number wide', ({ cost = 0 }) => (cost === 0 ? '' : formatMoney(cost))],
];

/** Columns of a recorded session. */
const wireColumns: typeof columns = [
  [words.firstByte, 'number wide', ({ wire }) => durationText(wire?.firstByte)],
  [words.took, 'number wide', ({ wire }) => durationText(wire?.duration)],
];

interface ListProps {
  readonly calls: readonly Call[];
  readonly marks: readonly MarkPoint[];
  readonly selected: Range | undefined;
  readonly onLook: (change: Looking) => void;
  /** Explains a cache miss. `messageId` is the reply to the request. */
  readonly onWhy: (messageId: string) => void;
}

/** All requests, one a row. It is the table of the chart, and its plain form on narrow pages. */
export function requestList({ calls, marks, selected, onLook, onWhy }: ListProps): TemplateResult {
  const isRecorded = calls.some(({ wire }) => wire !== undefined);
  const shownColumns = isRecorded ? [...columns, ...wireColumns] : columns;
  const scale = Math.max(1, ...calls.map(({ tokens }) => tokens));
  const row = (call: Call, index: number) => {
    const { messageId, byKind, isMissed } = call;
    const isChosen = selected !== undefined && index >= selected.from && index < selected.to;
    const choose = ({ shiftKey }: MouseEvent) => {
      const { from, to } = (shiftKey ? selected : undefined) ?? { from: index, to: index + 1 };
      onLook({ place: index, selected: { from: Math.min(from, index), to: Math.max(to, index + 1) } });
    };
    const segments = kinds.map((name, position) => ({ name, size: byKind[position] ?? 0 }));
    return html`<div class="request-row ${isChosen ? 'is-chosen' : ''}">
      <button
        type="button"
        class="link"
        data-stop
        aria-label=${described(calls, marks, index)}
        aria-pressed=${isChosen}
        @click=${choose}
        @focus=${() => onLook({ place: index })}
      >
        ${formatCount(index + 1)}
      </button>
      ${shownColumns.map(([, look, text]) => html`<span class=${look}>${text(call)}</span>`)}
      ${stackedBar({ segments: segments.filter(({ size }) => size > 0), scale })}
      <span class="request-events dim">${eventsOf(call, marks, index)}</span>
      ${
        isMissed
          ? linkButton(words.why, () => onWhy(messageId), {
              class: 'request-why',
              name: words.whyLabel({ request: index + 1 }),
            })
          : nothing
      }
    </div>`;
  };
  return html`<div class="request-list ${isRecorded ? 'is-recorded' : ''}">
    <div class="request-row request-head dim" aria-hidden="true">
      <span>${words.request}</span>
      ${shownColumns.map(([heading, look]) => html`<span class=${look}>${heading}</span>`)}
      <span></span><span class="wide">${words.event}</span>
    </div>
    ${virtualList({
      items: calls,
      keyOf: ({ messageId }) => messageId,
      row,
      rowHeight,
      label: words.name,
      version: [calls, marks, selected],
    })}
  </div>`;
}

/** The events before a request, and the notes on the request itself. */
function eventsOf(call: Call, marks: readonly MarkPoint[], index: number): string {
  return [eventsBefore(marks, index), ...wireNotes(call)].filter((text) => text !== '').join(betweenEvents);
}

function durationText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : formatDuration(milliseconds);
}

addStyles(css`
  .request-list.is-recorded {
    --wire-columns: 9ch 8ch;
  }
  .request-row {
    display: grid;
    grid-template-columns:
      6ch 14ch 8ch 9ch 8ch 8ch var(--wire-columns,) minmax(60px, 2fr) minmax(0, 2fr)
      max-content;
    align-items: center;
    gap: 0 10px;
    min-height: ${rowHeight}px;
    white-space: nowrap;
    > .bar {
      height: 10px;
    }
    > .number {
      text-align: end;
    }
    > .request-events {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    &.is-chosen {
      background: var(--hover);
      outline: 1px solid var(--focus);
    }
    @media (max-width: 699px) {
      grid-template-columns: 4ch minmax(0, max-content) minmax(0, 1fr) minmax(0, max-content);
      > .wide,
      > .request-events:empty {
        display: none;
      }
      > .request-events {
        order: -1;
        grid-column: 1 / -1;
        contain: inline-size;
      }
    }
  }
`);
