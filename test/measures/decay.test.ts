import { describe, expect, it } from 'vitest';
import { decayOf } from '../../src/measures/decay.ts';
import { called, result, said, typed } from '../support/messages.ts';

const messages = ['one', 'two', 'three'].flatMap((name) => [
  typed(`u-${name}`, `look at ${name}`),
  called(`a-${name}`, [`c-${name}`, 'read', { path: `src/${name}.ts` }]),
  result(`r-${name}`, `c-${name}`, 'fine'),
]);
const cuts = [3, 6, 9];

describe('decay', () => {
  it('loses nothing where nothing is compacted', async () => {
    const steps = await decayOf(messages, cuts, (view) => Promise.resolve(view));
    expect(steps.map(({ isCompacted, artifacts }) => [isCompacted, artifacts.files.kept])).toEqual([
      [false, 1],
      [false, 1],
      [false, 1],
    ]);
  });

  it('looks at the first segment only, by both extractors, after every compaction', async () => {
    let compactions = 0;
    const steps = await decayOf(messages, cuts, () =>
      Promise.resolve([said(`s${++compactions}`, compactions < 3 ? 'Read src/one.ts.' : 'Read something.')]),
    );
    expect(steps.map(({ artifacts }) => artifacts.files)).toEqual([
      { kept: 1, total: 1, missing: [] },
      { kept: 1, total: 1, missing: [] },
      { kept: 0, total: 1, missing: ['src/one.ts'] },
    ]);
    expect(steps.map(({ facts }) => facts.files.kept)).toEqual([1, 1, 0]);
  });

  it('compacts what is left together with the next segment', async () => {
    const seen: (readonly [number, number])[] = [];
    await decayOf(messages, cuts, (view, history) => {
      seen.push([view.length, history.length]);
      return Promise.resolve([said('s', 'short')]);
    });
    expect(seen).toEqual([
      [3, 3],
      [4, 6],
      [4, 9],
    ]);
  });
});
