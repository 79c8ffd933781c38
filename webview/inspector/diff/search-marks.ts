import { css } from 'lit';
import { addStyles } from '../../shared/component.ts';

/** Maximum number of marked matches. Drawing more would be slow. */
const mostMarked = 2_000;
/** Name of the highlight in the styles. */
const name = 'search';

/**
 * Marks every match in the displayed texts. The elements are not changed: marks are drawn over them, even across the
 * borders of marked words.
 */
export function markPlaces(root: HTMLElement, query: string): void {
  const marks = new Highlight();
  if (query.trim() !== '') {
    const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
    for (const text of root.querySelectorAll<HTMLElement>('pre, .excerpt, .label, .gist')) {
      for (const range of placesIn(text, pattern)) {
        if (marks.size >= mostMarked) break;
        marks.add(range);
      }
    }
  }
  if (marks.size === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, marks);
}

/** The first marked match inside an element. */
export function firstPlaceIn(element: HTMLElement): Range | undefined {
  const marks = CSS.highlights.get(name);
  if (marks === undefined) return undefined;
  for (const range of marks) {
    if (range instanceof Range && element.contains(range.startContainer)) return range;
  }
  return undefined;
}

function* placesIn(element: HTMLElement, pattern: RegExp): Generator<Range> {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const text = nodes.map(({ data }) => data).join('');
  let index = 0;
  let offset = 0;
  /** The node and offset of a position in the whole text. Positions must not decrease from call to call. */
  const locate = (place: number): readonly [Text, number] | undefined => {
    for (let node = nodes[index]; node !== undefined; node = nodes[++index]) {
      if (place <= offset + node.length) return [node, place - offset];
      offset += node.length;
    }
    return undefined;
  };
  for (const match of text.matchAll(pattern)) {
    const start = locate(match.index);
    const end = locate(match.index + match[0].length);
    if (start === undefined || end === undefined) return;
    const range = new Range();
    range.setStart(...start);
    range.setEnd(...end);
    yield range;
  }
}

addStyles(css`
  ::highlight(search) {
    background: var(--vscode-editor-findMatchHighlightBackground, Mark);
    color: var(--vscode-editor-findMatchHighlightForeground, inherit);
  }
  body.vscode-high-contrast ::highlight(search) {
    background: Mark;
    color: MarkText;
    text-decoration: underline;
  }
`);
