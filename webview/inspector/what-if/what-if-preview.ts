import { html, nothing, type TemplateResult } from 'lit';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { openRows } from '../../shared/host.ts';
import { linkButton } from '../../shared/link-button.ts';
import { diffPlace } from '../compactions/diff-place.ts';
import { recordOutcome } from '../compactions/record-outcome.ts';
import type { Diff } from '../diff/diff.ts';
import type { CompactionAnswers } from '../state/compaction-answers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { strategyActions } from './strategy-effect.ts';

const words = inspectorTexts.whatIf;
const noFilter = {};
const ignored = (): void => {};

interface PreviewProps {
  readonly strategy: string;
  /** The compaction that the strategy would make. */
  readonly record: RecordView;
  readonly view: WhatIfView;
  readonly answers: CompactionAnswers;
  /** False in a read-only session. */
  readonly canChange: boolean;
  readonly post: (request: InspectorRequest) => void;
  readonly onBack: () => void;
}

/** A preview of a strategy's effect on each message. */
class WhatIfPreview extends Component<PreviewProps> {
  private openKeys: readonly string[] = [];
  private readonly open = openRows(
    () => this.openKeys,
    (keys) => (this.openKeys = keys),
  );

  protected override render(): TemplateResult {
    const { strategy, record, view, answers, canChange, post, onBack } = this.props;
    const isMade = view.made?.strategy === strategy;
    const title = (isMade ? words.madeTitle : words.previewTitle)({
      strategy: titleOfStrategy(record.requestedStrategy),
    });
    return html`<section class="detail" aria-label=${title} @keydown=${this.keyPressed}>
      <div class="what-if-head">
        <p>
          ${linkButton(words.back, onBack)}
          <b>${title}</b>
          <span class="dim" role="status">${isMade ? nothing : noteOn(view, strategy, canChange)}</span>
        </p>
        ${canChange && !isMade ? strategyActions(view, strategy, post) : nothing}
      </div>
      ${recordOutcome({ record, answers, post, isTried: true })}
      ${diffPlace({
        ...{ record, post, canChange: false, open: this.open, filter: noFilter, onFilter: ignored },
        version: record.id,
      })}
    </section>`;
  }

  protected override firstUpdated(): void {
    const { post, record } = this.props;
    post({ type: 'flow', recordId: record.id });
    this.querySelector<HTMLElement>('.link')?.focus();
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    this.querySelector<Diff>('cb-diff')?.handleKey(event);
    if (event.key === 'Escape') this.props.onBack();
  };
}

export const whatIfPreview = component('cb-what-if-preview', WhatIfPreview);

/** The state of a preview: applied, outdated, or nothing changed yet. */
function noteOn(view: WhatIfView, strategy: string, canChange: boolean): string {
  const { applied, isStale, rows } = view;
  if (!canChange) return words.readOnlyNote;
  if (applied === strategy) return words.appliedNote;
  if (isStale)
    return applied === undefined
      ? words.applyStale
      : words.otherApplied({ strategy: titleOfStrategy(applied) });
  const isEstimate = rows.some((row) => row.isEstimate && row.strategy === strategy);
  return isEstimate ? words.estimatePreviewNote : words.previewNote;
}
