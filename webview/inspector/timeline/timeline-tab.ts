import type { CompactionForecast } from '../../../src/protocol/engine-terms.ts';
import type {
  DifferenceNotification,
  TimelineNotification,
} from '../../../src/protocol/inspector-timeline.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import type { DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { ViewsNotification } from '../../../src/protocol/inspector-views.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { createDisclosure } from '../../shared/controls.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { isBroken, type Range, TimelineData } from './timeline-data.ts';
import { CallTable, described, readout } from './call-table.ts';
import { Chart } from './chart.ts';
import { DifferencePanel } from './difference-panel.ts';
import { Legend } from './legend.ts';
import { isMade } from './mark-row.ts';
import { RangeActions } from './range-actions.ts';
import { type PointChoice, ViewsPanel } from './views-panel.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

/** The tab that shows the requests of a session over time, and the events between them. */
export class TimelineTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly data = new TimelineData();
  private readonly asking: CoalescedRequest;
  private readonly note = element(
    'p',
    { class: 'dim loading', role: 'status' },
    inspectorTexts.timeline.loading,
  );
  private readonly content: HTMLElement;
  private readonly caption = element('span', { class: 'dim' });
  private readonly whole: HTMLButtonElement;
  private readonly chart: Chart;
  private readonly legend = new Legend();
  private readonly trigger = element('p', { class: 'dim' });
  private readonly ends = element('p', { class: 'ends dim', 'aria-hidden': 'true' });
  private readonly readout = element('div', { class: 'readout', 'aria-hidden': 'true' });
  private readonly table = new CallTable((messageId) => this.showDifference(messageId));
  private readonly difference: DifferencePanel;
  private readonly why: HTMLButtonElement;
  private readonly compareViews: HTMLButtonElement;
  /** Index of the last inspected request. */
  private looked: number | undefined;
  private isTableOpen = false;
  private state: InspectorState | undefined;
  private zoom: Range | undefined;
  private readonly actions: RangeActions;
  private picked: Range | undefined;

  private readonly views: ViewsPanel;

  /** @param showRecord opens a compaction */
  constructor(
    { post, menu }: { readonly post: (request: InspectorRequest) => void; readonly menu: MessageMenu },
    showRecord: (recordId: string) => void,
  ) {
    const { data } = this;
    this.actions = new RangeActions(post, (from, to) => this.showViews(from, to));
    this.views = new ViewsPanel({ post, menu, onBack: () => this.leaveViews() });
    this.asking = new CoalescedRequest(() =>
      post({ type: 'timeline', generation: data.generation, from: data.calls.length }),
    );
    this.chart = new Chart({
      onLook: (index) => this.look(index),
      onZoom: (range) => this.show(range),
      onOpen: showRecord,
      onPick: (range) => {
        this.picked = range;
        this.renderActions();
      },
      describe: (index, marked) => described(data.calls, data.marks, index, marked),
    });
    this.whole = plainButton(
      { class: 'link', hidden: true },
      () => this.show(undefined),
      inspectorTexts.timeline.wholeSession,
    );
    this.difference = new DifferencePanel({
      ask: (messageId) => post({ type: 'request-difference', messageId }),
      replyTo: (request) => (request < 2 ? undefined : data.calls[request - 1]?.messageId),
      showRecord,
      onClose: () => this.why.focus(),
    });
    this.why = plainButton({ class: 'link' }, () => this.compare(), inspectorTexts.timeline.difference.open);
    this.compareViews = plainButton(
      { class: 'link' },
      () => this.showViews('first', 'now'),
      inspectorTexts.views.open,
    );
    const disclosure = createDisclosure({
      isOpen: false,
      class: 'table-opener',
      onToggle: (isOpen) => {
        this.isTableOpen = isOpen;
        if (isOpen) this.table.render(data.calls, data.marks);
      },
    });
    disclosure.button.append(icon('chevron'), ` ${inspectorTexts.timeline.table.show}`);
    disclosure.panel.append(this.table.element);
    this.content = element(
      'section',
      { class: 'timeline', hidden: true },
      element('h3', {}, inspectorTexts.timeline.title, ' ', this.caption, ' ', this.whole),
      this.trigger,
      this.legend.element,
      this.chart.element,
      this.ends,
      this.readout,
      this.actions.element,
      element('div', { class: 'timeline-questions' }, this.why, this.compareViews),
      this.difference.element,
      disclosure.button,
      disclosure.panel,
    );
    this.element = element('div', {}, this.note, this.views.element, this.content);
  }

  render(state: InspectorState): void {
    if (this.state?.sessionId !== state.sessionId) {
      this.data.clear();
      this.zoom = undefined;
      this.picked = undefined;
      this.content.hidden = true;
      setText(this.note, inspectorTexts.timeline.loading);
      this.asking.forget();
      this.difference.hide();
      this.views.hide();
      this.content.classList.remove('is-left');
      this.looked = undefined;
    }
    const last = this.state?.usage;
    const isMoved = last?.trigger !== state.usage.trigger || last?.background !== state.usage.background;
    this.state = state;
    if (isMoved && !this.content.hidden) this.draw();
    this.views.refresh(isEditable(state));
    this.asking.ask();
  }

  step(by: 1 | -1): void {
    this.views.step(by);
  }

  /** Compares the context at two points, in place of the chart. */
  showViews(from: PointChoice, to: PointChoice): void {
    this.content.classList.add('is-left');
    this.views.show(from, to);
  }

  receiveViews(notification: ViewsNotification): void {
    if (notification.sessionId !== this.state?.sessionId) return;
    if (notification.type === 'view-points') this.views.receivePoints(notification.points);
    else this.views.receive(notification.view);
  }

  receiveDiff(notification: DiffNotification): void {
    this.views.receiveDiff(notification);
  }

  private leaveViews(): void {
    this.views.hide();
    this.content.classList.remove('is-left');
    this.compareViews.focus();
  }

  /** Compares a request with the previous one. `messageId` is the reply to the request. */
  showDifference(messageId: string): void {
    this.difference.show(messageId);
  }

  receiveDifference({ sessionId, view }: DifferenceNotification): void {
    if (sessionId === this.state?.sessionId) this.difference.receive(view);
  }

  receive(notification: TimelineNotification): void {
    if (notification.sessionId !== this.state?.sessionId) return;
    const { data } = this;
    const isNew =
      data.generation !== notification.generation ||
      notification.calls.length > 0 ||
      notification.marks.length !== data.marks.length;
    data.add(notification);
    this.asking.answered();
    const isEmpty = data.calls.length === 0;
    setText(this.note, isEmpty ? inspectorTexts.timeline.none : '');
    this.content.hidden = isEmpty;
    this.why.hidden = data.calls.length < 2;
    if (isNew && !isEmpty) this.draw();
    this.renderActions();
  }

  private show(range: Range | undefined): void {
    this.zoom = range;
    this.draw();
  }

  private draw(): void {
    const { data, chart } = this;
    const { calls, marks } = data;
    const { trigger, background }: CompactionForecast = this.state?.usage ?? {};
    if (this.zoom !== undefined && this.zoom.to > calls.length) this.zoom = undefined;
    this.legend.render(calls);
    chart.render({ calls, marks, trigger, background }, this.zoom);
    this.whole.hidden = this.zoom === undefined;
    setText(this.caption, this.captionText());
    setText(
      this.trigger,
      trigger === undefined || !chart.isTriggerAbove
        ? ''
        : inspectorTexts.timeline.triggerAbove({ tokens: background ?? trigger }),
    );
    const { from, to } = this.zoom ?? { from: 0, to: calls.length };
    this.ends.replaceChildren(
      ...[from + 1, to].map((number) => element('span', {}, inspectorTexts.timeline.first({ number }))),
    );
    if (this.isTableOpen) this.table.render(calls, marks);
  }

  private captionText(): string {
    const { calls, marks } = this.data;
    const compactions = marks.filter(isMade).length;
    const overflows = marks.filter(({ type }) => type === 'overflow').length;
    const { zoom } = this;
    const perBar = this.chart.callsPerBar;
    return [
      inspectorTexts.timeline.requests({ count: calls.length }),
      ...(compactions === 0 ? [] : [inspectorTexts.timeline.compactions({ count: compactions })]),
      ...(overflows === 0 ? [] : [inspectorTexts.timeline.overflows({ count: overflows })]),
      ...(zoom === undefined ? [] : [inspectorTexts.timeline.range({ from: zoom.from + 1, to: zoom.to })]),
      ...(perBar === 1
        ? []
        : [
            perBar === 2
              ? inspectorTexts.timeline.bucketedTwo
              : inspectorTexts.timeline.bucketed({ count: perBar }),
          ]),
    ].join(' · ');
  }

  /** Compares the inspected request, or the newest one that does not begin with the previous request. */
  private compare(): void {
    const { calls } = this.data;
    const newest = calls.findLastIndex((_call, index) => isBroken(calls, index));
    const index = this.looked ?? (newest < 0 ? calls.length - 1 : newest);
    const call = calls[Math.min(calls.length - 1, Math.max(1, index))];
    if (call !== undefined) this.showDifference(call.messageId);
  }

  private renderActions(): void {
    const { calls, hidden } = this.data;
    const range = this.picked !== undefined && this.picked.to <= calls.length ? this.picked : undefined;
    this.actions.render({
      calls,
      hidden,
      range,
      canChange: this.state !== undefined && isEditable(this.state),
    });
  }

  private look(index: number | undefined): void {
    const { calls, marks } = this.data;
    this.looked = index ?? this.looked;
    this.readout.replaceChildren(...(index === undefined ? [] : readout(calls, marks, index)));
  }
}
