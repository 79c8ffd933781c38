import type { Coverage, CoverageCount } from '../../../../src/protocol/engine-terms.ts';
import type { CompactionRow, FateCount, RecordDetails } from '../../../../src/protocol/chat-rows.ts';
import {
  compactionNotes,
  fateWords,
  startName,
  startSentence,
  titleOfStrategy,
  listed,
} from '../../../shared/compaction-words.ts';
import { createDisclosure } from '../../../shared/controls.ts';
import { element, type ItemView, plainButton, setAttribute, setText } from '../../../shared/dom.ts';
import { icon } from '../../../shared/icons.ts';
import { formatCount, formatDuration, formatShort } from '../../../shared/numbers.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import type { RowContext } from './row-parts.ts';

export interface CompactionRowView extends ItemView<CompactionRow> {
  /** Shows the details that were requested when the row was opened. */
  showDetails(details: RecordDetails): void;
}

/** The row of a compaction. Links to its diff, can undo it, and unfolds to its effects. */
export function compactionRowView(row: CompactionRow, { post, open }: RowContext): CompactionRowView {
  let current = row;
  let details: RecordDetails | undefined;
  const openKey = `compaction:${row.id}`;
  const words = element('span', { class: 'compaction-words' });
  const diff = plainButton({ class: 'link' }, () => post({ type: 'open-inspector', recordId: row.id }));
  const undo = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'undo', recordId: row.id }),
    strings.undo,
  );
  const disclosure = createDisclosure({
    isOpen: open.has(openKey),
    class: 'compaction-line',
    onToggle: (isOpen) => {
      open.set(openKey, isOpen);
      if (!isOpen || details !== undefined) return;
      setText(disclosure.panel, strings.record.loading);
      post({ type: 'record-summary', recordId: row.id });
    },
  });
  disclosure.button.append(icon('chevron'), icon('compaction'), words);
  disclosure.panel.classList.add('record');
  const root = element(
    'div',
    { class: 'row compaction' },
    disclosure.button,
    element('span', { class: 'compaction-actions' }, diff, undo),
    disclosure.panel,
  );
  const update = (next: CompactionRow) => {
    current = next;
    setText(words, describe(next));
    setAttribute(words, 'title', next.trigger === undefined ? undefined : startSentence(next.trigger));
    root.classList.toggle('is-refused', next.status !== 'applied');
    setText(diff, next.status === 'applied' ? strings.diff : strings.details);
    undo.hidden = next.status !== 'applied' || next.isUndone;
  };
  update(row);
  return {
    element: root,
    update,
    showDetails(next) {
      details = next;
      disclosure.panel.replaceChildren(...recordFacts(current, next));
    },
  };
}

function describe(row: CompactionRow): string {
  const { requestedStrategy, status, reason } = row;
  const strategy = titleOfStrategy(row.strategy);
  if (status === 'applied') {
    const byHand = describeByHand(row);
    if (row.isUndone) return strings.undone({ what: byHand ?? strategy });
    if (byHand !== undefined) return byHand;
    const standsIn = requestedStrategy !== undefined && requestedStrategy !== row.strategy;
    const start = startName(row.trigger?.start);
    return [
      strings.applied({
        strategy,
        before: formatShort(row.tokensBefore),
        after: formatShort(row.tokensAfter),
      }),
      ...partOf(row),
      ...(start === undefined ? [] : [start]),
      ...(standsIn ? [strings.inPlaceOf({ strategy: titleOfStrategy(requestedStrategy) })] : []),
      ...compactionNotes({ ...row, actualStrategy: row.strategy, part: undefined }),
    ].join(' · ');
  }
  const what = strings.notApplied[status]({ strategy: titleOfStrategy(requestedStrategy ?? row.strategy) });
  return reason === undefined || reason === ''
    ? strings.sentence({ what })
    : strings.because({ what, reason });
}

const { didHide, didHidePictures, didRewind, ofPart } = strings.hand;

/** Description of a manual compaction; undefined for other compactions. */
function describeByHand({ byHand, tokensBefore, tokensAfter }: CompactionRow): string | undefined {
  if (byHand === undefined) return undefined;
  const { messages } = byHand;
  switch (byHand.what) {
    case 'hide':
      return didHide({ messages, tokens: tokensBefore - tokensAfter });
    case 'pictures':
      return didHidePictures({ messages });
    case 'rewind':
      return [
        didRewind,
        strings.record.fromTo({ before: formatShort(tokensBefore), after: formatShort(tokensAfter) }),
      ].join(' · ');
    case 'part':
      return undefined;
  }
}

function partOf({ byHand }: CompactionRow): readonly string[] {
  if (byHand?.what !== 'part') return [];
  return [ofPart({ messages: byHand.messages })];
}

const words = strings.record;

/** Maximum number of missing facts that are named. The others are only counted. */
const longestList = 8;

const covered = [
  'files',
  'commands',
  'errors',
  'identifiers',
  'userMessages',
] as const satisfies readonly (keyof Coverage)[];

/** The effects of a compaction: the fates of messages, the facts kept, and the cost. */
function recordFacts(row: CompactionRow, details: RecordDetails): readonly HTMLElement[] {
  const { fates, coverage, tiers, warnings } = details;
  const isApplied = row.status === 'applied';
  const why = row.trigger === undefined ? undefined : startSentence(row.trigger);
  return [
    ...(why === undefined ? [] : [element('p', {}, why)]),
    ...(isApplied && fates.length > 0
      ? [element('ul', { class: 'fates', 'aria-label': words.fates }, ...fates.map(fateItem))]
      : []),
    ...(isApplied ? [...sentences(coverage), costOf(details)].map((text) => element('p', {}, text)) : []),
    ...(tiers.length > 1 || !isApplied ? triedOf(details) : []),
    ...tookOf(details),
    ...warnings.map((warning) =>
      element('p', { class: 'record-warning' }, icon('warning'), element('span', {}, revealed(warning))),
    ),
  ];
}

/** Sizes before and after the compaction; a single number if they are equal. */
function tokensOf({ tokensBefore, tokensAfter }: FateCount): string {
  const [before, after] = [formatShort(tokensBefore), formatShort(tokensAfter)];
  return tokensBefore === tokensAfter
    ? strings.tokensOf({ count: before })
    : strings.tokensOf({ count: words.fromTo({ before, after }) });
}

function fateItem(count: FateCount): HTMLElement {
  const { fate, messages } = count;
  return element(
    'li',
    { class: 'record-fate' },
    icon(fate),
    element('span', {}, words.fate({ count: messages, name: fateWords[fate] })),
    element('span', { class: 'fate-tokens' }, tokensOf(count)),
  );
}

/** The share of facts kept, and the names of missing facts. */
function sentences(coverage: Coverage): readonly string[] {
  const parts = covered.flatMap((name) => {
    const { kept, total } = coverage[name];
    return total === 0 ? [] : [words.coverage[name]({ kept, total })];
  });
  // Typed messages are known only by their ids.
  const missing = covered.filter((name) => name !== 'userMessages').map((name) => coverage[name]);
  const names = missing.flatMap(({ missing: some }) => some).slice(0, longestList);
  const rest = sumOfMissing(missing) - names.length;
  const messages = sumOfMissing([coverage.userMessages]);
  const lost = names.map((name) => revealed(name).replace(/\s+/g, ' '));
  if (rest > 0 && names.length > 0) lost.push(words.andMore({ count: rest }));
  if (messages > 0) lost.push(words.yourMessages({ count: messages }));
  return [
    ...(parts.length === 0 ? [] : [strings.sentence({ what: words.kept({ parts: listed(parts) }) })]),
    ...(lost.length === 0 ? [] : [strings.sentence({ what: words.missing({ names: listed(lost) }) })]),
  ];
}

function sumOfMissing(parts: readonly CoverageCount[]): number {
  return parts.reduce((sum, { kept, total }) => sum + total - kept, 0);
}

function costOf({ cost }: RecordDetails): string {
  const { cacheMissTokens, savedPerCall, breakEvenCalls: calls } = cost;
  if (calls === null || savedPerCall <= 0) return words.neverPaysBack;
  const saved = formatCount(savedPerCall);
  if (cacheMissTokens === 0) return words.noMiss({ saved });
  return words.paysBack({ missed: cacheMissTokens, saved, calls });
}

function triedOf({ tiers }: RecordDetails): readonly HTMLElement[] {
  if (tiers.length === 0) return [];
  const tried = tiers.map(({ strategy, status }) =>
    words.tier({ strategy: titleOfStrategy(strategy), status: words.tierStatuses[status] }),
  );
  return [element('p', {}, strings.sentence({ what: words.tried({ tiers: listed(tried) }) }))];
}

/** The duration of the compaction. It is unknown for other agents. */
function tookOf({ durationMs, summaryModel }: RecordDetails): readonly HTMLElement[] {
  if (durationMs === 0) return [];
  const duration = formatDuration(durationMs);
  const text =
    summaryModel === undefined ? words.took({ duration }) : words.tookWith({ duration, model: summaryModel });
  return [element('p', {}, text)];
}
