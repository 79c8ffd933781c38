import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import {
  agedNotes,
  newestLines,
  noteOn,
  notesIn,
  saidIn,
  withoutSentencesSaid,
} from '../../../src/compaction/summary/note-sections.ts';
import { typed } from '../../support/messages.ts';

const byLength = (texts: readonly string[]) => Promise.resolve(texts.map(({ length }) => length));

describe('the notes of a summary', () => {
  it('have a part for older notes and a part since the last compaction', () => {
    expect(notesIn('## So far\n- one\n- two\n## Since the last compaction\n- three')).toEqual({
      soFar: ['one', 'two'],
      since: ['three'],
    });
  });

  it('count as notes on the last compaction if their headings are unknown', () => {
    expect(notesIn('## Goal\nFix it.\nSoon.\n## Next\n- tests')).toEqual({
      soFar: [],
      since: ['Goal: Fix it.', 'Soon.', 'Next: tests'],
    });
  });

  it('lose lists of facts and empty remarks if an earlier version wrote them', () => {
    const text =
      '## Earlier\nold\n## Files\n- a.ts\n## Commands\n- ls\n## Notes\n- Found it.\nNothing of note.';
    expect(notesIn(text).since).toEqual(['old', 'Found it.']);
  });
});

describe("a model's notes", () => {
  it('stay unchanged while notes on earlier compactions fill at most a quarter', async () => {
    const notes = `## So far\n- goal\n## Since the last compaction\n- ${'new '.repeat(50)}`;
    expect(await agedNotes(notes, [], byLength)).toBe(notes);
    expect(await agedNotes('no headings', [], byLength)).toBe('no headings');
  });

  it('lose the oldest lines beyond a quarter, but not the first line', async () => {
    const old = Array.from({ length: 40 }, (_, index) => `- step ${index}`);
    const notes = ['## So far', '- the goal', ...old, '## Since the last compaction', '- new'].join('\n');
    const lines = (await agedNotes(notes, [], byLength)).split('\n');
    expect(lines.slice(0, 2)).toEqual(['## So far', '- the goal']);
    expect(lines.slice(-3)).toEqual(['- step 39', '## Since the last compaction', '- new']);
    expect(lines).not.toContain('- step 0');
  });

  it('lose the oldest lines copied from an earlier summary if there are too many of these', async () => {
    const known = Array.from({ length: 100 }, (_, index) => `- step ${index} was done`);
    const earlier: Message = {
      ...typed('s1', ['## Goal', '- mend it', '## State', ...known].join('\n')),
      origin: 'strategy',
      kind: 'summary',
    };
    const notes = ['## Goal', '- mend it', '## State', ...known, '- step 100 was done'].join('\n');
    const lines = (await agedNotes(notes, [earlier], byLength)).split('\n');
    expect(lines.slice(0, 4)).toEqual(['## Goal', '- mend it', '## State', '- step 0 was done']);
    expect(lines.slice(-2)).toEqual(['- step 99 was done', '- step 100 was done']);
    expect(lines).not.toContain('- step 1 was done');
    expect(lines.length).toBeLessThan(30);
    expect(await agedNotes(notes, [], byLength)).toBe(notes);
  });

  it('always keep rules', async () => {
    const rules = Array.from({ length: 100 }, (_, index) => `- never touch file ${index}`);
    const notes = ['## Rules', ...rules].join('\n');
    const earlier: Message = { ...typed('s1', notes), origin: 'strategy', kind: 'summary' };
    expect(await agedNotes(notes, [earlier], byLength)).toBe(notes);
  });
});

describe('the newest lines', () => {
  it('follow the first line in order', () => {
    let room = 3;
    expect(newestLines(['a', 'b', 'c', 'd', 'e'], 5, () => room-- > 0)).toEqual(['a', 'd', 'e']);
    expect(newestLines(['a', 'b', 'c', 'd', 'e'], 2, () => true)).toEqual(['a', 'e']);
    expect(newestLines(['a', 'b'], 2, () => false)).toEqual([]);
  });
});

describe('a note on a reply', () => {
  const told = 'The cache was off. The counter was wrong.';

  it('states the request', () => {
    const note = noteOn(typed('u1', 'Why was “it” slow?'), told);
    expect(note).toBe('On “Why was "it" slow?”: The cache was off. The counter was wrong.');
    expect(saidIn(note)).toBe('The cache was off. The counter was wrong.');
  });

  it('states the task of a sub-agent', () => {
    expect(noteOn({ ...typed('u1', 'Look for it.'), origin: 'model' }, told)).toBe(
      `On the task “Look for it.”: ${told}`,
    );
    expect(saidIn('The cache was off.')).toBe('The cache was off.');
  });

  it('omits sentences that appear elsewhere, and is removed if no sentence is left', () => {
    const notes = [
      '## From the replies',
      '- On “Why?”: The cache was off. The counter was wrong.',
      '- Other.',
    ];
    expect(withoutSentencesSaid(notes.join('\n'), ['The cache was off.'])).toBe(
      '## From the replies\n- On “Why?”: The counter was wrong.\n- Other.',
    );
    expect(withoutSentencesSaid(notes.join('\n'), [told, 'Other.'])).toBe('');
  });
});
