import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestLines, notesIn, withinShare } from '../../../src/compaction/summary/note-sections.ts';

const byLength = (texts: readonly string[]) => Promise.resolve(texts.map(({ length }) => length));

describe('notes', () => {
  it('have two parts', () => {
    expect(notesIn('## So far\n- one\n- two\n## Since the last compaction\n- three')).toEqual({
      soFar: ['one', 'two'],
      since: ['three'],
    });
  });

  it('of another form are all of the last compaction, with each heading in the line after it', () => {
    expect(notesIn('## Goal\nFix it.\nSoon.\n## Next\n- tests')).toEqual({
      soFar: [],
      since: ['Goal: Fix it.', 'Soon.', 'Next: tests'],
    });
  });

  it('of an earlier version go without the lists that repeat facts, and without saying that there are none', () => {
    const text =
      '## Earlier\nold\n## Files\n- a.ts\n## Commands\n- ls\n## Notes\n- Found it.\nNothing of note.';
    expect(notesIn(text).since).toEqual(['old', 'Found it.']);
  });
});

describe('notes of a model', () => {
  it('stay as they are while those of earlier compactions keep to a quarter', async () => {
    const notes = `## So far\n- goal\n## Since the last compaction\n- ${'new '.repeat(50)}`;
    expect(await withinShare(notes, byLength)).toBe(notes);
    expect(await withinShare('no headings', byLength)).toBe('no headings');
  });

  it('lose the oldest of what is more, but not how it began', async () => {
    const old = Array.from({ length: 40 }, (_, index) => `- step ${index}`);
    const notes = ['## So far', '- the goal', ...old, '## Since the last compaction', '- new'].join('\n');
    const lines = (await withinShare(notes, byLength)).split('\n');
    expect(lines.slice(0, 2)).toEqual(['## So far', '- the goal']);
    expect(lines.slice(-3)).toEqual(['- step 39', '## Since the last compaction', '- new']);
    expect(lines).not.toContain('- step 0');
  });
});

describe('the newest lines', () => {
  it('fit, in their order, with the first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 20 })), fc.nat(200), async (lines, room) => {
        const kept = await newestLines(lines, room, byLength);
        expect(kept.reduce((sum, line) => sum + line.length + 1, 0)).toBeLessThanOrEqual(room);
        if (kept.length > 0) expect(kept).toEqual([lines[0], ...lines.slice(lines.length - kept.length + 1)]);
      }),
    );
  });
});
