import type { CoverageNotification, DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import { previewRecordId } from '../../../src/protocol/inspector-preview.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { outlookSentences } from '../../shared/compaction-words.ts';
import type { OpenRows, Remembered } from '../../shared/host.ts';
import { controlButton } from '../../shared/controls.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { DiffView } from '../diff/diff-view.ts';
import { PreviewPanel } from './preview-panel.ts';
import { RecordList } from './record-list.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { type InspectorViewState, isEditable } from '../page/inspector-view-state.ts';
import { RecordSummary } from './record-summary.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

/** Milliseconds to wait on a record before its diff is requested, because arrow keys may pass many records. */
const selectionPause = 120;

interface CompactionsTabPorts {
  readonly post: (request: InspectorRequest) => void;
  readonly menu: MessageMenu;
  readonly marks: SentenceMenu;
  /** Compares the context after a compaction with the context at another point. */
  readonly onCompare: (recordId: string) => void;
  /** Tries other strategies on the context before another agent's compaction. */
  readonly onReplay: (recordId: string) => void;
}

/** The compactions of a session, and the effect of the selected one. */
export class CompactionsTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly post: (request: InspectorRequest) => void;
  private readonly menu: MessageMenu;
  private readonly onReplay: (recordId: string) => void;
  private readonly remembered: Remembered<InspectorViewState>;
  private readonly open: OpenRows;
  private readonly records: RecordList;
  private readonly summary: RecordSummary;
  private readonly detail: HTMLElement;
  private readonly columns: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly emptyText = element('p', { class: 'dim' });
  private readonly compact: HTMLElement;
  private readonly preview: PreviewPanel;
  /** Link to a preview that the user has left. */
  private readonly waiting: HTMLElement;
  private state: InspectorState | undefined;
  private diff: DiffView | undefined;
  private shownRecord: string | undefined;
  private requestTimer: number | undefined;
  /** The records in the last state, and whether each was undone. */
  private others: string | undefined;
  /** Number of coming states after which the diff is requested again. */
  private staleStates = 0;

  constructor(
    { post, menu, marks, onCompare, onReplay }: CompactionsTabPorts,
    remembered: Remembered<InspectorViewState>,
    open: OpenRows,
  ) {
    this.post = (request) => {
      // Pinned or restored messages appear in the diff only when the host sends it again.
      if (request.type === 'bring-back') this.staleStates = 1;
      // Pinning may also restore the message, and the host may report this separately.
      if (request.type === 'pin') this.staleStates = 2;
      post(request);
    };
    this.menu = menu;
    this.onReplay = onReplay;
    this.summary = new RecordSummary(this.post, onCompare);
    this.remembered = remembered;
    this.open = open;
    this.records = new RecordList((recordId) => this.select(recordId, selectionPause));
    this.detail = element('div', { class: 'detail' }, this.summary.element);
    this.columns = element('div', { class: 'columns-page' }, this.records.element, this.detail);
    this.compact = element(
      'div',
      { class: 'empty-actions' },
      controlButton(
        { appearance: 'primary', onClick: () => post({ type: 'compact' }) },
        inspectorTexts.compactNow,
      ),
      plainButton({ class: 'link' }, () => post({ type: 'preview' }), inspectorTexts.compactWithPreview),
    );
    this.preview = new PreviewPanel(this.post, () => this.leavePreview(), marks);
    this.waiting = element(
      'p',
      { class: 'notes' },
      `${inspectorTexts.preview.waiting} `,
      plainButton({ class: 'link' }, () => this.select(previewRecordId), inspectorTexts.preview.show),
    );
    this.empty = element(
      'div',
      { class: 'empty' },
      element('h3', {}, inspectorTexts.empty.title),
      this.emptyText,
      this.compact,
    );
    this.element = element(
      'section',
      {},
      element('h2', { class: 'spoken' }, inspectorTexts.compactions),
      this.waiting,
      this.preview.element,
      this.empty,
      this.columns,
    );
    this.element.addEventListener('keydown', (event) => {
      if (this.isPreviewing) this.preview.handleKey(event);
      else this.diff?.handleKey(event);
    });
  }

  step(by: 1 | -1): void {
    this.diff?.step(by);
  }

  /** Requests the diff again with the next states, because restored messages may arrive one at a time. */
  expectRestored(messages = 1): void {
    this.staleStates = messages;
  }

  /** @param pause milliseconds to wait before the diff is requested */
  select(recordId: string, pause = 0): void {
    if (recordId !== this.remembered.current.recordId) this.remembered.update({ recordId, open: [] });
    if (this.state !== undefined) this.renderChosen(this.state, pause);
  }

  receiveDiff(notification: DiffNotification): void {
    this.preview.receiveDiff(notification);
    if (this.diff?.recordId === notification.recordId) this.diff.receive(notification);
  }

  receiveCoverage(notification: CoverageNotification): void {
    this.preview.receiveCoverage(notification);
    this.summary.receive(notification);
  }

  render(state: InspectorState): void {
    const { sessionId, usage } = state;
    if (this.state?.sessionId !== sessionId) {
      // The records of another session can have the same ids.
      this.shownRecord = undefined;
      this.others = undefined;
      this.removeDiff();
    }
    this.state = state;
    setText(this.emptyText, emptyTextOf(state));
    // Compacting is impossible before the first message.
    this.compact.hidden = !this.canChange || usage.byKind.user === 0;
    this.renderChosen(state, 0);
    // Hiding messages is a compaction, but showing them again is not.
    const others = JSON.stringify(state.records.map(({ id, isUndone }) => [id, isUndone]));
    const isStale = this.staleStates > 0 || (this.others !== undefined && this.others !== others);
    this.others = others;
    if (!isStale) return;
    this.staleStates = Math.max(0, this.staleStates - 1);
    this.diff?.request();
  }

  private get isPreviewing(): boolean {
    return this.state?.preview !== undefined && this.remembered.current.recordId === previewRecordId;
  }

  /** Shows the preview if it is selected, otherwise the selected compaction. */
  private renderChosen(state: InspectorState, pause: number): void {
    const { preview, records } = state;
    const { isPreviewing } = this;
    this.waiting.hidden = preview === undefined || isPreviewing;
    this.preview.element.hidden = !isPreviewing;
    this.empty.hidden = isPreviewing || records.length > 0;
    this.columns.hidden = isPreviewing || records.length === 0;
    if (isPreviewing && preview !== undefined) this.preview.render(preview);
    else this.renderRecords(state, pause);
  }

  private leavePreview(): void {
    this.remembered.update({ recordId: undefined });
    if (this.state !== undefined) this.renderChosen(this.state, 0);
  }

  private renderRecords({ records }: InspectorState, pause: number): void {
    const selected = records.find(({ id }) => id === this.remembered.current.recordId) ?? records[0];
    this.records.render(records, selected?.id);
    if (selected === undefined) return;
    // The next compaction must not replace the one that the user is reading.
    const { id: recordId } = selected;
    if (recordId !== this.remembered.current.recordId) this.remembered.update({ recordId });
    this.renderDetail(selected, pause);
  }

  private renderDetail(record: RecordView, pause: number): void {
    const shown = JSON.stringify(record);
    if (shown === this.shownRecord) return;
    this.shownRecord = shown;
    const replay = controlButton(
      { appearance: 'secondary', onClick: () => this.onReplay(record.id) },
      inspectorTexts.compactionsTab.replay,
    );
    this.summary.render(record, this.canChange, this.canChange ? [] : [replay]);
    if (this.diff?.isFor(record) === true) return;
    this.removeDiff();
    if (record.status !== 'applied') return;
    const diff = this.createDiff(record);
    this.diff = diff;
    this.detail.append(diff.element);
    if (pause === 0) diff.request();
    else this.requestTimer = window.setTimeout(() => diff.request(), pause);
  }

  private removeDiff(): void {
    this.diff?.element.remove();
    this.diff = undefined;
    window.clearTimeout(this.requestTimer);
  }

  private get canChange(): boolean {
    return this.state !== undefined && isEditable(this.state);
  }

  private createDiff(record: RecordView): DiffView {
    return new DiffView(record, {
      post: this.post,
      open: this.open,
      canRestore: this.canChange,
      canPin: this.canChange,
      menu: this.menu,
      filter: this.remembered.current.filter,
      onFilter: (filter) => this.remembered.update({ filter }),
    });
  }
}

function emptyTextOf(state: InspectorState): string {
  if (!isEditable(state)) return inspectorTexts.empty.lookedAt;
  const starts = outlookSentences(state.usage);
  return [...starts, starts.length === 0 ? inspectorTexts.empty.byHand : inspectorTexts.empty.listed].join(
    inspectorTexts.betweenSentences,
  );
}
