import { describe, expect, it } from 'vitest';
import { knotsOf } from '../../scripts/house/circles.ts';

const graph = (edges: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(edges).map(([node, targets]) => [node, new Set(targets)]));

describe('knots in a graph', () => {
  it('are absent if no path leads back to its start', () => {
    expect(knotsOf(graph({ a: 'bc', b: 'd', c: 'd', d: '' }))).toEqual([]);
  });

  it('contain all nodes that reach each other, but no node that only leads to them', () => {
    expect(knotsOf(graph({ a: 'b', b: 'c', c: 'b', d: 'e', e: 'f', f: 'd', g: 'fa' }))).toEqual([
      ['b', 'c'],
      ['d', 'e', 'f'],
    ]);
  });

  it('combine cycles that share a node', () => {
    expect(knotsOf(graph({ a: 'bc', b: 'a', c: 'a' }))).toEqual([['a', 'b', 'c']]);
  });
});
