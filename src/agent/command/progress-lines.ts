/** Characters of a line that are waited for: a longer one is not a progress display. */
const longestLine = 65_536;

/** Leaves of lines that were written over, as progress displays do, only what they said last. */
export class ProgressLines {
  private line = '';

  /** @returns the lines that are finished */
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

  /** @returns the last line, where it has no end */
  end(): string {
    const last = lastState(this.line);
    this.line = '';
    return last;
  }
}

/** The same for people who watch: what they have seen cannot be taken back, so a line that is written over goes on below. */
export class ShownLines {
  private isLineStart = true;
  /** Whether the text so far ends with a return, which is half a line end or the start over of a line. */
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

/** Each line as it was last. */
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
