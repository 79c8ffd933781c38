import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipArguments, clipText, wrapJson } from '../../../src/compaction/text/clip-json.ts';
import { headAndTail, headOf } from '../../../src/compaction/text/clip.ts';
import { clipMarker } from '../../../src/compaction/text/placeholder.ts';
import { areShorterArguments, hasNote, isShorterForm } from '../../../src/compaction/text/shorter-form.ts';
import { ShorterJson } from '../../../src/compaction/text/shorter-json.ts';

/** Texts that look like notes, or almost. */
const word = fc.constantFrom(
  'store',
  '仓库',
  '😀',
  ' ',
  '\n',
  '[',
  ']',
  '…',
  '...args',
  '[ok]',
  '[… 9 characters left out …]',
  '\n[… 30 characters left out; recall("m1") returns all of it …]\n',
  'aaaa',
);
const texts = fc.array(word, { minLength: 1, maxLength: 80 }).map((words) => words.join(''));
const lengths = fc.integer({ min: 60, max: 300 });
const marker = clipMarker('m7');

describe('a shorter form', () => {
  it('is recognised after every kind of clipping, even of clipped text', () => {
    fc.assert(
      fc.property(texts, lengths, lengths, (text, longest, again) => {
        const once = headAndTail(text, longest, marker);
        expect(isShorterForm(text, once)).toBe(true);
        expect(isShorterForm(text, `${headOf(text, longest)}${marker(9)}`)).toBe(true);
        expect(isShorterForm(once, headAndTail(once, again, marker))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is recognised after clipping inside JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(texts, fc.oneof(texts, fc.jsonValue(), fc.array(texts))),
        lengths,
        (value, longest) => {
          const json = JSON.stringify(value);
          const fitted = ShorterJson.of(json)?.fit(longest, { text: marker });
          if (fitted !== undefined) expect(isShorterForm(json, fitted)).toBe(true);
          const text = clipText(json, longest, 'm7');
          expect([text, isShorterForm(json, text)]).toEqual([text, true]);
          const wrapped = wrapJson(json, longest, marker);
          if (wrapped.includes('recall')) expect(areShorterArguments(json, wrapped)).toBe(true);
          const clipped = clipArguments(json, longest);
          if (clipped !== undefined) expect(areShorterArguments(json, clipped)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('may have a note that looks like a note in the original', () => {
    const note = '\n[… 87 characters left out; recall("m7") returns all of it …]\n';
    const once = `the beginning of it${note}the end of it all`;
    expect(isShorterForm(once, `the${note}all`)).toBe(true);
    expect(isShorterForm(once, `the${note}lie`)).toBe(false);
  });

  it('may add a note under a key that the object already has', () => {
    const json = JSON.stringify({ '…': [1, 2], store: 'kept' });
    expect(isShorterForm(json, '{"…":"[… 1 entries left out …]","store":"kept"}')).toBe(true);
    expect(isShorterForm(json, '{"…":"all is well","store":"kept"}')).toBe(false);
  });

  it('may state how many entries of a list or an object are missing', () => {
    const listing = JSON.stringify({ files: Array.from({ length: 90 }, (_, index) => `src/${index}.ts`) });
    const clipped = clipText(listing, 300, 'm7');
    expect(clipped).toContain('entries left out');
    expect(isShorterForm(listing, clipped)).toBe(true);
    expect(isShorterForm(listing, '{"files":["src/0.ts","and some more"]}')).toBe(false);
    expect(isShorterForm(listing, '{"files":["src/0.ts"],"…":"all is well"}')).toBe(false);
    const object = JSON.stringify(
      Object.fromEntries(Array.from({ length: 90 }, (_, key) => [`k${key}`, key])),
    );
    expect(isShorterForm(object, clipText(object, 300, 'm7'))).toBe(true);
  });

  it('must not contain other words', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const position = at % (text.length + 1);
        const lie = `${text.slice(0, position)} all is well ${text.slice(position)}`;
        // Text in brackets is a note.
        fc.pre(!text.slice(0, position).includes('['));
        expect(isShorterForm(text, lie)).toBe(false);
      }),
    );
  });

  it('is recognised quickly in repetitive texts', () => {
    const text = 'a'.repeat(3_000_000);
    expect(isShorterForm(text, `${text.slice(0, 1_000_000)}b`)).toBe(false);
    expect(isShorterForm(text, `b${text.slice(0, 1_000_000)}`)).toBe(false);
    expect(isShorterForm(text, `${text.slice(0, 1_000_000)} […] ${text.slice(0, 1_000_000)}`)).toBe(true);
  });
});

describe('a note on omitted text', () => {
  it.each(['[… 3 lines …]', '[12 lines omitted]', '…', '...', '[已省略 3 行]', '[image left out]'])(
    'may be "%s"',
    (text) => {
      expect([hasNote(`before ${text} behind`), isShorterForm('a text', text)]).toEqual([true, true]);
    },
  );

  it.each(['[ok]', 'left out', '', '[a\nleft out]', 'omitted'])('must not be %j', (text) => {
    expect([hasNote(text), isShorterForm('a text', text)]).toEqual([false, false]);
  });
});
