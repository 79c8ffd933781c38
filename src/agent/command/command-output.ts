import { headOf, tailOf } from '../../compaction/text/clip.ts';
import { Redactor, secretsOf } from './redact.ts';

/** Collects output for the user and the model. Secrets are removed first, so that no later step sees them. */
export class CommandOutput {
  private readonly strippers = { stdout: new EscapeStripper(), stderr: new EscapeStripper() };
  private readonly redactor: Redactor;
  private readonly progress = new ProgressLines();
  private readonly shown = new ShownLines();
  private readonly kept: BoundedOutput;
  private readonly show: (text: string) => void;

  /** @param environment contains the secrets to remove */
  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    kept: BoundedOutput,
    show: (text: string) => void,
  ) {
    this.redactor = new Redactor(secretsOf(environment));
    this.kept = kept;
    this.show = show;
  }

  push(stream: 'stdout' | 'stderr', text: string): void {
    this.take(this.redactor.push(this.strippers[stream].push(text)));
  }

  end(): void {
    this.take(this.redactor.end());
    this.kept.push(this.progress.end());
  }

  private take(text: string): void {
    if (text === '') return;
    this.kept.push(this.progress.push(text));
    const more = this.shown.push(text);
    if (more !== '') this.show(more);
  }
}

/** Maximum characters kept at the beginning and also at the end. At two bytes a character, both take 2 MB. */
const mostKept = 500_000;

/** Output of any length. Only the beginning and the end are kept. */
export class BoundedOutput {
  private readonly most: number;
  private head = '';
  private tail: string[] = [];
  private tailLength = 0;
  private droppedLength = 0;
  private lineEnds = 0;
  private endsLine = true;

  /** @param most maximum characters kept at each end */
  constructor(most = mostKept) {
    this.most = most;
  }

  push(text: string): void {
    if (text === '') return;
    this.lineEnds += lineEndsIn(text);
    this.endsLine = text.endsWith('\n');
    // Once the tail has begun, text is added to it, even if a wide character did not fit into the head.
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

  get isShortened(): boolean {
    return this.droppedLength > 0 || this.tailLength > this.most;
  }

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

/** Terminal escape sequences (ECMA-48), complete or not, and control characters other than tabs and line ends. */
const sequences =
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|(\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$|\x9b[0-?]*[ -/]*$)|\x1b[ -/]*[0-~]?|[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f]+/g;
/** Maximum length of an escape sequence. Anything longer is text after a stray escape character. */
const longestSequence = 4_096;

/** Filter that removes terminal control sequences from text that arrives in pieces. */
export class EscapeStripper {
  private held = '';

  /** @returns the text without escape sequences, up to the first incomplete one */
  push(text: string): string {
    const whole = this.held + text;
    this.held = '';
    const plain = whole.replace(sequences, (_sequence, begun: string | undefined) => {
      this.held = begun ?? '';
      return '';
    });
    if (this.held.length <= longestSequence) return plain;
    const overlong = this.held.slice(1);
    this.held = '';
    return plain + overlong;
  }
}

/** Maximum length of a progress line, in characters. A longer line is passed on at once. */
const longestLine = 65_536;

/** Filter that keeps only the last state of an overwritten line, such as a progress display. */
export class ProgressLines {
  private line = '';

  /** @returns the finished lines */
  push(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) {
      const finished = lastStates(this.line + text.slice(0, end));
      this.line = text.slice(end);
      return finished;
    }
    this.line += text;
    if (this.line.length <= longestLine) return '';
    const overlong = lastState(this.line);
    this.line = '';
    return overlong;
  }

  /** @returns the last line if it has no line end */
  end(): string {
    const last = lastState(this.line);
    this.line = '';
    return last;
  }
}

/** Filter of progress lines for the live display, which cannot remove text. The new state is shown on a new line. */
export class ShownLines {
  private isLineStart = true;
  /** True if the output so far ends with a carriage return, which may begin a line end or overwrite the line. */
  private hasReturned = false;

  push(text: string): string {
    const whole = this.hasReturned ? `\r${text}` : text;
    this.hasReturned = whole.endsWith('\r');
    const firstEnd = whole.indexOf('\n');
    const firstLine = firstEnd < 0 ? whole : whole.slice(0, firstEnd);
    const startsOver = !this.isLineStart && withoutReturns(firstLine).includes('\r');
    const shown = (startsOver ? '\n' : '') + lastStates(whole);
    if (shown !== '') this.isLineStart = shown.endsWith('\n');
    return shown;
  }
}

function lastStates(text: string): string {
  return text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text;
}

function lastState(line: string): string {
  const text = withoutReturns(line);
  return text.slice(text.lastIndexOf('\r') + 1);
}

function withoutReturns(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === 13) end--;
  return line.slice(0, end);
}
