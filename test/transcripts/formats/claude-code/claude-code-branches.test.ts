import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conversationsOf } from '../../../../src/transcripts/formats/claude-code/claude-code-branches.ts';
import type { Fields } from '../../../../src/transcripts/reading/fields.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const said = fc.oneof(
  fc.record({ content: fc.constant('a prompt') }),
  fc.record({ id, content: fc.constant([{ type: 'text', text: 'a reply' }]) }),
  id.map((call) => ({ content: [{ type: 'tool_result', tool_use_id: call }] })),
);
const row: fc.Arbitrary<Fields> = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'system'),
    uuid: fc.oneof(fc.uuid(), id),
    parentUuid: fc.option(id),
    logicalParentUuid: id,
    isSidechain: fc.boolean(),
    isMeta: fc.boolean(),
    isApiErrorMessage: fc.boolean(),
    message: said,
  },
  { requiredKeys: ['type'] },
);

it('finds the same conversations in a file that grows as in the whole file', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
      const events = rows.map((fields, index) => ({ line: index + 1, fields }));
      for (let length = 1; length <= events.length; length++) {
        const soFar = events.slice(0, length);
        expect(conversationsOf(soFar)).toEqual(conversationsOf(structuredClone(soFar)));
      }
    }),
    { numRuns: 300 },
  );
});
