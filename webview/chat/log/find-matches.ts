import type { FoldedText } from './rows/row-parts.ts';

/** Maximum number of matches. */
export const mostMatches = 1000;

export interface SearchedRow {
  /** Undefined for a row that is not drawn. */
  readonly element?: HTMLElement | undefined;
  readonly folded?: FoldedText | undefined;
}

export interface Match {
  readonly row: SearchedRow;
  /** Range of the match; undefined in folded text. */
  readonly range: StaticRange | undefined;
}

/** Finds a string in rows, in order and ignoring case. The folded text of a row is searched after its visible text. */
export function findMatches(rows: Iterable<SearchedRow>, query: string): readonly Match[] {
  if (query === '') return [];
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const matches: Match[] = [];
  for (const row of rows) {
    const shown = row.element === undefined ? noText : rowText(row.element);
    for (const { 0: found, index } of shown.text.matchAll(pattern)) {
      if (matches.push({ row, range: rangeIn(shown, index, index + found.length) }) >= mostMatches)
        return matches;
    }
    for (const _ of (row.folded?.text() ?? '').matchAll(pattern)) {
      if (matches.push({ row, range: undefined }) >= mostMatches) return matches;
    }
  }
  return matches;
}

/** Elements within which a word may continue. */
const inlineTags: ReadonlySet<string> = new Set(
  'A B BR CODE DEL EM I INS KBD MARK S SMALL STRONG SUB SUP U'.split(' '),
);

/** Parts of a row that are not searched: controls, and text for screen readers. */
const skipped = '[hidden], .spoken, .link, vscode-button, textarea, svg';

/** The text of an element, and the position of each text node in it. */
interface RowText {
  readonly text: string;
  readonly pieces: readonly { readonly node: Text; readonly start: number }[];
}

const noText: RowText = { text: '', pieces: [] };

/** Collects the visible text of an element. Line breaks between blocks keep their words apart. */
function rowText(root: Element): RowText {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const pieces: { readonly node: Text; readonly start: number }[] = [];
  let text = '';
  let block: Element | null | undefined;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const own = blockOf(node);
    if (block !== undefined && own !== block) text += '\n';
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

/** Converts a part of the text to a range of the page. */
function rangeIn({ pieces }: RowText, start: number, end: number): StaticRange {
  const [first, last] = [pieceAt(pieces, start), pieceAt(pieces, end - 1)];
  return new StaticRange({
    startContainer: first.node,
    startOffset: start - first.start,
    endContainer: last.node,
    endOffset: end - last.start,
  });
}

function pieceAt(pieces: RowText['pieces'], position: number): RowText['pieces'][number] {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  if (piece === undefined) throw new RangeError(`No text at ${position}`);
  return piece;
}

function blockOf(node: Text): Element | null {
  let parent = node.parentElement;
  while (parent !== null && (inlineTags.has(parent.tagName) || parent.matches('.cut-head')))
    parent = parent.parentElement;
  return parent;
}

/**
 * The place of a range on the page, after scrolling it into view in nested scroll areas. A row that was never drawn
 * cannot be measured yet, so callers must ask again later.
 */
export function placeOf(match: StaticRange, scroller: Element): Pick<Element, 'getBoundingClientRect'> {
  const range = liveRange(match);
  return {
    getBoundingClientRect() {
      showWithin(range, scroller);
      return range.getBoundingClientRect();
    },
  };
}

function showWithin(range: Range, scroller: Element): void {
  let { parentElement: box } = range.startContainer;
  for (; box !== null && box !== scroller; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue;
    const { overflowX, overflowY } = getComputedStyle(box);
    const [inner, outer] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    if (overflowY === 'auto' && (inner.top < outer.top || inner.bottom > outer.bottom)) {
      box.scrollTop += inner.top - outer.top - outer.height / 3;
    }
    if (overflowX === 'auto' && (inner.left < outer.left || inner.right > outer.right)) {
      box.scrollLeft += inner.left - outer.left - outer.width / 3;
    }
  }
}

/** A range that can be measured. */
function liveRange({ startContainer, startOffset, endContainer, endOffset }: StaticRange): Range {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}
