import type { Coverage, Kept } from '../../src/compaction/record.ts';
import type { InspectorRequest, RecordView } from '../../src/extension/protocol/inspector.ts';
import { createDisclosure } from '../disclosure.ts';
import { element } from '../dom.ts';
import { icon } from '../icons.ts';
import { formatChange, formatCount, formatDuration } from '../numbers.ts';
import { controlButton } from '../toolkit.ts';
import { strings } from './strings.ts';

const words = strings.facts;

/** Names of missing things that are listed before the rest is only counted. */
const longestList = 100;

/** What a compaction did in numbers, what to know about it, and the way back. */
export function recordSummary(
  record: RecordView,
  post: (request: InspectorRequest) => void,
): readonly HTMLElement[] {
  if (record.status !== 'applied') return [outcome(record), ...tiers(record), ...warnings(record)];
  const { coverage } = record;
  const undo = controlButton(
    { appearance: 'primary', onClick: () => post({ type: 'undo', recordId: record.id }) },
    record.undoneWith.length === 0 ? strings.undo : strings.undoWith(record.undoneWith.length),
  );
  return [
    ...(record.isUndone ? [element('p', { class: 'outcome' }, strings.undoneNote)] : []),
    element(
      'div',
      { class: 'facts' },
      fact(
        strings.fromTo(formatCount(record.tokensBefore), formatCount(record.tokensAfter)),
        words.tokens(formatChange(record.tokensBefore, record.tokensAfter)),
      ),
      ...coverageFact(words.files, coverage.files),
      ...coverageFact(words.commands, coverage.commands),
      ...missingFacts(coverage),
      costFact(record),
      ...(record.isUndone ? [] : [element('div', { class: 'facts-actions' }, undo)]),
    ),
    element('p', { class: 'notes dim' }, notes(record).join(' · ')),
    ...tiers(record),
    ...warnings(record),
  ];
}

/** One sentence for what did not happen, and why. */
function outcome(record: RecordView): HTMLElement {
  const { status, requestedStrategy, reason } = record;
  const what = status === 'applied' ? '' : strings.outcomes[status](requestedStrategy);
  const sentence = reason === undefined ? what : strings.because(what, reason.replace(/\.\s*$/, ''));
  return element('p', { class: 'outcome' }, `${strings.sentence(sentence)} ${strings.nothingChanged}`);
}

function fact(value: string, ...label: readonly (string | HTMLElement)[]): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('b', {}, value),
    element('div', { class: 'dim' }, ...label),
  );
}

function coverageFact(what: string, { kept, total, missing }: Kept): readonly HTMLElement[] {
  if (total === 0) return [];
  const value = words.keptOf(formatCount(kept), formatCount(total));
  if (kept >= total) return [fact(value, what)];
  const disclosure = createDisclosure({
    isOpen: false,
    class: 'missing',
    onToggle: () => {
      if (disclosure.panel.childElementCount === 0) disclosure.panel.append(...missingNames(missing));
    },
  });
  disclosure.button.append(icon('chevron'), words.missing(what, formatCount(total - kept)));
  disclosure.panel.classList.add('missing-names');
  return [fact(value, disclosure.button, disclosure.panel)];
}

/** The rest of the coverage where something got lost; where nothing did, it stands in the notes. */
function missingFacts(coverage: Coverage): readonly HTMLElement[] {
  return lesserCoverage(coverage)
    .filter(([, { kept, total }]) => kept < total)
    .flatMap(([what, kept]) => coverageFact(what, kept));
}

function lesserCoverage(coverage: Coverage): readonly (readonly [string, Kept])[] {
  return [
    [words.userMessages, coverage.userMessages],
    [words.errors, coverage.errors],
    [words.identifiers, coverage.identifiers],
  ];
}

function missingNames(missing: readonly string[]): readonly HTMLElement[] {
  const listed = missing.slice(0, longestList).map((name) => element('li', {}, element('code', {}, name)));
  const rest = missing.length - listed.length;
  if (rest > 0) listed.push(element('li', {}, words.andMore(formatCount(rest))));
  return [element('ul', {}, ...listed)];
}

function costFact({ cost }: RecordView): HTMLElement {
  const { breakEvenCalls: calls } = cost;
  if (cost.cacheMissTokens === 0) return fact(words.noMiss, words.noMissLabel);
  if (calls === null) return fact(words.never, words.neverPaysBack);
  return fact(words.calls(calls, formatCount(calls)), words.payBack);
}

function notes(record: RecordView): readonly string[] {
  const { cost, summaryModel, coverage } = record;
  return [
    ...(record.actualStrategy === record.requestedStrategy
      ? []
      : [strings.inPlaceOf(record.requestedStrategy)]),
    // Nobody knows how long another agent took.
    ...(record.durationMs === 0 ? [] : [words.took(formatDuration(record.durationMs))]),
    ...(summaryModel === undefined ? [] : [words.summaryBy(summaryModel)]),
    ...(cost.cacheMissTokens === 0
      ? []
      : [words.missed(formatCount(cost.cacheMissTokens), formatCount(cost.savedPerCall))]),
    ...lesserCoverage(coverage)
      .filter(([, { kept, total }]) => total > 0 && kept >= total)
      .map(([what, { kept, total }]) =>
        words.kept(what, words.keptOf(formatCount(kept), formatCount(total))),
      ),
  ];
}

/** The strategies that had to try, where it was not the first one that did it. */
function tiers({ tiers: tried }: RecordView): readonly HTMLElement[] {
  if (tried.length < 2) return [];
  const names = tried.map(({ strategy, status, reason }) =>
    reason === undefined
      ? words.tier(strategy, strings.statuses[status])
      : words.tierBecause(strategy, strings.statuses[status], clause(reason.message)),
  );
  return [element('p', { class: 'notes dim' }, words.tried(names.join(', ')))];
}

/** A sentence as a part of another one. */
function clause(sentence: string): string {
  const open = sentence.replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(open) ? `${open.charAt(0).toLowerCase()}${open.slice(1)}` : open;
}

function warnings(record: RecordView): readonly HTMLElement[] {
  if (record.warnings.length === 0) return [];
  const items = record.warnings.map((warning) =>
    element('li', { class: 'notice' }, icon('warning'), element('span', {}, warning)),
  );
  return [element('ul', { class: 'warnings', 'aria-label': strings.warnings }, ...items)];
}
