import { noToken, type TokenPairs } from './token-pairs.ts';

/** Maximum number of runs in a piece that is merged run by run: for example a blank, a line of hyphens and a line end. */
const mostRuns = 4;

/** Tokens that follow each other, and how often each is repeated. Joining a pair adds a run at most. */
const tokens = new Int32Array(0x100);
const repeats = new Int32Array(0x100);
let runs = 0;

/**
 * Byte pair encoding of a piece of few runs of the same byte, such as a line of hyphens or the blanks in a table. All
 * pairs within a run are joined at once, so a run of n bytes takes O(log n).
 *
 * That is the result of joining the lowest pair first: a token is higher than its halves, so a joined pair makes no
 * lower pair than the ones that are left in its run.
 *
 * @param byteTokens tokens of single bytes
 * @returns the number of tokens; 0 for a piece of more runs
 */
export function mergeRuns(
  pairs: TokenPairs,
  byteTokens: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  runs = 0;
  for (let at = start; at < end;) {
    if (runs === mostRuns) return 0;
    const byte = bytes[at]!;
    const from = at;
    while (at < end && bytes[at] === byte) at++;
    tokens[runs] = byteTokens[byte]!;
    repeats[runs++] = at - from;
  }
  while (joinLowest(pairs));
  let total = 0;
  for (let run = 0; run < runs; run++) total += repeats[run]!;
  return total;
}

/** Joins the lowest, leftmost pair, and all others in its run. @returns false if there is no pair */
function joinLowest(pairs: TokenPairs): boolean {
  let lowest = noToken;
  /** Run with the left half of the pair. */
  let left = 0;
  let isWithin = false;
  for (let run = 0; run < runs; run++) {
    const within = repeats[run]! > 1 ? pairs.find(tokens[run]!, tokens[run]!) : noToken;
    const between = run + 1 < runs ? pairs.find(tokens[run]!, tokens[run + 1]!) : noToken;
    if (Math.min(within, between) >= lowest) continue;
    lowest = Math.min(within, between);
    left = run;
    isWithin = within < between;
  }
  if (lowest === noToken) return false;
  const count = repeats[left]!;
  if (isWithin) {
    repeats[left] = count % 2;
    insert(left, lowest, Math.floor(count / 2));
  } else {
    repeats[left] = count - 1;
    repeats[left + 1]!--;
    insert(left + 1, lowest, 1);
  }
  tidy();
  return true;
}

function insert(at: number, token: number, count: number): void {
  for (let run = runs++; run > at; run--) {
    tokens[run] = tokens[run - 1]!;
    repeats[run] = repeats[run - 1]!;
  }
  tokens[at] = token;
  repeats[at] = count;
}

/** Removes empty runs, and unites neighbours of the same token. */
function tidy(): void {
  let kept = 0;
  for (let run = 0; run < runs; run++) {
    if (repeats[run] === 0) continue;
    if (kept > 0 && tokens[kept - 1] === tokens[run]) {
      repeats[kept - 1]! += repeats[run]!;
      continue;
    }
    tokens[kept] = tokens[run]!;
    repeats[kept++] = repeats[run]!;
  }
  runs = kept;
}
