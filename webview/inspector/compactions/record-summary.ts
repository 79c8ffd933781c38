import { dropReasons } from '../../../src/protocol/engine-terms.ts';
import { dispatch, type Handlers } from '../../../src/protocol/messages.ts';
import type {
  CoverageNotification,
  coverageNotifications,
  ExportFormat,
} from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { element, plainButton } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatChange, formatDuration } from '../../shared/numbers.ts';
import { controlButton } from '../../shared/controls.ts';
import {
  compactionNotes,
  startSentence,
  strategyName,
  titleOfStrategy,
  listed,
} from '../../shared/compaction-words.ts';
import { BringBackPanel, NameStore } from './bring-back-panel.ts';
import { coverageFacts, coverageSentence, fact, isAnythingMissing, kindTable } from './record-facts.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.facts;
const more = inspectorTexts.compactionsTab;

/** A compaction in numbers, with notes and actions. */
export class RecordSummary {
  readonly element = element('div', { class: 'summary' });
  private readonly post: (request: InspectorRequest) => void;
  private readonly onCompare: ((recordId: string) => void) | undefined;
  private names: NameStore | undefined;
  private bringBack: BringBackPanel | undefined;

  private readonly handlers: Handlers<typeof coverageNotifications> = {
    missing: (answer) => this.names?.receive(answer),
    'bring-back-plan': (answer) => this.bringBack?.receive(answer),
  };

  /** @param onCompare compares the context after a compaction with another point; no button if absent */
  constructor(post: (request: InspectorRequest) => void, onCompare?: (recordId: string) => void) {
    this.post = post;
    this.onCompare = onCompare;
  }

  /**
   * @param canChange true if the compaction can be undone here
   * @param ownActions actions of a compaction that was only tried
   */
  render(record: RecordView, canChange: boolean, ownActions: readonly HTMLElement[] = []): void {
    this.bringBack = undefined;
    if (record.status !== 'applied') {
      this.element.replaceChildren(outcomeLine(record), ...tiers(record), ...warnings(record));
      return;
    }
    const names = new NameStore(record.id, this.post);
    this.names = names;
    const sentence = coverageSentence(record.coverage);
    const canUndo = canChange && !record.isUndone;
    const actions = canUndo ? this.actions(record) : ownActions;
    this.element.replaceChildren(
      ...(record.isUndone ? [element('p', { class: 'outcome' }, inspectorTexts.undoneNote)] : []),
      element(
        'div',
        { class: 'facts' },
        fact(
          inspectorTexts.fromTo({
            before: record.tokensBefore,
            after: record.tokensAfter,
          }),
          words.tokens({ change: formatChange(record.tokensBefore, record.tokensAfter) }),
          ' · ',
          ...kindTable(record),
        ),
        ...coverageFacts(record.coverage, names),
        costFact(record),
        ...(actions.length === 0 ? [] : [element('div', { class: 'facts-actions' }, ...actions)]),
      ),
      ...(sentence === undefined ? [] : [sentence]),
      element('p', { class: 'notes dim' }, notes(record).join(' · ')),
      ...tiers(record),
      ...warnings(record),
      this.exports(record),
    );
  }

  receive(notification: CoverageNotification): void {
    dispatch(this.handlers, notification);
  }

  private actions(record: RecordView): readonly HTMLElement[] {
    const { id: recordId, undoneWith } = record;
    const bringBack = controlButton(
      { appearance: 'secondary', onClick: () => this.toggleBringBack(recordId) },
      more.bringBack,
    );
    return [
      ...(isAnythingMissing(record.coverage) ? [bringBack] : []),
      controlButton(
        { appearance: 'secondary', onClick: () => this.post({ type: 'rerun', recordId }) },
        more.rerun,
      ),
      controlButton(
        { appearance: 'primary', onClick: () => this.post({ type: 'undo', recordId }) },
        undoneWith.length === 0 ? inspectorTexts.undo : inspectorTexts.undoWith({ count: undoneWith.length }),
      ),
    ];
  }

  private toggleBringBack(recordId: string): void {
    if (this.bringBack === undefined) {
      this.bringBack = new BringBackPanel(recordId, this.post, () => this.toggleBringBack(recordId));
      this.element.append(this.bringBack.element);
    } else {
      this.bringBack.element.remove();
      this.bringBack = undefined;
    }
  }

  private compareLink(recordId: string): readonly (HTMLElement | string)[] {
    const { onCompare } = this;
    if (onCompare === undefined) return [];
    return [
      ' · ',
      plainButton({ class: 'link' }, () => onCompare(recordId), inspectorTexts.views.fromRecord),
    ];
  }

  private exports({ id: recordId }: RecordView): HTMLElement {
    const link = (format: ExportFormat, name: string) =>
      plainButton(
        { class: 'link', 'aria-label': more.exportLabel({ format: name }) },
        () => this.post({ type: 'export-record', recordId, format }),
        name,
      );
    return element(
      'p',
      { class: 'notes dim' },
      `${more.export} `,
      link('html', more.html),
      ' · ',
      link('markdown', more.markdown),
      ...this.compareLink(recordId),
    );
  }
}

/** Sentence about a compaction that was not applied, with the reason. */
function outcomeLine(record: RecordView): HTMLElement {
  const { status, requestedStrategy, reason } = record;
  const what =
    status === 'applied'
      ? ''
      : inspectorTexts.outcomes[status]({ strategy: strategyName(requestedStrategy) });
  const sentence = reason === undefined ? what : inspectorTexts.because({ what, reason: unended(reason) });
  return element(
    'p',
    { class: 'outcome' },
    [inspectorTexts.sentence({ what: sentence }), inspectorTexts.nothingChanged].join(
      inspectorTexts.betweenSentences,
    ),
  );
}

function costFact({ cost }: RecordView): HTMLElement {
  const { breakEvenCalls: calls } = cost;
  if (cost.cacheMissTokens === 0) return fact(words.noMiss, words.noMissLabel);
  if (calls === null) return fact(words.never, words.neverPaysBack);
  return fact(words.calls({ count: calls }), words.payBack);
}

function notes(record: RecordView): readonly string[] {
  const { cost, summaryModel, quotes, focus } = record;
  return [
    whyThen(record),
    ...(focus === undefined ? [] : [more.focus({ focus })]),
    ...(record.actualStrategy === record.requestedStrategy
      ? []
      : [inspectorTexts.inPlaceOf({ strategy: strategyName(record.requestedStrategy) })]),
    ...compactionNotes(record),
    // The duration is unknown for compactions of other agents.
    ...(record.durationMs === 0 ? [] : [words.took({ time: formatDuration(record.durationMs) })]),
    ...(summaryModel === undefined ? [] : [words.summaryBy({ model: summaryModel })]),
    ...(quotes === undefined ? [] : quoteNotes(quotes)),
    ...(cost.cacheMissTokens === 0
      ? []
      : [words.missed({ tokens: cost.cacheMissTokens, saved: cost.savedPerCall })]),
    ...belowTarget(record),
  ];
}

/** Share of the target. Below it, the record explains why so little is left. */
const nearTarget = 0.9;

function belowTarget({ target, tokensAfter, cost, status }: RecordView): readonly string[] {
  const isFar = status === 'applied' && target !== undefined && tokensAfter < target * nearTarget;
  if (!isFar || cost.cacheMissTokens === 0) return [];
  return [words.belowTarget({ target, fewer: target - tokensAfter })];
}

/** The number of quotes that were found in the messages, and of the dropped quotes by reason. */
function quoteNotes({ kept, dropped }: NonNullable<RecordView['quotes']>): readonly string[] {
  const parts = dropReasons.flatMap((reason) => {
    const count = dropped[reason] ?? 0;
    return count === 0 ? [] : [words.dropped[reason]({ count })];
  });
  return [
    ...(kept === 0 ? [] : [words.quotesKept({ count: kept })]),
    ...(parts.length === 0 ? [] : [words.quotesDropped({ parts: listed(parts) })]),
  ];
}

/** The reason for the start and the size of the request, in as much detail as the record has. */
function whyThen({ trigger, triggerTokens, start, threshold, tokensBefore: counted }: RecordView): string {
  const why = inspectorTexts.triggers[trigger];
  if (triggerTokens === undefined) return why;
  const sentence = startSentence({ source: trigger, tokens: triggerTokens, start, threshold, counted });
  return sentence === undefined ? more.startedAt({ why, tokens: triggerTokens }) : unended(sentence);
}

/** The strategies that were tried, if the first one did not succeed. */
function tiers({ tiers: tried }: RecordView): readonly HTMLElement[] {
  if (tried.length < 2) return [];
  const names = tried.map(({ strategy, status, reason }) =>
    reason === undefined
      ? words.tier({ strategy: titleOfStrategy(strategy), status: inspectorTexts.statuses[status] })
      : words.tierBecause({
          strategy: titleOfStrategy(strategy),
          status: inspectorTexts.statuses[status],
          reason: clause(reason.message),
        }),
  );
  return [element('p', { class: 'notes dim' }, words.tried({ tiers: listed(names) }))];
}

/** Removes the full stop of a sentence in either language. */
function unended(sentence: string): string {
  return sentence.replace(/[.。]\s*$/u, '');
}

/** Rewrites a sentence as part of another sentence. */
function clause(sentence: string): string {
  const open = unended(sentence);
  return /^[A-Z][a-z]/.test(open) ? `${open.charAt(0).toLowerCase()}${open.slice(1)}` : open;
}

function warnings(record: RecordView): readonly HTMLElement[] {
  if (record.warnings.length === 0) return [];
  const items = record.warnings.map((warning) =>
    element('li', { class: 'notice' }, icon('warning'), element('span', {}, warning)),
  );
  return [element('ul', { class: 'warnings', 'aria-label': inspectorTexts.warnings }, ...items)];
}
