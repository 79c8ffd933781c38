import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { when } from 'lit/directives/when.js';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatCount } from '../../shared/numbers.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type Looking, timelineChart } from './chart.ts';
import { comparisonPanel } from './comparison-panel.ts';
import { differencePanel } from './difference-panel.ts';
import { requestActions } from './request-actions.ts';
import { requestList } from './request-list.ts';
import { eventsBefore, headline, isCompaction, kindsIn } from './request-words.ts';
import type { Range } from './timeline-layout.ts';
import {
  type Call,
  chooseSpan,
  openComparison,
  type PointChoice,
  timelineOf,
  type TimelineSlice,
} from '../state/timeline-state.ts';

const { timeline: words, views } = inspectorTexts;

/** Pages below this width have the list of requests instead of the chart. */
const narrow = window.matchMedia('(max-width: 399px)');

interface TimelineProps extends TabProps {
  readonly timeline: TimelineSlice;
}

/** The tab that shows the requests of a session over time, and the events between them. */
class TimelineTab extends Component<TimelineProps> {
  static override styles = css`
    cb-timeline {
      .timeline-row {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 14px;
        margin-bottom: 4px;
        > h3 {
          margin: 0;
          font-weight: inherit;
        }
      }
      .why::before {
        content: '▲ ' / '';
      }
      .compare {
        margin-inline-start: auto;
      }
      .legend {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 150px), 1fr));
        gap: 2px 14px;
        margin: 2px 0 6px;
        > li {
          display: flex;
          align-items: center;
          gap: 6px;
        }
        .report-look {
          height: 0;
          border: 0;
          border-top: 2px solid var(--fg);
        }
        .beyond-look {
          background: color-mix(in srgb, var(--fg) 16%, transparent);
        }
      }
      /* As high as a line, so that nothing moves while the user inspects requests. */
      .readout {
        min-height: 1.45em;
      }
      section {
        font-variant-numeric: tabular-nums;
      }
    }
  `;
  private looking: Looking = {};
  private isListOpen = false;
  private readonly asking = new CoalescedRequest(() => {
    const { generation, calls } = this.timeline;
    this.props.page.post({ type: 'timeline', generation, from: calls.length });
  });

  constructor() {
    super();
    narrow.addEventListener('change', () => this.requestUpdate());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('props')) return;
    const { session, timeline } = this.props;
    const before = changed.get('props');
    if (before?.session.sessionId !== session.sessionId) {
      this.asking.forget();
      this.looking = {};
    }
    if (timeline.marks !== before?.timeline.marks) {
      // A new generation may have fewer requests.
      const { zoom, selected } = this.looking;
      if (((zoom ?? selected)?.to ?? 0) > timeline.calls.length) this.looking = {};
      this.asking.answered();
    }
    if (before?.session !== session) this.asking.ask();
  }

  protected override render(): TemplateResult {
    const { session, page } = this.props;
    const { calls, marks, generation, comparison, difference } = this.timeline;
    const { post, menu, showRecord } = page;
    if (comparison !== undefined)
      return comparisonPanel({ session, comparison, post, menu, onChoose: this.choose, onBack: this.back });
    if (calls.length === 0)
      return html`<p class="dim" role="status">
        ${generation === 0 ? words.loading : eventsBefore(marks, 0) || words.none}
      </p>`;
    const { looking, look, timeline, compare } = this;
    const { place, selected } = looking;
    const { usage } = session;
    const isWide = !narrow.matches;
    const isListShown = !isWide || this.isListOpen;
    const chart = { calls, marks, usage, name: nameOf(timeline), onLook: look, onOpen: showRecord };
    const zoom = (range: Range) => look({ zoom: range, selected: undefined });
    return html`<section class="timeline">
      ${this.head()} ${when(isWide, () => timelineChart({ ...chart, ...looking }))}
      <p class="readout" aria-hidden="true">${headline(calls, marks, place ?? calls.length)}</p>
      ${legend(calls, calls[place ?? -1], usage.fullness !== undefined)}
      ${when(selected, (range) => requestActions({ timeline, range, session, post, compare, zoom }))}
      ${when(difference, ({ view }) => differencePanel({ view, onRecord: showRecord, ...this.stepping }))}
      ${when(
        isWide,
        () =>
          html`<button
            type="button"
            class="disclosure"
            aria-expanded=${this.isListOpen}
            @click=${this.toggleList}
          >
            ${iconTemplate('chevron')} ${words.list.show}
          </button>`,
      )}
      ${guard([calls, marks, selected, isListShown], () =>
        when(isListShown, () => requestList({ calls, marks, selected, onLook: look, onWhy: this.explain })),
      )}
    </section>`;
  }

  private get timeline(): TimelineSlice {
    return timelineOf(this.props.timeline, this.props.session.sessionId);
  }

  private head(): TemplateResult {
    const { timeline, looking } = this;
    const { zoom, place } = looking;
    const { calls } = timeline;
    const missed = calls.flatMap(({ isMissed }, index) => (isMissed ? [index] : []));
    // The inspected request is explained, or the newest miss.
    const why = calls[Math.max(1, Math.min(calls.length - 1, place ?? missed.at(-1) ?? 0))];
    const title = words.difference.open;
    return html`<div class="timeline-row">
      <h3>${captionOf(timeline)}</h3>
      ${when(missed.length > 0 && why, ({ messageId }) =>
        linkButton(words.misses({ count: missed.length }), () => this.explain(messageId), {
          class: 'why',
          title,
        }),
      )}
      ${when(
        zoom,
        ({ from, to }) =>
          html`<span class="dim">${words.range({ from: from + 1, to })}</span>
            ${linkButton(words.wholeSession, () => this.look({ zoom: undefined }))}`,
      )}
      ${linkButton(views.open, () => this.compare('first', 'now'), { class: 'compare', title: views.title })}
    </div>`;
  }

  private readonly look = (change: Looking): void => {
    this.looking = { ...this.looking, ...change };
    this.requestUpdate();
  };

  private readonly toggleList = (): void => {
    this.isListOpen = !this.isListOpen;
    this.requestUpdate();
  };

  private readonly explain = (messageId: string): void => this.props.page.showDifference(messageId);

  private readonly stepping = {
    replyTo: (request: number) => (request < 2 ? undefined : this.timeline.calls[request - 1]?.messageId),
    onStep: this.explain,
    onClose: () => {
      this.change({ ...this.timeline, difference: undefined });
      this.querySelector<HTMLElement>('.why, .compare')?.focus();
    },
  };

  private readonly compare = (from: PointChoice, to: PointChoice): void =>
    this.change(openComparison(this.timeline, this.props.session.sessionId, from, to));

  private readonly choose = (one: number, other: number): void =>
    this.change(chooseSpan(this.timeline, one, other));

  private readonly back = (): void => {
    this.change({ ...this.timeline, comparison: undefined });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.compare')?.focus());
  };

  private change(timeline: TimelineSlice): void {
    this.props.page.store.update({ timeline });
  }
}

export const timelineTab = component('cb-timeline', TimelineTab);

function captionOf({ calls, marks }: TimelineSlice): string {
  const compactions = marks.filter(isCompaction).length;
  const overflows = marks.filter(({ type }) => type === 'overflow').length;
  const failures =
    calls.filter(({ wire }) => wire?.failure !== undefined).length +
    marks.reduce((sum, mark) => sum + (mark.type === 'failure' ? mark.count : 0), 0);
  return listed([
    words.requests({ count: calls.length }),
    ...(compactions === 0 ? [] : [words.compactions({ count: compactions })]),
    ...(overflows === 0 ? [] : [words.overflows({ count: overflows })]),
    ...(failures === 0 ? [] : [words.failures({ count: failures })]),
  ]);
}

function nameOf(timeline: TimelineSlice): string {
  const { calls } = timeline;
  const sizes = calls.map(({ tokens }) => tokens);
  const tokens = sizes.reduce((most, size) => Math.max(most, size), 0);
  return words.picture({ caption: captionOf(timeline), tokens, number: sizes.indexOf(tokens) + 1 });
}

/** The kinds with their colours, and with the tokens of the inspected request. */
function legend(calls: readonly Call[], call: Call | undefined, isPartial: boolean): TemplateResult {
  const item = (look: string, name: string, tokens: number | undefined) =>
    html`<li>
      <i class="swatch ${look}"></i>${name}
      ${call === undefined ? nothing : html`<span class="dim">${formatCount(tokens ?? 0)}</span>`}
    </li>`;
  const hasReports = calls.some(({ reported }) => reported !== undefined);
  // A smaller area is not visible.
  const hasMore = isPartial && calls.some(({ reported = 0, tokens }) => reported > tokens * 1.01);
  const { reported, tokens = 0 } = call ?? {};
  return html`<ul class="legend" aria-label=${words.legend}>
    ${kindsIn(calls).map(({ kind, position }) =>
      item(`kind kind-${kind}`, kindNames[kind], call?.byKind[position]),
    )}
    ${hasMore ? item('beyond-look', words.beyond, Math.max(0, (reported ?? 0) - tokens)) : nothing}
    ${hasReports ? item('report-look', words.reportedLine, reported) : nothing}
  </ul>`;
}
