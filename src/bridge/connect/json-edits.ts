import type { Node } from 'jsonc-parser';

/**
 * Adds a value at the end of an object or array, on new lines unless the other values share one line. Nothing else
 * changes, except for the comma before the new value.
 * @param parent node of the object or array
 * @param name name of the new field; undefined in an array
 */
export function withChild(text: string, parent: Node, name: string | undefined, value: unknown): string {
  const closing = endOf(parent) - 1;
  const last = parent.children?.at(-1);
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  // Comments after the last child stay with that child.
  const place = trimmed(text, closing);
  const added = (gap: string, json: string) => {
    const isParted = last === undefined || commaAfter(text, endOf(last), closing) !== undefined;
    const parted = isParted ? [] : [{ from: endOf(last), to: endOf(last), content: ',' }];
    return spliced(text, [...parted, { from: place, to: place, content: `${gap}${label}${json}` }]);
  };
  if (last !== undefined && !text.slice(parent.offset, closing).includes('\n')) {
    return added(' ', JSON.stringify(value));
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = unitOf(text);
  const outer = indentationAt(text, parent.offset);
  const inner = last === undefined ? outer + unit : indentationAt(text, last.offset);
  const lines = JSON.stringify(value, undefined, unit).replace(/\n/gu, `${eol}${inner}`);
  const isOpen = last !== undefined || text.slice(place, closing).includes('\n');
  return added(`${eol}${inner}`, isOpen ? lines : `${lines}${eol}${outer}`);
}

/**
 * Removes a child of an object or array with its line and its comma.
 * @param parent node of the object or array
 * @param index index of the child
 */
export function withoutChild(text: string, parent: Node, index: number): string {
  const children = parent.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  const closing = endOf(parent) - 1;
  const [opening, previous] = [parent.offset + 1, children[index - 1]];
  const around = text.slice(opening, child.offset) + text.slice(endOf(child), closing);
  if (/^[\s,]*$/u.test(around)) return spliced(text, [{ from: opening, to: closing, content: '' }]);
  const isAtLineEnd = /^[ \t,]*(?:\/\/.*)?\r?\n/u.test(text.slice(endOf(child)));
  const from =
    isAtLineEnd || isLastOfLine(text, child, closing)
      ? trimmed(text, child.offset)
      : trimmed(text, child.offset, /[ \t]/u);
  const comma =
    commaAfter(text, endOf(child), children[index + 1]?.offset ?? closing) ??
    (previous && commaAfter(text, endOf(previous), child.offset));
  const commas = comma === undefined ? [] : [{ from: comma, to: comma + 1, content: '' }];
  return spliced(text, [...commas, { from, to: endOf(child), content: '' }]);
}

/** True if only the closing bracket follows the child, and the bracket would not end up in a line comment. */
function isLastOfLine(text: string, child: Node, closing: number): boolean {
  if (!/^[ \t,]*$/u.test(text.slice(endOf(child), closing))) return false;
  const place = trimmed(text, child.offset);
  return !text.slice(text.lastIndexOf('\n', place - 1) + 1, place).includes('//');
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly content: string;
}

/** @param splices must not overlap; splices at the same position are applied in order */
function spliced(text: string, splices: readonly Splice[]): string {
  return splices
    .map((splice, order) => ({ ...splice, order }))
    .sort((one, other) => other.from - one.from || other.order - one.order)
    .reduce((changed, { from, to, content }) => changed.slice(0, from) + content + changed.slice(to), text);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** @returns the position after the last character before `end` that `leftOut` does not match */
function trimmed(text: string, end: number, leftOut = /\s/u): number {
  let place = end;
  while (place > 0 && leftOut.test(text.charAt(place - 1))) place--;
  return place;
}

/** @returns the position of the first comma outside comments between two positions */
function commaAfter(text: string, start: number, end: number): number | undefined {
  for (const { 0: token, index } of text.slice(start, end).matchAll(/\/\/.*|\/\*[^]*?\*\/|,/gu)) {
    if (token === ',') return start + index;
  }
  return undefined;
}

/** Returns the indentation of the line at a position. */
export function indentationAt(text: string, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, place))?.[0] ?? '';
}

/** Returns the file's unit of indentation: a tab, or the spaces of its first indented line. */
function unitOf(text: string): string {
  const [, indent = '  '] = /\n([ \t]+)\S/u.exec(text) ?? [];
  return indent.startsWith('\t') ? '\t' : indent;
}
