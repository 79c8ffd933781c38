/**
 * Where a range is on the page, scrolled into view within everything that scrolls by itself inside of an outer
 * scroller. A row that was never drawn has no lines to measure before it comes into view: ask again.
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
