import { inCountedTokens, type Outlook } from '../../../src/protocol/engine-terms.ts';
import type { TimelineNotification } from '../../../src/protocol/inspector-timeline.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { createDisclosure } from '../../shared/controls.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { type Range, TimelineData } from './timeline-data.ts';
import { CallTable, described, readout } from './call-table.ts';
import { Chart } from './chart.ts';
import { strings } from '../text/inspector-strings.ts';

/** The sizes at which automatic compaction starts, in tokens as the chart counts them. */
function startsOf({ usage }: InspectorState): Pick<Outlook, 'trigger' | 'background'> {
  const { trigger, background } = inCountedTokens<Outlook>(usage);
  return { trigger, background };
}

/** The requests of a session over its time, with what happened between them. */
export class TimelineTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly data = new TimelineData();
  private readonly asking: CoalescedRequest;
  private readonly note = element('p', { class: 'dim loading', role: 'status' }, strings.timeline.loading);
  private readonly content: HTMLElement;
  private readonly caption = element('span', { class: 'dim' });
  private readonly whole: HTMLButtonElement;
  private readonly chart: Chart;
  private readonly trigger = element('p', { class: 'dim' });
  private readonly ends = element('p', { class: 'ends dim', 'aria-hidden': 'true' });
  private readonly readout = element('div', { class: 'readout', 'aria-hidden': 'true' });
  private readonly table = new CallTable();
  private isTableOpen = false;
  private state: InspectorState | undefined;
  private zoom: Range | undefined;

  /** @param showRecord leads to a compaction */
  constructor(post: (request: InspectorRequest) => void, showRecord: (recordId: string) => void) {
    const { data } = this;
    this.asking = new CoalescedRequest(() =>
      post({ type: 'timeline', generation: data.generation, from: data.calls.length }),
    );
    this.chart = new Chart({
      onLook: (index) => this.look(index),
      onZoom: (range) => this.show(range),
      onOpen: showRecord,
      describe: (index, marked) => described(data.calls, data.marks, index, marked),
    });
    this.whole = plainButton(
      { class: 'link', hidden: true },
      () => this.show(undefined),
      strings.timeline.wholeSession,
    );
    const disclosure = createDisclosure({
      isOpen: false,
      class: 'table-opener',
      onToggle: (isOpen) => {
        this.isTableOpen = isOpen;
        if (isOpen) this.table.render(data.calls, data.marks);
      },
    });
    disclosure.button.append(icon('chevron'), ` ${strings.timeline.table.show}`);
    disclosure.panel.append(this.table.element);
    this.content = element(
      'section',
      { class: 'timeline', hidden: true },
      element('h3', {}, strings.timeline.title, ' ', this.caption, ' ', this.whole),
      this.trigger,
      this.chart.element,
      this.ends,
      this.readout,
      disclosure.button,
      disclosure.panel,
    );
    this.element = element('div', {}, this.note, this.content);
  }

  render(state: InspectorState): void {
    if (this.state?.sessionId !== state.sessionId) {
      this.data.clear();
      this.zoom = undefined;
      this.content.hidden = true;
      setText(this.note, strings.timeline.loading);
      this.asking.forget();
    }
    const isMoved =
      this.state === undefined || JSON.stringify(startsOf(this.state)) !== JSON.stringify(startsOf(state));
    this.state = state;
    if (isMoved && !this.content.hidden) this.draw();
    this.asking.ask();
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
    setText(this.note, isEmpty ? strings.timeline.none : '');
    this.content.hidden = isEmpty;
    if (isNew && !isEmpty) this.draw();
  }

  private show(range: Range | undefined): void {
    this.zoom = range;
    this.draw();
  }

  private draw(): void {
    const { data, chart } = this;
    const { calls, marks } = data;
    const { trigger, background } = this.state === undefined ? {} : startsOf(this.state);
    if (this.zoom !== undefined && this.zoom.to > calls.length) this.zoom = undefined;
    chart.render({ calls, marks, trigger, background }, this.zoom);
    this.whole.hidden = this.zoom === undefined;
    setText(this.caption, this.captionText());
    setText(
      this.trigger,
      trigger === undefined || !chart.isTriggerAbove
        ? ''
        : strings.timeline.triggerAbove(formatCount(background ?? trigger)),
    );
    const { from, to } = this.zoom ?? { from: 0, to: calls.length };
    this.ends.replaceChildren(
      ...[from + 1, to].map((number) => element('span', {}, strings.timeline.first(formatCount(number)))),
    );
    if (this.isTableOpen) this.table.render(calls, marks);
  }

  private captionText(): string {
    const { calls, marks } = this.data;
    const count = (type: string) => marks.filter((mark) => mark.type === type).length;
    const [compactions, overflows] = [count('compaction'), count('overflow')];
    const { zoom } = this;
    const perBar = this.chart.callsPerBar;
    return [
      strings.timeline.requests(calls.length, formatCount(calls.length)),
      ...(compactions === 0 ? [] : [strings.timeline.compactions(compactions, formatCount(compactions))]),
      ...(overflows === 0 ? [] : [strings.timeline.overflows(overflows, formatCount(overflows))]),
      ...(zoom === undefined
        ? []
        : [strings.timeline.range(formatCount(zoom.from + 1), formatCount(zoom.to))]),
      ...(perBar === 1 ? [] : [strings.timeline.bucketed(perBar, formatCount(perBar))]),
    ].join(' · ');
  }

  private look(index: number | undefined): void {
    const { calls, marks } = this.data;
    this.readout.replaceChildren(...(index === undefined ? [] : readout(calls, marks, index)));
  }
}
