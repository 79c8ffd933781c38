import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { when } from 'lit/directives/when.js';
import { repeat } from 'lit/directives/repeat.js';
import type { WhatIfRow, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { formatDuration } from '../../shared/numbers.ts';
import { linkButton } from '../../shared/link-button.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { chosenStrategy } from './strategy-effect.ts';
import { outcomeTable } from './outcome-table.ts';
import {
  answerOf,
  type OutcomeColumn,
  columnsFor,
  sorted,
  type Sorting,
  startsDescending,
  titleOfRow,
} from './outcomes.ts';
import { ranked, recommended } from './strategy-ranking.ts';
import { scatter } from './scatter.ts';
import { runRequest, whatIfHead } from './what-if-head.ts';
import { whatIfPreview } from './what-if-preview.ts';
import type { CompactionAnswers } from '../state/compaction-answers.ts';
import type { WhatIfAnswers } from '../state/what-if-answers.ts';

const words = inspectorTexts.whatIf;

/** Number of strategies in the table until the user asks for all. */
const shownAtFirst = 6;

interface WhatIfProps extends TabProps {
  readonly answers: WhatIfAnswers;
  readonly compactions: CompactionAnswers;
}

/**
 * The tab that compares all strategies: which is best on the current context, or on another agent's context right
 * before a compaction, next to the agent's result.
 */
class WhatIfTab extends Component<WhatIfProps> {
  /** The strategy that the user chose in the table or the picture. */
  private chosen: string | undefined;
  private sorting: Sorting | undefined;
  private isWhole = false;
  private isIdleOpen = false;
  /** The strategy whose lost facts are listed. */
  private lostOf: string | undefined;
  /** True once the comparison of the displayed session was started. */
  private isStarted = false;

  static override styles = css`
    cb-what-if {
      display: flex;
      flex-direction: column;
      gap: 6px;
      font-variant-numeric: tabular-nums;
      .folded {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 16px;
        > p {
          margin-inline-start: auto;
        }
      }
      .is-stale {
        opacity: 0.6;
      }
    }
  `;

  protected override willUpdate(changes: PropertyValues<this>): void {
    super.willUpdate(changes);
    if (!changes.has('props')) return;
    const before = changes.get('props')?.session;
    const { session, page } = this.props;
    if (before?.sessionId !== session.sessionId) {
      [this.isStarted, this.isWhole] = [false, false];
      [this.chosen, this.sorting, this.lostOf] = [undefined, undefined, undefined];
    }
    // The host knows whether the outcomes still match the conversation.
    if (before !== session) page.post({ type: 'what-if-show' });
  }

  protected override render(): unknown {
    const { answers, compactions, page, session } = this.props;
    const { view, preview, lost } = answers.sessionId === session.sessionId ? answers : {};
    const canChange = isEditable(session);
    if (preview !== undefined && view !== undefined)
      return whatIfPreview({
        ...preview,
        view,
        answers: compactions,
        canChange,
        post: page.post,
        onBack: this.closePreview,
      });
    return [
      whatIfHead(view, page.post),
      view === undefined || view.rows.length === 0 ? nothing : this.results(view, lost, canChange),
    ];
  }

  /** Starts the first comparison of a session. It changes nothing and calls no provider. */
  protected override updated(changes: PropertyValues<this>): void {
    super.updated(changes);
    const { answers, page, session } = this.props;
    const { sessionId, view } = answers;
    if (view?.phase !== 'idle' || sessionId !== session.sessionId || this.isStarted) return;
    this.isStarted = true;
    page.post(runRequest(view.before));
  }

  private results(view: WhatIfView, lost: WhatIfAnswers['lost'], canChange: boolean): TemplateResult {
    const { made, current, isStale, phase } = view;
    const { post } = this.props.page;
    const best = ranked(view.rows);
    const isMarked = ({ strategy }: WhatIfRow) => strategy === current;
    const others = made === undefined ? [] : [made];
    const shown = [
      ...best.filter((row, place) => this.isWhole || place < shownAtFirst || isMarked(row)),
      ...others,
    ];
    const row = shown.find(({ strategy }) => strategy === this.chosen) ?? best[0];
    const named = best.filter((one, place) => place === 0 || isMarked(one) || one === row);
    const marks = {
      best: phase === 'running' ? undefined : recommended(view.rows)?.row.strategy,
      current,
      made: made?.strategy,
      chosen: row?.strategy,
      onChoose: this.choose,
    };
    const idle = view.rows.filter(({ status }) => status !== 'applied');
    return html`${
        best.length === 0
          ? nothing
          : html`<div class=${isStale ? 'is-stale' : ''}>
              ${scatter({
                ...marks,
                rows: [...new Set([...named, ...others, ...best])],
                name: words.picture({ answer: phase === 'done' ? answerOf(view) : '' }),
              })}
            </div>`
      }
      ${when(row, (row) =>
        chosenStrategy({
          ...{ row, view, lost, canChange, post },
          isLostOpen: this.lostOf === row.strategy,
          onLost: () => this.toggleLost(row.strategy),
        }),
      )}
      ${when(shown.length > 0, () =>
        outcomeTable({
          ...marks,
          rows: sorted(shown, this.sorting),
          columns: columnsFor(shown, this.isWhole),
          sorting: this.sorting,
          onSort: this.sortBy,
        }),
      )}
      <div class="folded">
        ${when(best.length > shownAtFirst, () =>
          disclosure(this.isWhole, words.all({ count: best.length }), () => {
            this.isWhole = !this.isWhole;
            this.requestUpdate();
          }),
        )}
        ${when(idle.length > 0, () =>
          disclosure(this.isIdleOpen, words.idle({ count: idle.length }), () => {
            this.isIdleOpen = !this.isIdleOpen;
            this.requestUpdate();
          }),
        )}
        ${when(
          phase === 'done',
          () =>
            html`<p class="dim">
              ${words.done({ count: view.rows.length, time: formatDuration(view.durationMs) })}
              ${linkButton(words.again, () => post(runRequest(view.before)))}
            </p>`,
        )}
      </div>
      ${this.isIdleOpen ? idleList(idle) : nothing}`;
  }

  private toggleLost(strategy: string): void {
    const isOpen = this.lostOf === strategy;
    this.lostOf = isOpen ? undefined : strategy;
    if (!isOpen) this.props.page.post({ type: 'what-if-lost', strategy });
    this.requestUpdate();
  }

  private readonly choose = (strategy: string): void => {
    const { view } = this.props.answers;
    const place = ranked(view?.rows ?? []).findIndex((row) => row.strategy === strategy);
    this.isWhole ||= place >= shownAtFirst;
    this.chosen = strategy;
    this.requestUpdate();
  };

  private readonly sortBy = (column: OutcomeColumn): void => {
    const { sorting } = this;
    const isDescending = sorting?.column === column ? !sorting.isDescending : startsDescending(column);
    this.sorting = { column, isDescending };
    this.requestUpdate();
  };

  private readonly closePreview = (): void => {
    const { answers, page } = this.props;
    page.store.update({ whatIf: { ...answers, preview: undefined } });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.chosen .preview')?.focus());
  };
}

/** A line that unfolds what is below it. */
function disclosure(isOpen: boolean, label: string, onToggle: () => void): TemplateResult {
  return linkButton([iconTemplate('chevron'), ' ', label], onToggle, { isOpen });
}

/** Strategies that change nothing or cannot run here, with the reasons. */
function idleList(rows: readonly WhatIfRow[]): TemplateResult {
  return html`<ul class="idle">
    ${repeat(
      rows,
      ({ strategy }) => strategy,
      (row) => html`<li>${titleOfRow(row)} <span class="dim">${row.reason ?? words.cannotRun}</span></li>`,
    )}
  </ul>`;
}

export const whatIfTab = component('cb-what-if', WhatIfTab);
