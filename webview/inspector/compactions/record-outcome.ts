import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { when } from 'lit/directives/when.js';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { largeButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { bringBackPanel } from './bring-back-panel.ts';
import { flowPicture } from './flow-picture.ts';
import { lostList } from './lost-list.ts';
import { lostKinds, outcomeSentence } from './outcome-sentence.ts';
import type { CompactionAnswers } from '../state/compaction-answers.ts';
import { compactionDetails } from './record-details.ts';

const words = inspectorTexts.record;

interface OutcomeProps {
  readonly record: RecordView;
  readonly answers: CompactionAnswers;
  readonly post: (request: InspectorRequest) => void;
  /** Tokens of both contexts that are not in the session's file. */
  readonly unseen?: number;
  /** True if the compaction is one of a chat that can be changed. */
  readonly canChange?: boolean;
  /** True if the compaction can be undone, as can those of a chat. */
  readonly canUndo?: boolean;
  /** True if the compaction was only tried, so that it can neither be copied from nor handed off. */
  readonly isTried?: boolean;
  /** Actions among the details. */
  readonly more?: unknown;
  /** Shows a lost fact in the diff. */
  readonly onFind?: ((name: string) => void) | undefined;
}

/** A compaction at a glance: where the tokens went, one sentence, and what can be done. The rest is folded. */
class RecordOutcome extends Component<OutcomeProps> {
  private isLostShown = false;
  private areDetailsShown = false;
  private isBringingBack = false;
  private recordId: string | undefined;

  protected override willUpdate(changes: PropertyValues): void {
    super.willUpdate(changes);
    const { record } = this.props;
    if (record.id === this.recordId) return;
    this.recordId = record.id;
    this.isLostShown = this.isBringingBack = this.areDetailsShown = false;
  }

  protected override render(): TemplateResult {
    const {
      record,
      answers,
      post,
      unseen = 0,
      canChange = false,
      canUndo = canChange,
      more,
      onFind,
    } = this.props;
    const { id: recordId } = record;
    const isApplied = record.status === 'applied';
    return html`${isApplied ? flowPicture({ record, flow: answers.flows[recordId], unseen }) : nothing}
      <div class="outcome">
        <p class="outcome-sentence">${outcomeSentence(record)}</p>
        <div class="outcome-actions">${this.actions()}</div>
      </div>
      ${warningLine(record.warnings)}
      ${when(this.isLostShown, () =>
        lostList({
          record,
          answers,
          onFind,
          onBringBack: canUndo && !record.isUndone ? () => this.bringBack(!this.isBringingBack) : undefined,
        }),
      )}
      ${when(this.isBringingBack, () =>
        bringBackPanel({
          recordId,
          plan: answers.plans[recordId],
          post,
          onClose: () => this.bringBack(false),
        }),
      )}
      ${this.areDetailsShown ? compactionDetails({ record, post, canChange, more }) : nothing}`;
  }

  private actions(): unknown {
    const { record, post, canChange = false, canUndo = canChange, isTried = false } = this.props;
    const { id: recordId, status, coverage, isUndone, undoneWith } = record;
    const isApplied = status === 'applied';
    const hasLost = isApplied && lostKinds(coverage).length > 0;
    const isUndoable = isApplied && canUndo && !isUndone && !isTried;
    const isOpen = this.isLostShown;
    const undo = undoneWith.length === 0 ? words.undo : words.undoWith({ count: undoneWith.length });
    const copy = () => post({ type: 'copy-missing', recordId });
    return html`${when(hasLost, () =>
        largeButton(isOpen ? words.hide : words.show, this.toggleLost, { isPrimary: true, isOpen }),
      )}
      ${when(hasLost && !isTried, () => largeButton(words.copy, copy, { title: words.copyTitle }))}
      ${when(isApplied && !isTried, () => largeButton(words.handOff, () => post({ type: 'hand-off' })))}
      ${when(isUndoable, () => largeButton(undo, () => post({ type: 'undo', recordId })))}
      <button
        type="button"
        class="disclosure"
        aria-expanded=${this.areDetailsShown}
        @click=${this.toggleDetails}
      >
        ${iconTemplate('chevron')} ${words.details}
      </button>`;
  }

  private readonly toggleLost = (): void => {
    this.isLostShown = !this.isLostShown;
    const { record, post } = this.props;
    for (const { kind, lost } of this.isLostShown ? lostKinds(record.coverage) : []) {
      // The record names only the first missing facts, and messages only by id.
      if (kind === 'userMessages' || record.coverage[kind].missing.length < lost)
        post({ type: 'missing', recordId: record.id, kind });
    }
    if (!this.isLostShown) this.isBringingBack = false;
    this.requestUpdate();
  };

  private bringBack(isOpen: boolean): void {
    const { record, post } = this.props;
    if (isOpen) post({ type: 'plan-bring-back', recordId: record.id });
    this.isBringingBack = isOpen;
    this.requestUpdate();
  }

  private readonly toggleDetails = async (): Promise<void> => {
    this.areDetailsShown = !this.areDetailsShown;
    this.requestUpdate();
    await this.updateComplete;
    // The list of lost facts may push the details out of sight.
    this.querySelector('.details')?.scrollIntoView({ block: 'nearest' });
  };

  static override styles = css`
    .outcome {
      display: flex;
      align-items: center;
      flex-wrap: wrap;
      gap: 4px 16px;
      padding: 6px 0;
    }
    .outcome-sentence {
      flex: 1 1 300px;
    }
    .outcome-actions {
      display: flex;
      align-items: center;
      flex-wrap: wrap;
      gap: 4px 6px;
      .disclosure {
        padding: 3px 6px;
      }
    }
    .warning-line {
      display: flex;
      align-items: center;
      gap: 6px;
      padding-bottom: 6px;
      > * {
        flex: none;
      }
      > .icon {
        color: var(--warning);
      }
      > span {
        flex: 0 1 auto;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    }
  `;
}

export const recordOutcome = component('cb-record-outcome', RecordOutcome);

/** The first warning on one line; the details have all. */
function warningLine(warnings: readonly string[]): unknown {
  const [first] = warnings;
  if (first === undefined) return nothing;
  return html`<p class="warning-line">
    ${iconTemplate('warning')} <span title=${first}>${first}</span>
    ${warnings.length === 1 ? nothing : html`<b class="dim">${words.moreWarnings({ count: warnings.length - 1 })}</b>`}
  </p>`;
}
