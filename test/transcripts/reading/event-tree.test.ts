import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventTrees } from '../../../src/transcripts/reading/event-tree.ts';
import type { EventLine } from '../../../src/transcripts/reading/fields.ts';

const names = { id: 'id', parentId: 'parentId' };
const id = fc.constantFrom('a', 'b', 'c', 'd');
const rows = fc.array(fc.record({ id, parentId: fc.option(id) }, { requiredKeys: [] }), { minLength: 1 });

/** The conversations of a tree, as numbers of their lines. */
function conversationsOf(tree: ReturnType<ReturnType<typeof eventTrees>>) {
  const numbers = (way: readonly EventLine[]) => way.map(({ line }) => line);
  return {
    active: numbers(tree.wayTo()),
    others: tree
      .branches()
      .map((branch) => ({ id: branch.id, way: numbers(tree.wayTo(branch.end)), own: numbers(branch.own) })),
  };
}

it('finds the same conversations in a list that grows as in the whole list', () => {
  fc.assert(
    fc.property(rows, (fields) => {
      const treeOf = eventTrees(names);
      const events: EventLine[] = [];
      for (const [index, row] of fields.entries()) {
        events.push({ line: index + 1, fields: row });
        const whole = eventTrees(names)([...events]);
        expect(conversationsOf(treeOf([...events]))).toEqual(conversationsOf(whole));
      }
    }),
  );
});

it('separates the own lines of a branch from those of the active conversation', () => {
  fc.assert(
    fc.property(rows, (fields) => {
      const { active, others } = conversationsOf(
        eventTrees(names)(fields.map((row, index) => ({ line: index + 1, fields: row }))),
      );
      for (const { way, own } of others) {
        expect(own).toEqual(way.filter((line) => !active.includes(line)));
      }
    }),
  );
});

it('counts an id at its first position', () => {
  const tree = eventTrees(names)(
    [
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'a' },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'b' },
    ].map((fields, index) => ({ line: index + 1, fields })),
  );
  expect(conversationsOf(tree)).toEqual({ active: [1, 2, 4], others: [] });
});
