import { type CharacterClass, classes, classOfByte, classOfWide, widthOf } from './character-classes.ts';

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
/**
 * Column of a byte that does not determine the class of its character. The scan stops there to decode the character.
 */
const wide = 31;
const columnOfByte = classOfByte.map((one, byte) => (byte < 0x80 ? one : wide));

export function scanTable<Name extends string>(
  states: Readonly<Record<NoInfer<Name>, ScanState<NoInfer<Name>>>>,
): ScanTable {
  const names = Object.keys(states) as Name[];
  const table = new Uint16Array((names.length + 1) * columns);
  for (const [index, name] of names.entries()) {
    const { endsBefore, next } = states[name];
    const row = table.subarray((index + 1) * columns, (index + 2) * columns);
    if (endsBefore === undefined) row.fill(mayEnd, 0, wide);
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
      let next = table[state | columnOfByte[byte]!]!;
      // A separate loop for ASCII, which makes no calls, because V8 reloads the arrays after a call.
      while (next > mayEnd) {
        if ((next & mayEnd) !== 0) sure = at;
        state = next & ~mayEnd;
        byte = bytes[++at]!;
        next = table[state | columnOfByte[byte]!]!;
      }
      if (byte >= 0x80) {
        const charClass = classOfWide(bytes, at);
        next = table[state | charClass]!;
        if (charClass === classes.end) {
          this.at = at;
          this.state = state;
          this.sure = sure;
          this.end = next === mayEnd ? at : sure;
          return false;
        }
      }
      if (next <= mayEnd) {
        this.end = next === mayEnd ? at : sure;
        return true;
      }
      if ((next & mayEnd) !== 0) sure = at;
      state = next & ~mayEnd;
      at += widthOf(byte);
    }
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
