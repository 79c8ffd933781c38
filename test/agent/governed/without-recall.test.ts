import { describe, expect, it } from 'vitest';
import { withoutRecall } from '../../../src/agent/governed/without-recall.ts';
import {
  clipMarker,
  entriesMarker,
  omission,
  referenceTo,
} from '../../../src/compaction/text/placeholder.ts';
import { called, result } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const shown = (text: string) =>
  withoutRecall(recordWith('c1', [], [result('m2', 'a', text)])).outputs[0]?.content;

describe('withoutRecall', () => {
  it.each([
    [clipMarker('m1')(5), '\n[… 5 characters left out …]\n'],
    [entriesMarker('m1')(5), '[… 5 entries left out …]'],
    [referenceTo('m1', 'read_file', 7), '[Result of read_file: 7 tokens.]'],
    [omission('m1', 'lines 1–2', ', with start_line'), '[… lines 1–2 left out …]'],
    [
      '3 messages were folded without a model; recall(id) returns them.',
      '3 messages were folded without a model.',
    ],
    ['They left; recall returns all of a message by its id.', 'They left.'],
  ])('shortens %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('shortens the arguments of a call, which stay JSON', () => {
    const call = called('m1', ['a', 'read', { path: `a${clipMarker('m1')(5)}b` }]);
    const [message] = withoutRecall(recordWith('c1', [], [call])).outputs;
    expect(JSON.parse(message?.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
      path: 'a\n[… 5 characters left out …]\nb',
    });
  });

  it('keeps what the text says about other functions', () => {
    expect(shown('Use recall() with care. It returns nothing.')).toBe(
      'Use recall() with care. It returns nothing.',
    );
  });
});
