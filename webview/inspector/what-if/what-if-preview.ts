import { render } from 'lit';
import type { CoverageNotification, DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { openRows } from '../../shared/host.ts';
import { type Control, controlButton } from '../../shared/controls.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { noAnswers, receiveCoverage } from '../state/compaction-answers.ts';
import { recordOutcome } from '../compactions/record-outcome.ts';
import { DiffView } from '../diff/diff-view.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.whatIf;

/** The actions available for a preview. */
interface PreviewState {
  readonly canChange: boolean;
  readonly isStale: boolean;
  /** The strategy that was applied, if this made the comparison stale. */
  readonly applied: string | undefined;
  /** True if the previewed strategy is the configured one. */
  readonly isCurrent: boolean;
  /** True for the compaction that the agent actually made. */
  readonly isMade: boolean;
  /** True if the session's own model writes the summary again before it is applied. */
  readonly isEstimate: boolean;
  /** The strategy that is being applied now. */
  readonly applying: string | undefined;
}

interface PreviewOptions {
  readonly post: (request: InspectorRequest) => void;
  readonly onBack: () => void;
}

/** A preview of a strategy's effect on each message. */
export class WhatIfPreview {
  readonly element: HTMLElement;
  readonly strategy: string;
  private readonly summary = element('div');
  private readonly record: RecordView;
  private readonly post: (request: InspectorRequest) => void;
  private answers = noAnswers;
  private readonly diff: DiffView;
  private readonly back: HTMLButtonElement;
  private readonly apply: Control;
  private readonly use: Control;
  private readonly title: HTMLElement;
  private readonly strategyTitle: string;
  private readonly note = element('p', { class: 'dim', role: 'status' });
  private readonly stale = element('p', { class: 'dim', role: 'status' });

  constructor(strategy: string, record: RecordView, { post, onBack }: PreviewOptions) {
    this.strategyTitle = titleOfStrategy(record.requestedStrategy);
    this.title = element('h3', {}, words.previewTitle({ strategy: this.strategyTitle }));
    this.strategy = strategy;
    this.record = record;
    this.post = post;
    post({ type: 'flow', recordId: record.id });
    let open: readonly string[] = [];
    this.diff = new DiffView(record, {
      post,
      open: openRows(
        () => open,
        (rows) => (open = rows),
      ),
      canRestore: false,
      canPin: false,
      filter: {},
      onFilter: () => {},
    });
    this.back = plainButton({ class: 'link' }, onBack, words.back);
    this.apply = controlButton(
      { appearance: 'primary', onClick: () => post({ type: 'what-if-apply', strategy }) },
      words.apply,
    );
    this.use = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'what-if-use', strategy }) },
      words.use,
    );
    this.renderSummary();
    this.element = element(
      'section',
      { class: 'detail', 'aria-label': words.previewTitle({ strategy: this.strategyTitle }) },
      this.back,
      this.title,
      this.note,
      this.stale,
      this.summary,
      this.diff.element,
    );
    this.element.addEventListener('keydown', (event) => {
      this.diff.handleKey(event);
      if (event.key === 'Escape') onBack();
    });
    this.diff.request();
  }

  render({ canChange, isStale, applied, isCurrent, isMade, isEstimate, applying }: PreviewState): void {
    this.apply.hidden = !canChange;
    this.apply.disabled = isStale || applying !== undefined;
    const isApplied = applied === this.strategy;
    const isApplying = applying === this.strategy;
    const what = isEstimate ? words.applyAnew : words.apply;
    setText(this.apply, isApplying ? words.isApplying : isApplied ? words.isApplied : what);
    if (isMade) setText(this.title, words.madeTitle({ who: this.strategyTitle }));
    const dryRun = canChange ? words.previewNote : words.readOnlyNote;
    const note = isMade ? '' : isEstimate && canChange ? words.estimatePreviewNote : dryRun;
    setText(this.note, isApplied ? words.appliedNote : note);
    this.use.hidden = !canChange;
    this.use.disabled = isCurrent;
    setText(this.use, isCurrent ? words.isUsed : words.use);
    setText(this.stale, isStale && canChange && !isApplied ? staleNote(applied) : '');
  }

  focus(): void {
    this.back.focus();
  }

  /** Moves to the next change or to the previous one. */
  step(by: 1 | -1): void {
    this.diff.step(by);
  }

  receiveDiff(notification: DiffNotification): void {
    if (notification.recordId === this.diff.recordId) this.diff.receive(notification);
  }

  receiveCoverage(notification: CoverageNotification): void {
    if (notification.recordId !== this.record.id) return;
    this.answers = receiveCoverage(this.answers, notification);
    this.renderSummary();
  }

  private renderSummary(): void {
    const { record, answers, post } = this;
    const actions = [this.use, this.apply];
    render(recordOutcome({ record, answers, post, isTried: true, actions }), this.summary);
  }
}

/** The reason why a preview can no longer be applied. */
function staleNote(applied: string | undefined): string {
  return applied === undefined
    ? words.applyStale
    : words.otherApplied({ strategy: titleOfStrategy(applied) });
}
