import type {
  InspectorNotification,
  InspectorRequest,
  InspectorState,
  RecordView,
} from '../../src/extension/protocol/inspector.ts';
import { element, setText } from '../dom.ts';
import type { Host } from '../host.ts';
import { formatCount } from '../numbers.ts';
import { openRows, Remembered } from '../remembered.ts';
import { controlButton } from '../toolkit.ts';
import { DiffView } from './diff/diff-view.ts';
import { Header } from './header.ts';
import { RecordList } from './record-list.ts';
import { recordSummary } from './record-summary.ts';
import { strings } from './strings.ts';
import { Usage } from './usage.ts';
import { type InspectorViewState, parseViewState } from './view-state.ts';

/** Time on a record after which its diff is asked for, in milliseconds: keys may run through many. */
const selectionPause = 120;

/** The inspector: where the tokens are, and what every compaction did. */
export class Inspector {
  private readonly host: Host<InspectorRequest, InspectorNotification>;
  private readonly post: (request: InspectorRequest) => void;
  private readonly remembered: Remembered<InspectorViewState>;
  private readonly header: Header;
  private readonly usage = new Usage();
  private readonly records: RecordList;
  private readonly summary = element('div', { class: 'summary' });
  private readonly detail: HTMLElement;
  private readonly columns: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly emptyText = element('p', { class: 'dim' });
  private state: InspectorState | undefined;
  private diff: DiffView | undefined;
  private shownRecord: string | undefined;
  private requestTimer: number | undefined;
  /** A restored message shows in the diff only after the host has sent it again. */
  private isDiffStale = false;

  constructor(host: Host<InspectorRequest, InspectorNotification>) {
    this.host = host;
    this.remembered = new Remembered(host, parseViewState(host.getState()));
    this.post = (request) => {
      if (request.type === 'restore') this.isDiffStale = true;
      host.post(request);
    };
    this.header = new Header(this.post);
    this.records = new RecordList((recordId) => this.select(recordId, selectionPause));
    this.detail = element('div', { class: 'detail' }, this.summary);
    this.columns = element('div', { class: 'columns-page' }, this.records.element, this.detail);
    this.empty = element(
      'div',
      { class: 'empty' },
      element('h3', {}, strings.empty.title),
      this.emptyText,
      controlButton(
        { appearance: 'primary', onClick: () => this.post({ type: 'compact-now' }) },
        strings.compactNow,
      ),
    );
    // An empty shell would flash up before the first snapshot.
    document.body.hidden = true;
    document.body.append(
      element(
        'main',
        {},
        this.header.element,
        this.usage.element,
        element('section', {}, element('h2', {}, strings.compactions), this.empty, this.columns),
      ),
    );
  }

  /** Asks the host for the state. */
  start(): void {
    this.host.onNotification((notification) => this.receive(notification));
    const { sessionId } = this.remembered.current;
    this.post(sessionId === undefined ? { type: 'ready' } : { type: 'ready', sessionId });
  }

  private receive(notification: InspectorNotification): void {
    switch (notification.type) {
      case 'snapshot':
        this.state = notification.state;
        this.render(notification.state);
        break;
      case 'diff':
        if (this.diff?.recordId === notification.recordId) this.diff.show(notification.rows);
        break;
      case 'sources':
      case 'texts':
        this.diff?.receive(notification);
        break;
      case 'select':
        this.select(notification.recordId, 0);
    }
  }

  private select(recordId: string, pause: number): void {
    if (recordId !== this.remembered.current.recordId) this.remembered.update({ recordId, open: [] });
    if (this.state !== undefined) this.renderRecords(this.state, pause);
  }

  private render(state: InspectorState): void {
    const { sessionId, records, usage } = state;
    if (this.remembered.current.sessionId !== sessionId) {
      // A record that was asked for while the page was opening belongs to the session that comes now.
      const { recordId } = this.remembered.current;
      const isKnown = records.some(({ id }) => id === recordId);
      this.remembered.update({ sessionId, ...(isKnown ? {} : { recordId: undefined, open: [] }) });
    }
    document.body.hidden = false;
    this.header.render(state);
    this.usage.render(usage);
    this.empty.hidden = records.length > 0;
    this.columns.hidden = records.length === 0;
    setText(
      this.emptyText,
      usage.trigger === undefined
        ? strings.empty.byHand
        : strings.empty.automatic(formatCount(usage.trigger)),
    );
    this.renderRecords(state, 0);
    if (this.isDiffStale) {
      this.isDiffStale = false;
      this.diff?.request();
    }
  }

  private renderRecords({ records }: InspectorState, pause: number): void {
    const selected = records.find(({ id }) => id === this.remembered.current.recordId) ?? records[0];
    this.records.render(records, selected?.id);
    if (selected === undefined) return;
    // The next compaction must not take the place of the one that is being read.
    const { id: recordId } = selected;
    if (recordId !== this.remembered.current.recordId) this.remembered.update({ recordId });
    this.renderDetail(selected, pause);
  }

  private renderDetail(record: RecordView, pause: number): void {
    const shown = JSON.stringify(record);
    if (shown === this.shownRecord) return;
    this.shownRecord = shown;
    this.summary.replaceChildren(...recordSummary(record, this.post));
    if (this.diff?.isFor(record) === true) return;
    this.diff?.element.remove();
    this.diff = undefined;
    window.clearTimeout(this.requestTimer);
    if (record.status !== 'applied') return;
    const diff = this.createDiff(record);
    this.diff = diff;
    this.detail.append(diff.element);
    if (pause === 0) diff.request();
    else this.requestTimer = window.setTimeout(() => diff.request(), pause);
  }

  private createDiff(record: RecordView): DiffView {
    const open = openRows(
      () => this.remembered.current.open,
      (rows) => this.remembered.update({ open: rows }),
    );
    return new DiffView(record, {
      post: this.post,
      open,
      filter: this.remembered.current.filter,
      onFilter: (filter) => this.remembered.update({ filter }),
    });
  }
}
