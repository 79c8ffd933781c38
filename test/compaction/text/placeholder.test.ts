import { describe, expect, it } from 'vitest';
import {
  clipMarker,
  isCut,
  isShortened,
  omission,
  referenceTo,
} from '../../../src/compaction/text/placeholder.ts';
import { result } from '../../support/messages.ts';

describe('a placeholder', () => {
  it('is recognised by a mark on the message, because a tool could print the same text', () => {
    const texts = [clipMarker('m1')(900), referenceTo('m1', 'Read', 900), omission('m1', 'lines 1–900')];
    const printed = texts.map((content) => result('m3', 'a', content));
    const marked = printed.map((message) => ({ ...message, truncation: { fate: 'clip' } as const }));
    expect(printed.map((message) => isCut(message) || isShortened(message))).toEqual([false, false, false]);
    expect(marked.map((message) => isCut(message) && isShortened(message))).toEqual([true, true, true]);
  });

  it('differs from a cut made by the tool, which can be hidden but not cut again', () => {
    const cut = { ...result('m3', 'a', 'the first 200 of 900 lines'), truncation: { fate: 'tool' } as const };
    expect([isCut(cut), isShortened(cut)]).toEqual([true, false]);
  });

  it('explains how to recall the full text', () => {
    expect(referenceTo('m3', 'Read', 900)).toBe(
      '[Result of Read: 900 tokens. recall("m3") returns all of it.]',
    );
  });
});
