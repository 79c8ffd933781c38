/** Elements that do not end a run of words. */
const inlineTags: ReadonlySet<string> = new Set(
  'A B BR CODE DEL EM I INS KBD MARK S SMALL STRONG SUB SUP U'.split(' '),
);

/** What stands on a page and nobody wrote: controls, and words for a screen reader. */
const skipped = '[hidden], .spoken, .link, vscode-button, textarea, svg';

/** The words of an element in one text, and where in it each text node begins. */
export interface RowText {
  readonly text: string;
  readonly pieces: readonly { readonly node: Text; readonly start: number }[];
}

/** Collects what can be read in an element. Blocks are apart by a line end, so that no words run into each other. */
export function rowText(root: Element): RowText {
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

/** A part of the text as a range of the page. */
export function rangeIn({ pieces }: RowText, start: number, end: number): StaticRange {
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
  while (parent !== null && inlineTags.has(parent.tagName)) parent = parent.parentElement;
  return parent;
}
