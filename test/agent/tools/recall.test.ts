import { describe, expect, it } from 'vitest';
import { createRecall } from '../../../src/agent/tools/recall.ts';

const signal = new AbortController().signal;
const originals = new Map([
  ['m12', 'the whole result'],
  ['m13', ''],
]);
const recall = createRecall((id) => originals.get(id));

describe('recall', () => {
  it('returns the original', async () => {
    expect(await recall.run({ id: 'm12' }, signal)).toEqual({ content: 'the whole result', isError: false });
  });

  it('takes an id with space around it', async () => {
    expect((await recall.run({ id: ' m12 ' }, signal)).content).toBe('the whole result');
  });

  it('says that an original has no text', async () => {
    expect(await recall.run({ id: 'm13' }, signal)).toEqual({
      content: 'The original has no text.',
      isError: false,
    });
  });

  it('says what ids look like where it does not know one', async () => {
    const result = await recall.run({ id: 'x' }, signal);
    expect(result.isError).toBe(true);
    expect(result.content).toContain('nothing under the id "x"');
    expect(result.content).toContain('m12');
  });

  it('answers a missing id with a sentence', async () => {
    expect(await recall.run({}, signal)).toEqual({
      content: 'The argument "id" is missing.',
      isError: true,
    });
  });
});
