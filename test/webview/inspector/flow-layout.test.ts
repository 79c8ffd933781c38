import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { FlowView } from '../../../src/protocol/inspector-compactions.ts';
import { layoutFlow } from '../../../webview/inspector/compactions/flow-layout.ts';

const size = { width: 400, height: 120 };
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 }));
const flows: fc.Arbitrary<FlowView> = fc.record({
  kinds: fc.dictionary(
    fc.constantFrom(...kinds),
    fc.record({ kept: tokens, shortened: tokens, summarised: tokens, gone: tokens }),
  ),
  after: fc.record({ shortened: tokens, summarised: tokens, added: tokens }),
});

describe('the layout of a flow picture', () => {
  it('keeps all labels inside the picture and a line apart', () => {
    fc.assert(
      fc.property(flows, tokens, (flow, unseen) => {
        const { before, after } = layoutFlow(flow, unseen, size);
        for (const labels of [before, after].map((nodes) => nodes.map(({ labelY }) => labelY))) {
          for (const [index, y] of labels.entries()) {
            expect(y).toBeGreaterThanOrEqual(7.5);
            expect(y).toBeLessThanOrEqual(size.height - 7.5);
            if (index > 0) expect(y - labels[index - 1]!).toBeGreaterThanOrEqual(15);
          }
        }
      }),
    );
  });

  it('draws all tokens of the context', () => {
    fc.assert(
      fc.property(flows, tokens, (flow, unseen) => {
        const total = Object.values(flow.kinds)
          .flatMap((ways) => Object.values(ways))
          .reduce((sum, count) => sum + count, unseen + flow.after.added);
        const { before, after, bands } = layoutFlow(flow, unseen, size);
        for (const nodes of [before, after, bands])
          expect(nodes.reduce((sum, node) => sum + node.tokens, 0)).toBe(total);
      }),
    );
  });
});
