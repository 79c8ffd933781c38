import { css, html, type PropertyValues, type TemplateResult } from 'lit';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import {
  type PointView,
  viewDiffId,
  type ViewDifferenceView,
} from '../../../src/protocol/inspector-views.ts';
import { kindNames, strategyName } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { CoalescedRequest, openRows } from '../../shared/host.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatTime } from '../../shared/numbers.ts';
import { kindSegments, stackedBar } from '../../shared/stacked-bar.ts';
import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { diffPlace } from '../compactions/diff-place.ts';
import type { Diff } from '../diff/diff.ts';
import { type Filter, isEditable } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { PointComparison } from '../state/timeline-state.ts';

const words = inspectorTexts.views;

interface ComparisonProps {
  readonly session: InspectorState;
  readonly comparison: PointComparison;
  readonly post: (request: InspectorRequest) => void;
  readonly menu: MessageMenu;
  /** Called with two points, each as the number of entries before it. */
  readonly onChoose: (one: number, other: number) => void;
  readonly onBack: () => void;
}

/** The context at two selected points, message by message. */
class ComparisonPanel extends Component<ComparisonProps> {
  static override styles = css`
    cb-point-comparison {
      label,
      select {
        max-width: 100%;
      }
      .views-size {
        display: grid;
        grid-template-columns: max-content minmax(80px, 1fr);
        align-items: center;
        gap: 2px 12px;
        margin: 6px 0;
        font-variant-numeric: tabular-nums;
        > .bar {
          height: 12px;
        }
      }
    }
  `;
  private readonly asking = new CoalescedRequest(() => this.props.post({ type: 'view-points' }));
  private open: readonly string[] = [];
  private readonly rows = openRows(
    () => this.open,
    (open) => (this.open = open),
  );
  private filter: Filter = {};

  protected override firstUpdated(): void {
    this.querySelector('h3')?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('props')) return;
    const { comparison, session, post } = this.props;
    const before = changed.get('props');
    const { span, points } = comparison;
    if (points !== before?.comparison.points) this.asking.answered();
    // There may be new points.
    if (session !== before?.session) this.asking.ask();
    if (span === undefined || span === before?.comparison.span) return;
    this.open = [];
    post({ type: 'view-difference', from: span.from, to: span.to });
  }

  protected override render(): TemplateResult {
    const { onBack, comparison } = this.props;
    const { sizes } = comparison;
    return html`<section
      class="views"
      aria-labelledby="views-title"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape') onBack();
        else this.querySelector<Diff>('cb-diff')?.handleKey(event);
      }}
    >
      <div class="timeline-row">
        <h3 id="views-title" tabindex="-1">${words.title}</h3>
        ${this.choice(words.from, 'from')}${this.choice(words.to, 'to')} ${linkButton(words.back, onBack)}
      </div>
      ${
        sizes === undefined
          ? html`<p class="dim" role="status">${inspectorTexts.diff.loading}</p>`
          : [sizesOf(sizes), this.diff(sizes)]
      }
    </section>`;
  }

  private choice(label: string, end: 'from' | 'to'): TemplateResult {
    const { comparison, onChoose } = this.props;
    const { span, points } = comparison;
    const choose = ({ currentTarget }: Event) => {
      const at = Number((currentTarget as HTMLSelectElement).value);
      onChoose(at, (end === 'from' ? span?.to : span?.from) ?? at);
    };
    return html`<label
      >${label}
      <select class="field" aria-label=${label} @change=${choose}>
        ${[...optionsOf(points)].map(
          ([at, name]) => html`<option value=${at} .selected=${at === span?.[end]}>${name}</option>`,
        )}
      </select></label
    >`;
  }

  private diff({ from, to, before, after }: ViewDifferenceView): TemplateResult {
    const { session, post, menu } = this.props;
    return diffPlace({
      ...{ post, menu, open: this.rows, filter: this.filter, onFilter: this.keepFilter },
      record: {
        id: viewDiffId({ from, to }),
        isUndone: false,
        tokensBefore: before.tokens,
        tokensAfter: after.tokens,
      },
      version: session,
      canChange: isEditable(session),
    });
  }

  private readonly keepFilter = (filter: Filter): void => {
    this.filter = filter;
  };
}

export const comparisonPanel = component('cb-point-comparison', ComparisonPanel);

/** Both contexts as bars, and the numbers of the kinds that differ. */
function sizesOf({ before, after }: ViewDifferenceView): TemplateResult {
  const scale = Math.max(before.tokens, after.tokens);
  const changes = kinds.flatMap((kind) => {
    const [one, other] = [before.byKind[kind], after.byKind[kind]];
    return one === other ? [] : [words.change({ kind: kindNames[kind], one, other })];
  });
  return html`<div class="views-size">
      ${[before, after].map(
        ({ tokens, messages, byKind }) =>
          html`<span>${words.size({ tokens, messages })}</span>
            ${stackedBar({ segments: kindSegments(byKind, tokens), scale })}`,
      )}
    </div>
    <p class="dim">${changes.join(' · ')}</p>`;
}

/** Options for the points. Points with no entry between them are one option. */
function optionsOf(points: readonly PointView[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const point of points) {
    const earlier = names.get(point.at);
    const name = nameOf(point);
    names.set(point.at, earlier === undefined ? name : words.same({ one: earlier, other: name }));
  }
  return names;
}

function nameOf(point: PointView): string {
  const { type, createdAt = '' } = point;
  const name =
    type === 'request'
      ? words.request({ number: point.number })
      : type === 'compaction'
        ? words.afterCompaction({ strategy: strategyName(point.strategy) })
        : words.after[type];
  const time = formatTime(createdAt);
  return time === '' ? name : words.withTime({ name, time });
}
