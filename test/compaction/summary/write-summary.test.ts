import { describe, expect, it } from 'vitest';
import { type CompactionFailure } from '../../../src/compaction/records/reason.ts';
import { parseSummary } from '../../../src/compaction/summary/write-summary.ts';

const parse = (content: string, finishReason: 'stop' | 'length' = 'stop') =>
  parseSummary({ content, finishReason });
const codeOf = (content: string, finishReason: 'stop' | 'length' = 'stop') => {
  try {
    parse(content, finishReason);
    return undefined;
  } catch (error) {
    return (error as CompactionFailure).code;
  }
};

describe('parseSummary', () => {
  it('returns the text between the tags', () => {
    expect(parse('Sure!\n<summary>\nthe notes\n</summary>\nAnything else?')).toBe('the notes');
  });

  it('returns the whole reply if there are no tags', () => {
    expect(parse(' the notes ')).toBe('the notes');
  });

  it('removes thinking, even if its tag is not closed', () => {
    expect(parse('<think>hm</think><summary>notes</summary>')).toBe('notes');
    expect(parse('<analysis>first</analysis>notes<analysis>second')).toBe('notes');
  });

  it('keeps a complete summary that mentions thinking tags', () => {
    expect(parse('<summary>strips an open <think> from replies</summary>')).toBe(
      'strips an open <think> from replies',
    );
  });

  it.each([
    ['', 'stop', 'summary-empty'],
    [' \n\t', 'stop', 'summary-whitespace'],
    ['<think>only thoughts</think>', 'stop', 'summary-reasoning-only'],
    ['<think>never finished', 'stop', 'summary-reasoning-only'],
    ['<summary>  </summary>', 'stop', 'summary-empty'],
    ['<summary>half a', 'stop', 'summary-unclosed'],
    ['<summary>whole</summary>', 'length', 'summary-cut-off'],
  ] as const)('refuses %j with the finish reason "%s": %s', (content, finishReason, code) => {
    expect(codeOf(content, finishReason)).toBe(code);
  });
});
