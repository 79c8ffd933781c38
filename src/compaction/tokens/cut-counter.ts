import type { CutOf } from '../text/known-cuts.ts';
import type { Cut } from '../text/clip.ts';
import type { RunningCount } from './running-count.ts';

/** Number of UTF-16 units between two checkpoints. A checkpoint takes four bytes, for each end of the text. */
const spacing = 64;
/** Bits of a checkpoint for the units after the last complete piece; the other bits are its tokens. */
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
  private readonly known = new WeakMap<object, Checkpoints>();
  private readonly counter: RunningCount;

  constructor(counter: RunningCount) {
    this.counter = counter;
  }

  count(cut: CutOf): number {
    const { whole, head, tail, middle, owner } = cut;
    const { counter } = this;
    if (whole.length >= shortestMarked) return this.checkpointsOf(owner, whole).count(cut, counter);
    counter.clear();
    counter.add(whole, 0, head);
    counter.add(middle);
    counter.add(whole, tail);
    return counter.total();
  }

  private checkpointsOf(owner: object, whole: string): Checkpoints {
    const known = this.known.get(owner);
    if (known?.whole === whole) return known;
    const checkpoints = new Checkpoints(whole);
    this.known.set(owner, checkpoints);
    return checkpoints;
  }
}

/** Borders between pieces of a text, with the tokens before or after them: one for each counted part. */
class Checkpoints {
  readonly whole: string;
  /** End of the last complete piece of each part, and the number of tokens before it. */
  private before: Uint32Array | undefined;
  /** Number of parts from the start that have such a checkpoint. Parts with an overlong piece have no checkpoint. */
  private marked = 0;
  /** One border near the end of each part, and the number of tokens after this border. */
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

  /** Adds the beginning of the text after a checkpoint, and adds new checkpoints. @returns tokens before the checkpoint */
  private addHead(head: number, counter: RunningCount): number {
    const { whole } = this;
    const checkpoints = (this.before ??= checkpointsFor(whole));
    const parts = Math.floor(head / spacing);
    let part = Math.min(parts, this.marked);
    while (part > 0 && checkpoints[part - 1] === unknown) part--;
    const checkpoint = part === 0 ? unknown : checkpoints[part - 1]!;
    const before = tokensOf(checkpoint);
    let at = part * spacing - unitsOf(checkpoint);
    for (; part < parts; part++) {
      const end = (part + 1) * spacing;
      counter.add(whole, at, end);
      checkpoints[part] = checkpointOf(before + counter.settled, counter.openUnits());
      at = end;
    }
    this.marked = Math.max(this.marked, parts);
    counter.add(whole, at, head);
    return before;
  }

  /** Counts the text's end as far as no checkpoint covers it. @returns tokens of all added text and the rest */
  private countTail(tail: number, counter: RunningCount): number {
    const { whole } = this;
    if (tail >= whole.length) return counter.total();
    const checkpoints = (this.after ??= checkpointsFor(whole));
    const first = Math.floor(tail / spacing);
    const settled: number[] = [];
    const open: number[] = [];
    let total: number | undefined;
    let at = tail;
    for (let part = first; part < checkpoints.length && total === undefined; part++) {
      const end = (part + 1) * spacing;
      counter.add(whole, at, end);
      at = end;
      const units = counter.openUnits();
      const checkpoint = checkpoints[part]!;
      const isOfTail = end - units >= tail;
      // After a border that was known before, all further pieces are the same.
      if (isOfTail && checkpoint !== unknown && unitsOf(checkpoint) === units)
        total = counter.settled + tokensOf(checkpoint);
      settled.push(counter.settled);
      open.push(isOfTail ? units : Infinity);
    }
    if (total === undefined) {
      counter.add(whole, at);
      total = counter.total();
    }
    for (const [index, tokens] of settled.entries()) {
      checkpoints[first + index] = checkpointOf(total - tokens, open[index]!) || checkpoints[first + index]!;
    }
    return total;
  }
}

const unknown = 0;

function checkpointsFor(text: string): Uint32Array {
  return new Uint32Array(Math.floor(text.length / spacing));
}

/** The last piece of a text is never complete, so no checkpoint is 0. */
function checkpointOf(tokens: number, open: number): number {
  return open > mostUnits || tokens > mostTokens ? unknown : (tokens << unitBits) | open;
}

function tokensOf(checkpoint: number): number {
  return checkpoint >>> unitBits;
}

function unitsOf(checkpoint: number): number {
  return checkpoint & mostUnits;
}
