/** Places that are marked at once; more would be slow to draw. */
const mostMarked = 2_000;
/** Under this name the style sheet knows them. */
const name = 'search';

/**
 * Marks every place in the shown texts where something stands that is searched for. The elements stay as they are:
 * marks are drawn over them, across the borders of marked words.
 */
export function markPlaces(root: HTMLElement, query: string): void {
  const marks = new Highlight();
  if (query.trim() !== '') {
    const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
    for (const text of root.querySelectorAll<HTMLElement>('pre, .excerpt, .label')) {
      for (const range of placesIn(text, pattern)) {
        if (marks.size >= mostMarked) break;
        marks.add(range);
      }
    }
  }
  if (marks.size === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, marks);
}

/** The first place that is marked inside an element. */
export function firstPlaceIn(element: HTMLElement): Range | undefined {
  const marks = CSS.highlights.get(name);
  if (marks === undefined) return undefined;
  for (const range of marks) {
    if (range instanceof Range && element.contains(range.startContainer)) return range;
  }
  return undefined;
}

function* placesIn(element: HTMLElement, pattern: RegExp): Generator<Range> {
  if (element.closest('[hidden]') !== null) return;
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const text = nodes.map(({ data }) => data).join('');
  let index = 0;
  let offset = 0;
  /** The node and the place in it of a place in the whole text; places only ever go forward. */
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
