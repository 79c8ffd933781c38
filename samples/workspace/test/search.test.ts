import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note } from '../src/note.ts';
import { SearchIndex } from '../src/search.ts';

function note(id: string, text: string, ...tags: readonly string[]): Note {
  return { id, text, tags, due: null, addedAt: '2026-11-20T09:00:00Z' };
}

function find(query: string, ...notes: readonly Note[]): readonly string[] {
  return new SearchIndex(notes).search(query).map((match) => match.note.id);
}

await test('a note with both words comes before notes with one', () => {
  const notes = [note('one', 'varnish'), note('both', 'varnish, two coats'), note('other', 'coat of arms')];
  assert.equal(find('varnish coats', ...notes)[0], 'both');
});

await test('a rare word counts for more than a common one', () => {
  const notes = [
    note('a', 'boat mooring'),
    note('b', 'boat hull'),
    note('c', 'boat keel'),
    note('d', 'anchor'),
  ];
  assert.deepEqual(find('boat anchor', ...notes)[0], 'd');
});

await test('plural and singular find each other', () => {
  assert.deepEqual(find('ferries', note('a', 'the ferry leaves at nine')), ['a']);
});

await test('the beginning of the last word is enough', () => {
  assert.deepEqual(find('tide tab', note('a', 'Ask them about the tables')), ['a']);
});

await test('a word in a tag counts for more than one in the text', () => {
  assert.deepEqual(
    find('boat', note('text', 'paint the boat'), note('tagged', 'paint it', 'boat'))[0],
    'tagged',
  );
});

await test('Chinese is found by neighbouring characters', () => {
  assert.deepEqual(find('潮汐', note('a', '向伊内斯要潮汐表'), note('b', '晚潮')), ['a', 'b']);
});

await test('full-width letters are the same letters', () => {
  assert.deepEqual(find('ＧＰＳ', note('a', 'new gps mount')), ['a']);
});

await test('nothing is found among no notes', () => {
  assert.deepEqual(find('anything'), []);
});
