import { noToken, type TokenPairs } from './token-pairs.ts';

/** Maximum number of tokens that are joined with a queue. The memory for them is kept. */
export const mostQueued = 4_096;

/**
 * Neighbours that make a token, the lowest token and then the leftmost first: a binary heap of tokens with the places of
 * their halves. Entries stay after one of their halves has been joined with another neighbour; they are then ignored.
 */
const queue = new Float64Array(3 * mostQueued);
let queued = 0;

/** Token that each token makes with the next one, and the places of the neighbours that are left. */
const made = new Int32Array(mostQueued);
const before = new Int32Array(mostQueued);
const after = new Int32Array(mostQueued);

/**
 * Joins the lowest, leftmost neighbours until no neighbours make a token. For many tokens this is faster than
 * `TokenPairs.merge`, which looks at all neighbours each time.
 *
 * @returns the number of tokens that are left
 */
export function mergeQueued(pairs: TokenPairs, tokens: Int32Array, count: number): number {
  queued = 0;
  for (let at = 0; at < count; at++) {
    before[at] = at - 1;
    after[at] = at + 1;
    made[at] = noToken;
    if (at + 1 < count) join(pairs, tokens, at, at + 1);
  }
  let left = count;
  while (queued > 0) {
    const lowest = takeFirst();
    const token = Math.floor(lowest / mostQueued);
    const at = lowest % mostQueued;
    if (made[at] !== token) continue;
    const joined = after[at]!;
    const next = after[joined]!;
    tokens[at] = token;
    made[at] = noToken;
    made[joined] = noToken;
    after[at] = next;
    left--;
    if (next < count) {
      before[next] = at;
      join(pairs, tokens, at, next);
    }
    if (at > 0) join(pairs, tokens, before[at]!, at);
  }
  return left;
}

/** Queues the token that two neighbours make, if they make one. */
function join(pairs: TokenPairs, tokens: Int32Array, at: number, next: number): void {
  const token = pairs.find(tokens[at]!, tokens[next]!);
  made[at] = token;
  if (token === noToken) return;
  const entry = token * mostQueued + at;
  let place = queued++;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (queue[parent]! <= entry) break;
    queue[place] = queue[parent]!;
    place = parent;
  }
  queue[place] = entry;
}

function takeFirst(): number {
  const first = queue[0]!;
  const last = queue[--queued]!;
  let place = 0;
  for (let child = 1; child < queued; child = 2 * place + 1) {
    if (child + 1 < queued && queue[child + 1]! < queue[child]!) child++;
    if (queue[child]! >= last) break;
    queue[place] = queue[child]!;
    place = child;
  }
  queue[place] = last;
  return first;
}
