import type { CoverageNotification, DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { PreviewMessage, PreviewView } from '../../../src/protocol/inspector-preview.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { type Control, controlButton, progressRing } from '../../shared/controls.ts';
import { element, freshId, plainButton, setText } from '../../shared/dom.ts';
import { openRows } from '../../shared/host.ts';
import { icon } from '../../shared/icons.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import { RecordSummary } from './record-summary.ts';
import { DiffView } from '../diff/diff-view.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { SummaryEditor } from './summary-editor.ts';

const words = inspectorTexts.preview;

/** A compaction before it is applied: its summary in an editor, its numbers and its diff. */
export class PreviewPanel {
  readonly element: HTMLElement;
  private readonly post: (request: InspectorRequest) => void;
  private readonly title = element('h3');
  private readonly note = element('p', { class: 'dim' }, words.note);
  private readonly progress: HTMLElement;
  private readonly activity = element('span');
  private readonly stop: HTMLButtonElement;
  private readonly problem = element('span');
  private readonly problemLine: HTMLElement;
  private readonly staleLine: HTMLElement;
  private readonly apply: Control;
  private readonly others: readonly Control[];
  private readonly editor: SummaryEditor;
  private readonly summary: RecordSummary;
  private readonly diffPlace = element('div');
  private diff: DiffView | undefined;
  private plan: number | undefined;
  private shownRecord: string | undefined;
  private open: readonly string[] = [];
  private filter: Filter = {};

  /** @param onBack called when the user returns to the compactions */
  constructor(post: (request: InspectorRequest) => void, onBack: () => void, marks: SentenceMenu) {
    const id = freshId();
    this.post = post;
    this.title.id = id;
    this.editor = new SummaryEditor((texts) => this.send('preview-check', texts), marks);
    this.summary = new RecordSummary(post);
    this.stop = plainButton({ class: 'link' }, () => post({ type: 'preview-stop' }), words.stop);
    this.progress = element('p', { class: 'preview-progress' }, progressRing(), this.activity, this.stop);
    this.problemLine = element('div', { class: 'notice', hidden: true }, icon('warning'), this.problem);
    const planAgain = plainButton({ class: 'link' }, () => this.again('nothing'), words.planAgain);
    this.staleLine = element(
      'div',
      { class: 'notice', hidden: true },
      icon('warning'),
      element('span', {}, words.stale),
      planAgain,
    );
    const secondary = (onClick: () => void, text: string) =>
      controlButton({ appearance: 'secondary', onClick }, text);
    this.apply = controlButton({ appearance: 'primary', onClick: () => this.applyNow() }, words.apply);
    this.others = [
      secondary(() => this.again('focus'), words.withFocus),
      secondary(() => this.again('strategy'), words.otherStrategy),
      secondary(() => post({ type: 'preview-discard' }), words.discard),
    ];
    this.element = element(
      'section',
      { class: 'detail preview', 'aria-labelledby': id },
      plainButton({ class: 'link' }, onBack, words.back),
      this.title,
      this.note,
      element('div', { role: 'status' }, this.progress, this.problemLine, this.staleLine),
      element('div', { class: 'preview-actions' }, this.apply, ...this.others),
      this.editor.element,
      this.summary.element,
      this.diffPlace,
    );
    this.editor.load([]);
  }

  render(view: PreviewView): void {
    const { plan, activity, strategy, record, problem, refusal, isStale } = view;
    const isBusy = activity === 'planning' || activity === 'applying';
    const title = titleOfStrategy(record?.status === 'applied' ? record.actualStrategy : strategy);
    setText(this.title, words.title({ strategy: title }));
    this.progress.hidden = !isBusy;
    this.stop.hidden = activity === 'applying';
    const doing =
      activity === 'applying' ? words.applying : words.planning({ strategy: titleOfStrategy(strategy) });
    setText(this.activity, isBusy ? doing : '');
    this.problemLine.hidden = problem === undefined;
    setText(this.problem, problem === undefined ? '' : words.failed({ problem }));
    this.staleLine.hidden = !isStale || isBusy;
    this.apply.disabled = isBusy || isStale || refusal !== undefined || record?.status !== 'applied';
    for (const control of this.others) control.disabled = isBusy;
    if (plan !== this.plan) {
      this.plan = plan;
      this.open = [];
      this.editor.load(view.summaries);
    }
    this.editor.render(view);
    if (record !== undefined) this.renderRecord(record);
  }

  receiveDiff(notification: DiffNotification): void {
    if (notification.recordId === this.diff?.recordId) this.diff.receive(notification);
  }

  receiveCoverage(notification: CoverageNotification): void {
    this.summary.receive(notification);
  }

  handleKey(event: KeyboardEvent): void {
    this.diff?.handleKey(event);
  }

  private renderRecord(record: RecordView): void {
    const shown = JSON.stringify(record);
    this.summary.element.hidden = false;
    if (shown === this.shownRecord) return;
    this.shownRecord = shown;
    this.summary.render(record, false);
    this.diff = record.status === 'applied' ? this.diffOf(record) : undefined;
    this.diffPlace.replaceChildren(...(this.diff === undefined ? [] : [this.diff.element]));
    this.diff?.request();
  }

  private diffOf(record: RecordView): DiffView {
    return new DiffView(record, {
      post: this.post,
      open: openRows(
        () => this.open,
        (rows) => (this.open = rows),
      ),
      canRestore: false,
      canPin: false,
      filter: this.filter,
      onFilter: (filter) => (this.filter = filter),
    });
  }

  private applyNow(): void {
    this.send('preview-apply', this.editor.texts);
  }

  private again(change: Extract<PreviewMessage, { type: 'preview-again' }>['change']): void {
    this.editor.forgetChange();
    const { texts } = this.editor;
    this.post({ type: 'preview-again', plan: this.plan ?? 0, texts, change });
  }

  private send(type: 'preview-check' | 'preview-apply', texts: readonly string[]): void {
    this.editor.forgetChange();
    this.post({ type, plan: this.plan ?? 0, texts });
  }
}
