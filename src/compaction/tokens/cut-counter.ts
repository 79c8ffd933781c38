import type { CutOf } from '../text/cut-marks.ts';
import type { Cut } from '../text/clip.ts';
import type { RunningCount } from './running-count.ts';

/** Number of UTF-16 units between two marks. A mark takes four bytes, for each end of the text. */
const spacing = 64;
/** Bits of a mark for the units after the last complete piece; the other bits are its tokens. */
const unitBits = 8;
const mostUnits = 2 ** unitBits - 1;
const mostTokens = 2 ** (32 - unitBits) - 1;
const shortestMarked = 4 * spacing;

/**
 * Counts cuts of texts exactly, and reads only ranges of a text that no earlier cut included. This works because split
 * patterns match from left to right and only look ahead. Equal beginnings of texts have equal pieces, up to the last
 * one known to be complete. Pieces after a border do not depend on the text before it.
 */
export class CutCounter {
  private readonly known = new WeakMap<object, Marks>();
  private readonly counter: RunningCount;

  constructor(counter: RunningCount) {
    this.counter = counter;
  }

  count(cut: CutOf): number {
    const { whole, head, tail, middle, owner } = cut;
    const { counter } = this;
    if (whole.length >= shortestMarked) return this.marksOf(owner, whole).count(cut, counter);
    counter.clear();
    counter.add(whole, 0, head);
    counter.add(middle);
    counter.add(whole, tail);
    return counter.total();
  }

  private marksOf(owner: object, whole: string): Marks {
    const known = this.known.get(owner);
    if (known?.whole === whole) return known;
    const marks = new Marks(whole);
    this.known.set(owner, marks);
    return marks;
  }
}

/** Borders between pieces of a text, with the tokens before or after them: one for each counted part. */
class Marks {
  readonly whole: string;
  /** End of the last complete piece of each part, and the tokens up to there. */
  private before: Uint32Array | undefined;
  /** Number of parts from the start that have such a mark. Parts with an overlong piece have no mark. */
  private marked = 0;
  /** A border near the end of each part, and the tokens from there to the end of the text. */
  private after: Uint32Array | undefined;

  constructor(whole: string) {
    this.whole = whole;
  }

  count({ head, tail, middle }: Cut, counter: RunningCount): number {
    counter.clear();
    const before = this.addHead(head, counter);
    counter.add(middle);
    return before + this.countTail(tail, counter);
  }

  /** Adds the beginning of the text after a mark, and adds new marks. @returns tokens before the mark */
  private addHead(head: number, counter: RunningCount): number {
    const { whole } = this;
    const marks = (this.before ??= marksFor(whole));
    const parts = Math.floor(head / spacing);
    let part = Math.min(parts, this.marked);
    while (part > 0 && marks[part - 1] === unknown) part--;
    const mark = part === 0 ? unknown : marks[part - 1]!;
    const before = tokensOf(mark);
    let at = part * spacing - unitsOf(mark);
    for (; part < parts; part++) {
      const end = (part + 1) * spacing;
      counter.add(whole, at, end);
      marks[part] = markOf(before + counter.settled, counter.openUnits());
      at = end;
    }
    this.marked = Math.max(this.marked, parts);
    counter.add(whole, at, head);
    return before;
  }

  /** Counts the text's end as far as no mark covers it. @returns tokens of all added text and the rest */
  private countTail(tail: number, counter: RunningCount): number {
    const { whole } = this;
    if (tail >= whole.length) return counter.total();
    const marks = (this.after ??= marksFor(whole));
    const first = Math.floor(tail / spacing);
    const settled: number[] = [];
    const open: number[] = [];
    let total: number | undefined;
    let at = tail;
    for (let part = first; part < marks.length && total === undefined; part++) {
      const end = (part + 1) * spacing;
      counter.add(whole, at, end);
      at = end;
      const units = counter.openUnits();
      const mark = marks[part]!;
      const isOfTail = end - units >= tail;
      // After a border that was known before, all further pieces are the same.
      if (isOfTail && mark !== unknown && unitsOf(mark) === units) total = counter.settled + tokensOf(mark);
      settled.push(counter.settled);
      open.push(isOfTail ? units : Infinity);
    }
    if (total === undefined) {
      counter.add(whole, at);
      total = counter.total();
    }
    for (const [index, tokens] of settled.entries()) {
      marks[first + index] = markOf(total - tokens, open[index]!) || marks[first + index]!;
    }
    return total;
  }
}

const unknown = 0;

function marksFor(text: string): Uint32Array {
  return new Uint32Array(Math.floor(text.length / spacing));
}

/** The last piece of a text is never complete, so no mark is 0. */
function markOf(tokens: number, open: number): number {
  return open > mostUnits || tokens > mostTokens ? unknown : (tokens << unitBits) | open;
}

function tokensOf(mark: number): number {
  return mark >>> unitBits;
}

function unitsOf(mark: number): number {
  return mark & mostUnits;
}
