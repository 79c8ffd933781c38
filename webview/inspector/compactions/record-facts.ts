import { type Coverage, type CoverageCount, kinds } from '../../../src/protocol/engine-terms.ts';
import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { kindNames, listed, listSeparator } from '../../shared/compaction-words.ts';
import { createDisclosure } from '../../shared/controls.ts';
import { type Child, element, setAttribute } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatChange, formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { NameStore } from './bring-back-panel.ts';

const words = inspectorTexts.facts;
const more = inspectorTexts.compactionsTab;

/** Maximum number of missing facts that are listed. The others are only counted. */
const longestList = 100;
/** Maximum number of names in the sentence. */
const namesInSentence = 3;
/** Maximum characters of a name in the sentence. A longer name is cut in the middle. */
const longestInSentence = 64;

/** Kinds in the order of the sentence. */
const order: readonly MissingKind[] = ['files', 'commands', 'errors', 'identifiers', 'userMessages'];
/** Kinds that are shown even if no fact was lost. */
const alwaysShown: ReadonlySet<MissingKind> = new Set(['files', 'commands']);

/** The numbers of kept facts in large type. The names of lost facts are shown on demand. */
export function coverageFacts(coverage: Coverage, names: NameStore): readonly HTMLElement[] {
  return order.flatMap((kind) => {
    const { kept, total } = coverage[kind];
    if (total === 0 || (kept >= total && !alwaysShown.has(kind))) return [];
    return coverageFact(kind, coverage[kind], names);
  });
}

/** A sentence about kept and lost facts; undefined if there are no facts. */
export function coverageSentence(coverage: Coverage): HTMLElement | undefined {
  const counted = order.filter((kind) => coverage[kind].total > 0);
  if (counted.length === 0) return undefined;
  const parts = counted.map((kind) => {
    const { kept, total } = coverage[kind];
    return more.counted[kind]({ kept, total });
  });
  return element(
    'p',
    { class: 'notes' },
    more.kept({ parts: listed(parts) }),
    ...missingPart(coverage),
    more.end,
  );
}

/** True if any fact for which the coverage counts is missing. */
export function isAnythingMissing(coverage: Coverage): boolean {
  return order.some((kind) => coverage[kind].kept < coverage[kind].total);
}

function missingPart(coverage: Coverage): readonly Child[] {
  const lost = (kind: MissingKind) => coverage[kind].total - coverage[kind].kept;
  // Typed messages are known only by their ids.
  const named = order.filter((kind) => kind !== 'userMessages');
  const shown = named.flatMap((kind) => coverage[kind].missing).slice(0, namesInSentence);
  const rest = named.reduce((sum, kind) => sum + lost(kind), 0) - shown.length;
  const messages = lost('userMessages');
  if (shown.length + messages === 0) return [];
  return [
    more.missing,
    ...shown.flatMap((name, index) => [index === 0 ? '' : listSeparator, shortName(name)]),
    rest > 0 ? (messages === 0 ? more.andMore : more.more)({ count: rest }) : '',
    messages > 0 ? (shown.length === 0 ? more.messages : more.andMessages)({ count: messages }) : '',
  ];
}

/** A shortened name in a sentence. Its title and the list show the full name. */
function shortName(name: string): HTMLElement {
  if (name.length <= longestInSentence) return element('code', {}, name);
  const half = Math.floor(longestInSentence / 2);
  // Half a surrogate pair cannot be drawn.
  const head = name.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = name.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return element('code', { title: name }, `${head}…${tail}`);
}

function coverageFact(
  kind: MissingKind,
  { kept, total, missing }: CoverageCount,
  names: NameStore,
): HTMLElement {
  const what = words[kind];
  const value = words.keptOf({ kept, total });
  if (kept >= total) return fact(value, what);
  const disclosure = createDisclosure({
    isOpen: false,
    class: 'missing',
    onToggle: (isOpen) => {
      if (!isOpen || disclosure.panel.childElementCount > 0) return;
      // The record lists only the first missing facts, and messages only by id.
      const isComplete = kind !== 'userMessages' && missing.length === total - kept;
      if (isComplete) disclosure.panel.append(nameList(missing));
      else {
        disclosure.panel.append(element('p', { class: 'dim' }, more.loadingNames));
        names.request(kind, (all) => disclosure.panel.replaceChildren(nameList(all)));
      }
    },
  });
  disclosure.button.append(icon('chevron'), words.missing({ what, count: total - kept }));
  disclosure.panel.classList.add('missing-names');
  return fact(value, disclosure.button, disclosure.panel);
}

/** A list of names, one per line. */
export function nameList(names: readonly string[]): HTMLElement {
  const listed = names.slice(0, longestList).map((name) => element('li', {}, element('code', {}, name)));
  const rest = names.length - listed.length;
  if (rest > 0) listed.push(element('li', {}, words.andMore({ count: rest })));
  return element('ul', {}, ...listed);
}

type Sizes = Pick<RecordView, 'byKindBefore' | 'byKindAfter' | 'tokensBefore' | 'tokensAfter'>;

/** A table with the sizes of each kind before and after, on demand. */
export function kindTable(record: Sizes): readonly HTMLElement[] {
  const disclosure = createDisclosure({
    isOpen: false,
    class: 'by-kind',
    onToggle: (isOpen) => {
      if (isOpen && disclosure.panel.childElementCount === 0) disclosure.panel.append(table(record));
    },
  });
  disclosure.button.append(icon('chevron'), more.byKind);
  // On a narrow page, the table scrolls sideways, also with the arrow keys.
  setAttribute(disclosure.panel, 'tabindex', 0);
  setAttribute(disclosure.panel, 'role', 'region');
  setAttribute(disclosure.panel, 'aria-label', more.byKindTable);
  return [disclosure.button, disclosure.panel];
}

function table({ byKindBefore, byKindAfter, tokensBefore, tokensAfter }: Sizes): HTMLElement {
  const present = kinds.filter((kind) => byKindBefore[kind] > 0 || byKindAfter[kind] > 0);
  const head = [more.kind, more.before, more.after, more.change];
  return element(
    'table',
    { class: 'kind-table' },
    element('caption', { class: 'spoken' }, more.byKindTable),
    element('thead', {}, element('tr', {}, ...head.map((name) => element('th', { scope: 'col' }, name)))),
    element(
      'tbody',
      {},
      ...present.map((kind) => row(kindNames[kind], byKindBefore[kind], byKindAfter[kind], `kind-${kind}`)),
      row(more.total, tokensBefore, tokensAfter),
    ),
  );
}

function row(name: string, before: number, after: number, kind?: string): HTMLElement {
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      kind === undefined
        ? undefined
        : element('span', { class: `swatch kind ${kind}`, 'aria-hidden': 'true' }),
      name,
    ),
    element('td', {}, formatCount(before)),
    element('td', {}, formatCount(after)),
    element('td', {}, before === 0 ? '' : formatChange(before, after)),
  );
}

/** A number in large type with a label below it. */
export function fact(value: string, ...label: readonly (string | HTMLElement)[]): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('b', {}, value),
    element('div', { class: 'dim' }, ...label),
  );
}
