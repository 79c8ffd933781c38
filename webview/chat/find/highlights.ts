/** Names that the style sheet knows. */
const allName = 'find';
const currentName = 'find-current';

/** Paints matches without touching the page; where that is not possible, selects the current one. */
export function highlight(ranges: readonly StaticRange[], current: StaticRange | undefined): void {
  if (!('highlights' in CSS)) {
    select(current);
    return;
  }
  CSS.highlights.set(allName, new Highlight(...ranges.filter((range) => range !== current)));
  CSS.highlights.set(currentName, new Highlight(...(current === undefined ? [] : [current])));
}

function select(range: StaticRange | undefined): void {
  const selection = getSelection();
  if (range === undefined) selection?.removeAllRanges();
  else {
    const { startContainer, startOffset, endContainer, endOffset } = range;
    selection?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  }
}
