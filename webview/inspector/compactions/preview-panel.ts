import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import {
  previewRecordId,
  type PreviewMessage,
  type PreviewView,
} from '../../../src/protocol/inspector-preview.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { openRows } from '../../shared/host.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { largeButton, linkButton } from '../../shared/link-button.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import type { PageActions } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { diffPlace } from './diff-place.ts';
import type { CompactionAnswers } from '../state/compaction-answers.ts';
import { recordOutcome } from './record-outcome.ts';
import { checkLine, summaryFields, textsIn } from './summary-fields.ts';

const words = inspectorTexts.preview;

interface PreviewProps {
  readonly view: PreviewView;
  readonly answers: CompactionAnswers;
  readonly page: PageActions;
}

/** Milliseconds without typing before the texts are checked. */
const typingPause = 500;

/** A compaction before it is applied: its summaries in fields, its outcome and its diff. */
class PreviewPanel extends Component<PreviewProps> {
  private timer: number | undefined;
  private shownRecord: string | undefined;
  private open: readonly string[] = [];
  private filter: Filter = {};
  private readonly rows = openRows(
    () => this.open,
    (rows) => (this.open = rows),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    // When the page is hidden, it is discarded with the texts.
    document.addEventListener('visibilitychange', this.flush);
    window.addEventListener('pagehide', this.flush);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.flush);
    window.removeEventListener('pagehide', this.flush);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    super.willUpdate(changes);
    const { view, page } = this.props;
    const before = changes.get('props')?.view;
    if (before?.plan !== view.plan) {
      this.open = [];
      this.forgetChange();
    }
    const record = JSON.stringify(view.record);
    if (record === this.shownRecord) return;
    this.shownRecord = record;
    if (view.record?.status === 'applied') page.post({ type: 'flow', recordId: previewRecordId });
  }

  protected override render(): TemplateResult {
    const { view, answers, page } = this.props;
    const { plan, activity, strategy, record, summaries, refusal, isStale } = view;
    const isBusy = activity === 'planning' || activity === 'applying';
    const isApplied = record?.status === 'applied';
    const { post } = page;
    const title = titleOfStrategy(isApplied ? record.actualStrategy : strategy);
    return html`<section class="preview" aria-labelledby="preview-title">
      <div class="preview-head">
        <h3 id="preview-title">${words.title({ strategy: title })}</h3>
        <span class="dim">${words.note}</span>
        ${linkButton(words.back, () => page.choose({ recordId: undefined }))}
      </div>
      <div role="status">${this.progress()}</div>
      <div class="preview-actions">
        ${largeButton(words.apply, () => this.send('preview-apply'), {
          isPrimary: true,
          isDisabled: isBusy || isStale || refusal !== undefined || !isApplied,
        })}
        ${largeButton(words.withFocus, () => this.again('focus'), { isDisabled: isBusy })}
        ${largeButton(words.otherStrategy, () => this.again('strategy'), { isDisabled: isBusy })}
        ${largeButton(words.discard, () => post({ type: 'preview-discard' }), { isDisabled: isBusy })}
      </div>
      ${keyed(
        plan,
        summaryFields({
          summaries,
          isBusy,
          isRefused: refusal !== undefined,
          marks: page.marks,
          onInput: this.typed,
        }),
      )}
      ${checkLine(view)}
      ${record === undefined ? nothing : recordOutcome({ record, answers, post, isTried: true })}
      ${
        isApplied
          ? diffPlace({
              record,
              version: this.shownRecord,
              post,
              canChange: false,
              open: this.rows,
              filter: this.filter,
              onFilter: this.keepFilter,
            })
          : nothing
      }
    </section>`;
  }

  private progress(): unknown {
    const { view, page } = this.props;
    const { activity, strategy, problem, isStale } = view;
    if (activity === 'planning' || activity === 'applying')
      return html`<p class="preview-progress">
        <vscode-progress-ring aria-hidden="true"></vscode-progress-ring>
        ${activity === 'applying' ? words.applying : words.planning({ strategy: titleOfStrategy(strategy) })}
        ${
          activity === 'applying'
            ? nothing
            : linkButton(words.stop, () => page.post({ type: 'preview-stop' }))
        }
      </p>`;
    return html`${problem === undefined ? nothing : warning(words.failed({ problem }))}
    ${
      isStale
        ? warning(html`${words.stale} ${linkButton(words.planAgain, () => this.again('nothing'))}`)
        : nothing
    }`;
  }

  private readonly keepFilter = (filter: Filter): void => {
    this.filter = filter;
  };

  private readonly typed = (): void => {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.send('preview-check'), typingPause);
  };

  private readonly flush = (): void => {
    if (this.timer !== undefined) this.send('preview-check');
  };

  private again(change: Extract<PreviewMessage, { type: 'preview-again' }>['change']): void {
    this.forgetChange();
    const { page, view } = this.props;
    page.post({ type: 'preview-again', plan: view.plan, texts: textsIn(this), change });
  }

  private send(type: 'preview-check' | 'preview-apply'): void {
    this.forgetChange();
    const { page, view } = this.props;
    page.post({ type, plan: view.plan, texts: textsIn(this) });
  }

  /** Cancels a scheduled check, because the texts are sent in another way. */
  private forgetChange(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
  }

  static override styles = css`
    .preview-head,
    .preview-progress,
    .preview-actions {
      display: flex;
      align-items: center;
      flex-wrap: wrap;
      gap: 4px 8px;
      padding-bottom: 6px;
    }
    .preview-head h3 {
      font-size: 1em;
      font-weight: 600;
    }
    .preview-head > .link {
      margin-inline-start: auto;
    }
  `;
}

export const previewPanel = component('cb-preview', PreviewPanel);

function warning(text: unknown): TemplateResult {
  return html`<p class="warning-line">${iconTemplate('warning')}<span>${text}</span></p>`;
}
