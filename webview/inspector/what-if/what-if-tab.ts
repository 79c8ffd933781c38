import { render } from 'lit';
import { dispatch, type Handlers } from '../../../src/protocol/messages.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import {
  type CoverageNotification,
  type DiffNotification,
  missingKinds,
} from '../../../src/protocol/inspector-compactions.ts';
import type {
  WhatIfMoment,
  WhatIfNotification,
  whatIfNotifications,
  WhatIfView,
} from '../../../src/protocol/inspector-what-if.ts';
import { element, plainButton, setAttribute, setText } from '../../shared/dom.ts';
import { formatCount, formatDuration, formatTime } from '../../shared/numbers.ts';
import { type Control, controlButton, controlDropdown } from '../../shared/controls.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { nameList } from '../compactions/lost-list.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import { titleOfRow } from './outcome-columns.ts';
import { OutcomeTable } from './outcome-table.ts';
import { WhatIfPreview } from './what-if-preview.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.whatIf;

/** Value for the current context in the list of moments. */
const now = '';

/**
 * The tab that compares all strategies and previews their effects. Compares them on the current context, or on
 * another agent's context right before a compaction, next to the agent's result.
 */
export class WhatIfTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly post: (request: InspectorRequest) => void;
  private readonly overview: HTMLElement;
  private readonly title = element('h2');
  private readonly moments = controlDropdown(words.moments, (recordId) => this.start(recordId));
  private readonly status = element('span', { class: 'dim', role: 'status' });
  private readonly stale = element('p', { class: 'stale', hidden: true });
  private readonly progress: HTMLProgressElement;
  private readonly run: Control;
  private readonly cancel: Control;
  private readonly table: OutcomeTable;
  private readonly note = element('p', { class: 'notes dim', hidden: true }, words.estimateNote);
  private readonly lost = element('section', { class: 'lost-panel', hidden: true });
  private preview: WhatIfPreview | undefined;
  private state: InspectorState | undefined;
  private view: WhatIfView | undefined;
  private lostStrategy: string | undefined;

  private readonly handlers: Handlers<typeof whatIfNotifications> = {
    'what-if': ({ sessionId, view }) => {
      if (sessionId !== this.state?.sessionId) return;
      this.view = view;
      this.renderView();
    },
    'what-if-lost': (answer) => {
      if (answer.strategy === this.lostStrategy) this.showLost(answer);
    },
    'what-if-preview': (preview) => {
      if (preview.sessionId === this.state?.sessionId) this.openPreview(preview);
    },
  };

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    this.run = controlButton(
      { appearance: 'primary', onClick: () => this.start(this.view?.before ?? now) },
      words.run,
    );
    this.cancel = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'what-if-cancel' }) },
      words.cancel,
    );
    this.progress = element('progress', { 'aria-label': words.progress });
    this.table = new OutcomeTable({
      onPreview: (strategy) => post({ type: 'what-if-preview', strategy }),
      onLost: (strategy) => this.askForLost(strategy),
    });
    this.overview = element(
      'div',
      {},
      element(
        'div',
        { class: 'what-if-head' },
        element('div', {}, this.title, this.status),
        this.moments.element,
        this.progress,
        this.cancel,
        this.run,
      ),
      this.stale,
      this.table.element,
      this.lost,
      this.note,
    );
    this.element = element('section', { class: 'what-if' }, this.overview);
    this.renderView();
  }

  render(state: InspectorState): void {
    if (this.state !== undefined && this.state.sessionId !== state.sessionId) {
      this.view = undefined;
      this.closePreview();
      this.renderView();
    }
    this.state = state;
    // The host knows whether the outcomes still match the conversation.
    this.post({ type: 'what-if-show' });
  }

  receive(notification: WhatIfNotification): void {
    dispatch(this.handlers, notification);
  }

  step(by: 1 | -1): void {
    this.preview?.step(by);
  }

  /** Tries the strategies on the context right before another agent's compaction. */
  replay(recordId: string): void {
    this.closePreview();
    this.start(recordId);
  }

  private start(before: string): void {
    this.post({ type: 'what-if-run', ...(before !== now && { before }) });
  }

  /** Receives data for the diff of the preview. */
  receiveDiff(notification: DiffNotification): void {
    this.preview?.receiveDiff(notification);
  }

  receiveCoverage(notification: CoverageNotification): void {
    this.preview?.receiveCoverage(notification);
  }

  private renderView(): void {
    const { view } = this;
    const isRunning = view?.phase === 'running';
    const hasRows = (view?.rows.length ?? 0) > 0;
    setText(this.title, view?.before === undefined ? words.title : words.replayTitle);
    const moments = view?.moments ?? [];
    this.moments.element.hidden = moments.length === 0;
    this.moments.show([...moments.map(choiceOf), { value: now, label: words.now }], view?.before ?? now);
    setText(this.status, statusOf(view));
    this.progress.hidden = !isRunning;
    setAttribute(this.progress, 'max', view?.total ?? 1);
    setAttribute(this.progress, 'value', view?.rows.length ?? 0);
    this.cancel.hidden = !isRunning;
    this.run.hidden = isRunning;
    setText(this.run, view === undefined || view.phase === 'idle' ? words.run : words.again);
    this.stale.hidden = view?.isStale !== true;
    setText(
      this.stale,
      view?.applied === undefined ? words.stale : words.applied({ strategy: titleOf(view, view.applied) }),
    );
    this.table.element.hidden = !hasRows;
    this.note.hidden = view?.rows.some(({ isEstimate }) => isEstimate) !== true;
    if (!hasRows) this.closeLost();
    if (view !== undefined) this.table.render(view);
    this.renderPreview();
  }

  private renderPreview(): void {
    const { preview, view, state } = this;
    if (preview === undefined || view === undefined || state === undefined) return;
    preview.render({
      canChange: isEditable(state),
      isStale: view.isStale,
      applied: view.applied,
      isCurrent: view.current === preview.strategy,
      isEstimate: view.rows.some(({ strategy, isEstimate }) => isEstimate && strategy === preview.strategy),
      isMade: view.made?.strategy === preview.strategy,
      applying: view.applying,
    });
  }

  private openPreview({ strategy, record }: Extract<WhatIfNotification, { type: 'what-if-preview' }>): void {
    this.preview?.element.remove();
    this.preview = new WhatIfPreview(strategy, record, { post: this.post, onBack: () => this.goBack() });
    this.overview.hidden = true;
    this.element.append(this.preview.element);
    this.renderPreview();
    this.preview.focus();
  }

  private goBack(): void {
    const strategy = this.preview?.strategy;
    this.closePreview();
    if (strategy !== undefined) this.table.focus(strategy);
  }

  private closePreview(): void {
    this.preview?.element.remove();
    this.preview = undefined;
    this.overview.hidden = false;
  }

  private askForLost(strategy: string): void {
    this.lostStrategy = strategy;
    this.lost.hidden = false;
    this.lost.replaceChildren(element('p', { class: 'dim', role: 'status' }, words.loadingLost));
    this.post({ type: 'what-if-lost', strategy });
  }

  private showLost({ strategy, lost }: Extract<WhatIfNotification, { type: 'what-if-lost' }>): void {
    const heading = element(
      'h3',
      { tabindex: -1 },
      words.lostTitle({ strategy: titleOf(this.view, strategy) }),
    );
    this.lost.replaceChildren(
      heading,
      ...missingKinds
        .filter((kind) => lost[kind].length > 0)
        .flatMap((kind) => [
          element(
            'h4',
            { class: 'dim' },
            words.lostCount({ name: words.lostNames[kind], count: lost[kind].length }),
          ),
          drawnNames(lost[kind]),
        ]),
      plainButton({ class: 'link' }, () => this.leaveLost(), words.closeLost),
    );
    heading.focus();
  }

  private leaveLost(): void {
    const strategy = this.lostStrategy;
    this.closeLost();
    if (strategy !== undefined) this.table.focus(strategy);
  }

  private closeLost(): void {
    this.lostStrategy = undefined;
    this.lost.hidden = true;
    this.lost.replaceChildren();
  }
}

function choiceOf({ recordId, by, createdAt, tokensBefore, tokensAfter }: WhatIfMoment) {
  const sizes = inspectorTexts.fromTo({ before: tokensBefore, after: tokensAfter });
  return {
    value: recordId,
    label: words.before({ who: titleOfStrategy(by), time: formatTime(createdAt), sizes }),
  };
}

function titleOf(view: WhatIfView | undefined, strategy: string): string {
  const rows = [...(view?.made === undefined ? [] : [view.made]), ...(view?.rows ?? [])];
  const row = rows.find((tried) => tried.strategy === strategy);
  return row === undefined ? titleOfStrategy(strategy) : titleOfRow(row);
}

function statusOf(view: WhatIfView | undefined): string {
  if (view === undefined) return words.intro;
  const { phase, before, rows, total, running = '', durationMs, problem = '' } = view;
  const done = formatCount(rows.length);
  switch (phase) {
    case 'idle':
      return before === undefined ? words.intro : words.replayIntro;
    case 'running':
      return words.running({ done, total, strategy: titleOfStrategy(running) });
    case 'cancelled':
      return words.cancelled({ done, total });
    case 'failed':
      return words.failed({ problem });
    case 'done':
      return words.done({ done, total, time: formatDuration(durationMs) });
  }
}

function drawnNames(names: readonly string[]): HTMLElement {
  const place = document.createElement('div');
  render(nameList(names), place);
  return place;
}
