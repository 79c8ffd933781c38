import { type CharacterClass, classes, classOf, endByte } from './character-classes.ts';

const groups = {
  upper: ['upper', 'upperS', 'upperR', 'upperE', 'upperL'],
  lower: ['lower', 'lowerS', 'lowerR', 'lowerE', 'lowerL'],
  s: ['upperS', 'lowerS'],
  r: ['upperR', 'lowerR'],
  e: ['upperE', 'lowerE'],
  l: ['upperL', 'lowerL'],
  caseless: ['caseless'],
  mark: ['mark'],
  digit: ['digit'],
  blank: ['blank'],
  white: ['blank', 'space'],
  lineEnd: ['lineEnd'],
  symbol: ['apostrophe', 'slash', 'other'],
  apostrophe: ['apostrophe'],
  slash: ['slash'],
  end: ['end'],
} as const satisfies Readonly<Record<string, readonly CharacterClass[]>>;

type Group = keyof typeof groups;

/** A state of a scan that has read the beginning of a piece. */
export interface ScanState<Name extends string> {
  /** Groups of characters before which the piece may end here; all groups by default. */
  readonly endsBefore?: readonly Group[];
  /** Next state by group. If several groups match, the last one applies. If none matches, the piece ends. */
  readonly next: Readonly<Partial<Record<Group, Name>>>;
}

/** A split pattern as a finite automaton: for each state and class of characters, the next state. */
export type ScanTable = Uint16Array;

/** Columns of a state. A state is the index of its row, which is even. Row 0 means that the piece has ended. */
const columns = 32;
const initial = columns;
/** Added to the next state if the piece may end before the character. */
const mayEnd = 1;
export function scanTable<Name extends string>(
  states: Readonly<Record<NoInfer<Name>, ScanState<NoInfer<Name>>>>,
): ScanTable {
  const names = Object.keys(states) as Name[];
  const table = new Uint16Array((names.length + 1) * columns);
  for (const [index, name] of names.entries()) {
    const { endsBefore, next } = states[name];
    const row = table.subarray((index + 1) * columns, (index + 2) * columns);
    if (endsBefore === undefined) row.fill(mayEnd);
    for (const group of endsBefore ?? []) for (const one of groups[group]) row[classes[one]] = mayEnd;
    for (const [group, to] of Object.entries(next) as [Group, Name][]) {
      const state = (names.indexOf(to) + 1) * columns;
      // States in which the piece may end before every character need no mark.
      const marks = states[to].endsBefore === undefined ? 0 : mayEnd;
      for (const one of groups[group]) row[classes[one]] = state | (row[classes[one]]! & marks);
    }
  }
  return table;
}

/** Search for the end of one piece. It continues when more bytes arrive, so that each byte is read once. */
export class PieceScan {
  /** Start of the piece. `end` assumes that the text ends where the bytes end. */
  start = 0;
  end = 0;
  private at = 0;
  private state = initial;
  private sure = 0;

  begin(start: number): void {
    this.start = start;
    this.end = start;
    this.at = start;
    this.state = initial;
    this.sure = start;
  }

  /** Continues reading valid UTF-8 up to an `endByte`. @returns true if later text cannot change the piece */
  advance(table: ScanTable, bytes: Uint8Array): boolean {
    let { at, state, sure } = this;
    for (;;) {
      let byte = bytes[at]!;
      // A separate loop for ASCII, which most text is.
      while (byte < 0x80) {
        const next = table[state | classOf[byte]!]!;
        if (next <= mayEnd) return this.endAt(next === mayEnd ? at : sure);
        if ((next & mayEnd) !== 0) sure = at;
        state = next & ~mayEnd;
        byte = bytes[++at]!;
      }
      let codePoint: number;
      let width: number;
      if (byte < 0xe0) {
        codePoint = ((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
        width = 2;
      } else if (byte < 0xf0) {
        codePoint = ((byte & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
        width = 3;
      } else if (byte === endByte) {
        this.at = at;
        this.state = state;
        this.sure = sure;
        this.end = table[state | classes.end] === mayEnd ? at : sure;
        return false;
      } else {
        const first = ((byte & 0x07) << 18) | ((bytes[at + 1]! & 0x3f) << 12);
        codePoint = first | ((bytes[at + 2]! & 0x3f) << 6) | (bytes[at + 3]! & 0x3f);
        width = 4;
      }
      const next = table[state | classOf[codePoint]!]!;
      if (next <= mayEnd) return this.endAt(next === mayEnd ? at : sure);
      if ((next & mayEnd) !== 0) sure = at;
      state = next & ~mayEnd;
      at += width;
    }
  }

  private endAt(end: number): true {
    this.end = end;
    return true;
  }

  /** Adjusts the positions after the bytes were moved to the front. */
  moveBack(by: number): void {
    this.start -= by;
    this.end -= by;
    this.at -= by;
    this.sure -= by;
  }

  copy(): PieceScan {
    return Object.assign(new PieceScan(), this);
  }
}
