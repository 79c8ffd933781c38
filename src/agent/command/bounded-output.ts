import { headOf, tailOf } from '../../compaction/clip.ts';

/** Characters kept at the beginning and, again, at the end. Two bytes each, so 2 MB are kept at most. */
const mostKept = 500_000;

/** A text of any length, of which the beginning and the end are kept. */
export class BoundedOutput {
  private readonly most: number;
  private head = '';
  private tail: string[] = [];
  private tailLength = 0;
  private droppedLength = 0;
  private lineEnds = 0;
  private endsLine = true;

  /** @param most characters kept at the beginning and, again, at the end */
  constructor(most = mostKept) {
    this.most = most;
  }

  push(text: string): void {
    if (text === '') return;
    this.lineEnds += lineEndsIn(text);
    this.endsLine = text.endsWith('\n');
    // What follows a tail that has begun belongs to it, also where a character that did not fit left a gap.
    const more = this.tailLength === 0 ? headOf(text, this.most - this.head.length) : '';
    this.head += more;
    if (more.length === text.length) return;
    const rest = text.slice(more.length);
    this.tail.push(rest);
    this.tailLength += rest.length;
    while (this.tailLength - this.tail[0]!.length >= this.most) this.drop(this.tail.shift()!);
  }

  get lines(): number {
    return this.lineEnds + (this.endsLine ? 0 : 1);
  }

  /** Whether something in the middle is missing. */
  get isShortened(): boolean {
    return this.droppedLength > 0 || this.tailLength > this.most;
  }

  /** What is kept, with a note where something is missing. */
  toString(): string {
    const kept = this.tail.join('');
    const tail = tailOf(kept, this.most);
    const missing = this.droppedLength + kept.length - tail.length;
    const note = missing === 0 ? '' : `\n[… ${missing} characters left out …]\n`;
    return `${this.head}${note}${tail}`;
  }

  private drop(text: string): void {
    this.tailLength -= text.length;
    this.droppedLength += text.length;
  }
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
