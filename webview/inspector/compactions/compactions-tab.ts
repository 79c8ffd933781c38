import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { previewRecordId } from '../../../src/protocol/inspector-preview.ts';
import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { Component, component } from '../../shared/component.ts';
import { type OpenRows, openRows } from '../../shared/host.ts';
import { largeButton, linkButton } from '../../shared/link-button.ts';
import type { Diff } from '../diff/diff.ts';
import { type Filter, isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { diffPlace, selectionPause } from './diff-place.ts';
import { previewPanel } from './preview-panel.ts';
import { recordList } from './record-list.ts';
import { recordOutcome } from './record-outcome.ts';
import type { CompactionAnswers } from '../state/compaction-answers.ts';

interface CompactionsProps extends TabProps {
  readonly answers: CompactionAnswers;
}

/** The compactions of a session, and the effect of the selected one. */
class CompactionsTab extends Component<CompactionsProps> {
  private requested: string | undefined;
  private timer: number | undefined;
  private readonly open: OpenRows = openRows(
    () => this.props.view.open,
    (open) => this.props.page.choose({ open }),
  );

  protected override willUpdate(changes: PropertyValues<this>): void {
    super.willUpdate(changes);
    const { page, view } = this.props;
    const record = this.selected;
    if (record === undefined || this.isPreviewing) return;
    // The next compaction must not replace the one that the user is reading.
    if (record.id !== view.recordId) queueMicrotask(() => page.choose({ recordId: record.id }));
    const key = `${this.props.session.sessionId} ${record.id}`;
    if (record.status !== 'applied' || key === this.requested) return;
    window.clearTimeout(this.timer);
    const request = () => page.post({ type: 'flow', recordId: record.id });
    if (this.requested === undefined) request();
    else this.timer = window.setTimeout(request, selectionPause);
    this.requested = key;
  }

  protected override render(): TemplateResult {
    const { session, answers, page } = this.props;
    const { preview } = session;
    return html`<section class="compactions" @keydown=${this.keyPressed}>
      <h2 class="spoken">${inspectorTexts.compactions}</h2>
      ${
        preview === undefined || this.isPreviewing
          ? nothing
          : html`<p>
              ${inspectorTexts.preview.waiting}
              ${linkButton(inspectorTexts.preview.show, () => page.showRecord(previewRecordId))}
            </p>`
      }
      ${
        this.isPreviewing && preview !== undefined
          ? previewPanel({ view: preview, answers, page })
          : session.records.length === 0
            ? this.empty()
            : this.records()
      }
    </section>`;
  }

  private get isPreviewing(): boolean {
    const { session, view } = this.props;
    return session.preview !== undefined && view.recordId === previewRecordId;
  }

  private get selected(): RecordView | undefined {
    const { session, view } = this.props;
    return session.records.find(({ id }) => id === view.recordId) ?? session.records[0];
  }

  private records(): TemplateResult {
    const { session, view, page, answers } = this.props;
    const record = this.selected!;
    const unseen = (one: RecordView) => unseenTokens(session, one);
    const canChange = isEditable(session);
    const canUndo = canChange || record.isOfProxy === true;
    return html`<div class="columns-page">
      ${recordList({ records: session.records, selectedId: record.id, unseen, current: () => page.store.current.view.recordId, onSelect: page.showRecord })}
      <div class="detail">
        ${recordOutcome({
          record,
          answers,
          post: page.post,
          unseen: unseen(record),
          canChange,
          canUndo,
          onFind: this.find,
          more: [
            linkButton(inspectorTexts.views.fromRecord, () => page.compareWithNow(record.id)),
            canChange ? nothing : linkButton(inspectorTexts.record.replay, () => page.replay(record.id)),
          ],
        })}
        ${
          record.status === 'applied'
            ? diffPlace({
                record,
                version: answers.diffVersion,
                post: page.post,
                canChange,
                canUndo,
                menu: page.menu,
                open: this.open,
                filter: view.filter,
                onFilter: this.keepFilter,
              })
            : nothing
        }
      </div>
    </div>`;
  }

  private empty(): TemplateResult {
    const { session, page } = this.props;
    // Compacting is impossible before the first message.
    const canCompact = isEditable(session) && session.usage.byKind.user > 0;
    return html`<div class="empty">
      <h3>${inspectorTexts.empty.title}</h3>
      <p class="dim">${emptyText(session)}</p>
      ${
        canCompact
          ? html`${largeButton(inspectorTexts.compactNow, () => page.post({ type: 'compact' }), { isPrimary: true })}
            ${linkButton(inspectorTexts.compactWithPreview, () => page.post({ type: 'preview' }))}`
          : nothing
      }
    </div>`;
  }

  private readonly keepFilter = (filter: Filter): void => {
    this.props.page.choose({ filter });
  };

  private get diff(): Diff | null {
    return this.querySelector('cb-diff');
  }

  private readonly keyPressed = (event: KeyboardEvent): void => this.diff?.handleKey(event);
  private readonly find = (name: string): void => this.diff?.find(name);

  static override styles = css`
    .columns-page {
      display: grid;
      grid-template-columns: 200px minmax(0, 1fr);
      align-items: start;
      gap: var(--gap);
      margin-top: 10px;
    }
    .detail {
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .empty {
      padding: 20px 0;
      h3 {
        font-size: 1em;
        font-weight: 600;
      }
      p {
        margin: 4px 0 12px;
      }
      .link {
        margin-inline-start: 12px;
      }
    }
    @media (max-width: 699px) {
      .columns-page {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `;
}

export const compactionsTab = component('cb-compactions', CompactionsTab);

/** Tokens of the contexts around a compaction that another agent's file does not contain. */
function unseenTokens(session: InspectorState, { triggerTokens = 0, tokensBefore }: RecordView): number {
  return session.usage.fullness === undefined ? 0 : Math.max(0, triggerTokens - tokensBefore);
}

function emptyText(session: InspectorState): string {
  if (!isEditable(session)) return inspectorTexts.empty.lookedAt;
  const { trigger, background, window } = session.usage;
  const tokens = background ?? trigger;
  if (tokens === undefined) return inspectorTexts.empty.byHand;
  return window === undefined
    ? inspectorTexts.empty.startsAt({ tokens })
    : inspectorTexts.empty.starts({ tokens, window });
}
