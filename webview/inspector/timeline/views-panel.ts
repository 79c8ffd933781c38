import type { DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import {
  type PointSpan,
  type PointView,
  viewDiffId,
  type ViewDifferenceView,
} from '../../../src/protocol/inspector-views.ts';
import { strategyName } from '../../shared/compaction-words.ts';
import { element, freshId, plainButton } from '../../shared/dom.ts';
import { CoalescedRequest, openRows } from '../../shared/host.ts';
import { formatChange, formatTime } from '../../shared/numbers.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { fact, kindTable } from '../compactions/record-facts.ts';
import { DiffView } from '../diff/diff-view.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.views;

/** A point that the user selected. */
export type PointChoice = { readonly request: number } | { readonly recordId: string } | 'first' | 'now';

interface ViewsPanelOptions {
  readonly post: (request: InspectorRequest) => void;
  readonly menu: MessageMenu;
  /** Closes the panel. */
  readonly onBack: () => void;
}

/** The context at two selected points, message by message. */
export class ViewsPanel {
  readonly element: HTMLElement;
  private readonly options: ViewsPanelOptions;
  private readonly heading: HTMLElement;
  private readonly from: HTMLSelectElement;
  private readonly to: HTMLSelectElement;
  private readonly facts = element('div', { class: 'facts' });
  private readonly place = element('div');
  private readonly asking: CoalescedRequest;
  private offered = '';
  /** Number of transcript entries when the points arrived. */
  private now: number | undefined;
  /** Points to compare when the list of points arrives. */
  private wanted: readonly [PointChoice, PointChoice] | undefined;
  private span: PointSpan | undefined;
  private canChange = false;
  private diff: DiffView | undefined;
  private open: readonly string[] = [];
  private filter: Filter = {};

  constructor(options: ViewsPanelOptions) {
    const id = freshId();
    this.options = options;
    this.heading = element('h3', { id, tabindex: -1 }, words.title);
    this.asking = new CoalescedRequest(() => options.post({ type: 'view-points' }));
    [this.from, this.to] = [words.from, words.to].map((name) => {
      const select = element('select', { class: 'field', 'aria-label': name });
      select.addEventListener('change', () =>
        this.change({ from: Number(this.from.value), to: Number(this.to.value) }),
      );
      return select;
    }) as [HTMLSelectElement, HTMLSelectElement];
    this.element = element(
      'section',
      { class: 'views', 'aria-labelledby': id, hidden: true },
      plainButton({ class: 'link' }, options.onBack, words.back),
      this.heading,
      element(
        'p',
        { class: 'views-points' },
        element('span', {}, words.from, ' ', this.from),
        element('span', {}, words.to, ' ', this.to),
      ),
      this.facts,
      this.place,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') options.onBack();
      else this.diff?.handleKey(event);
    });
  }

  /** Compares the context at two points. The host sends the possible points. */
  show(from: PointChoice, to: PointChoice): void {
    this.wanted = [from, to];
    this.element.hidden = false;
    this.heading.focus();
    this.asking.ask();
  }

  hide(): void {
    this.element.hidden = true;
    this.span = undefined;
    this.wanted = undefined;
    this.asking.forget();
    this.clear();
  }

  /** Updates the panel after the session has changed: there may be new points and restored messages. */
  refresh(canChange: boolean): void {
    this.canChange = canChange;
    if (this.element.hidden) return;
    this.asking.ask();
    this.diff?.request();
  }

  receivePoints(points: readonly PointView[]): void {
    this.asking.answered();
    const { wanted, span } = this;
    const [before, now] = [this.now, points.at(-1)?.at ?? 0];
    this.now = now;
    this.offer(optionsOf(points));
    this.wanted = undefined;
    if (wanted !== undefined) {
      const [from, to] = wanted.map((choice) => placeOf(choice, points));
      this.change({ from: from ?? 0, to: to ?? 0 });
      // If the current state is compared, the comparison follows it.
    } else if (span !== undefined && span.to === before && before !== now) this.compare({ ...span, to: now });
  }

  receive(view: ViewDifferenceView): void {
    const { from, to, before, after } = view;
    if (this.element.hidden || this.span?.from !== from || this.span.to !== to) return;
    this.facts.replaceChildren(
      fact(
        inspectorTexts.fromTo({ before: before.tokens, after: after.tokens }),
        before.tokens === 0
          ? words.tokens
          : inspectorTexts.facts.tokens({ change: formatChange(before.tokens, after.tokens) }),
        ' · ',
        ...kindTable({
          byKindBefore: before.byKind,
          byKindAfter: after.byKind,
          tokensBefore: before.tokens,
          tokensAfter: after.tokens,
        }),
      ),
      fact(inspectorTexts.fromTo({ before: before.messages, after: after.messages }), words.messages),
    );
    this.diff = this.diffOf(view);
    this.place.replaceChildren(this.diff.element);
    this.diff.request();
  }

  receiveDiff(notification: DiffNotification): void {
    if (notification.recordId === this.diff?.recordId) this.diff.receive(notification);
  }

  /** Moves to the next change or to the previous one. */
  step(by: 1 | -1): void {
    this.diff?.step(by);
  }

  private change(span: PointSpan): void {
    this.clear();
    this.compare(span);
  }

  private compare({ from, to }: PointSpan): void {
    const span = { from: Math.min(from, to), to: Math.max(from, to) };
    this.span = span;
    this.from.value = String(span.from);
    this.to.value = String(span.to);
    this.options.post({ type: 'view-difference', ...span });
  }

  private offer(names: ReadonlyMap<string, string>): void {
    const offered = JSON.stringify([...names]);
    if (offered === this.offered) return;
    this.offered = offered;
    for (const select of [this.from, this.to]) {
      const chosen = select.value;
      select.replaceChildren(...[...names].map(([value, name]) => element('option', { value }, name)));
      select.value = chosen;
    }
  }

  private clear(): void {
    this.diff = undefined;
    this.open = [];
    this.facts.replaceChildren();
    this.place.replaceChildren(element('p', { class: 'dim', role: 'status' }, inspectorTexts.diff.loading));
  }

  private diffOf({ from, to, before, after }: ViewDifferenceView): DiffView {
    return new DiffView(
      {
        id: viewDiffId({ from, to }),
        isUndone: false,
        tokensBefore: before.tokens,
        tokensAfter: after.tokens,
      },
      {
        post: this.options.post,
        open: openRows(
          () => this.open,
          (rows) => (this.open = rows),
        ),
        canRestore: this.canChange,
        canPin: this.canChange,
        menu: this.options.menu,
        filter: this.filter,
        onFilter: (filter) => (this.filter = filter),
      },
    );
  }
}

/** The number of entries before a chosen point; if the point does not exist, before the last point. */
function placeOf(choice: PointChoice, points: readonly PointView[]): number | undefined {
  if (choice === 'first') return points[0]?.at;
  const found =
    choice === 'now'
      ? undefined
      : points.find((point) =>
          'request' in choice
            ? point.type === 'request' && point.number === choice.request
            : point.type === 'compaction' && point.recordId === choice.recordId,
        );
  return (found ?? points.at(-1))?.at;
}

/** Options for the points. Points with no entry between them are one option. */
function optionsOf(points: readonly PointView[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const point of points) {
    const value = String(point.at);
    const earlier = names.get(value);
    names.set(
      value,
      earlier === undefined ? nameOf(point) : words.same({ one: earlier, other: nameOf(point) }),
    );
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
