import { describe, expect, it } from 'vitest';
import { knotsOf } from '../../scripts/house/circles.ts';

const graph = (edges: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(edges).map(([node, targets]) => [node, new Set(targets)]));

describe('knots', () => {
  it('are empty if every path ends', () => {
    expect(knotsOf(graph({ a: 'bc', b: 'd', c: 'd', d: '' }))).toEqual([]);
  });

  it('contain all nodes that reach each other, and no node that only leads there', () => {
    expect(knotsOf(graph({ a: 'b', b: 'c', c: 'b', d: 'e', e: 'f', f: 'd', g: 'fa' }))).toEqual([
      ['b', 'c'],
      ['d', 'e', 'f'],
    ]);
  });

  it('merge circles that share a node', () => {
    expect(knotsOf(graph({ a: 'bc', b: 'a', c: 'a' }))).toEqual([['a', 'b', 'c']]);
  });
});
