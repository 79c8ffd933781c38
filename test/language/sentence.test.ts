import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catalogue,
  isStoredSentence,
  type Sentence,
  SentenceError,
  toModel,
} from '../../src/language/sentence.ts';
import { translations } from '../../src/language/translations.ts';

const sentences = catalogue('sample', {
  plain: 'Nothing to free.',
  counted: '{count} {count:message|messages} of {size} tokens.',
  shared: '{kept:percent} stay.',
  labelled: '{name}: {reason}',
  listed: 'Over: {groups}.',
});

describe('a sentence', () => {
  it('has a key, values and an English text', () => {
    expect(sentences.say('counted', { count: 2, size: 1_200 })).toEqual({
      key: 'sample.counted',
      values: { count: 2, size: 1_200 },
      english: '2 messages of 1,200 tokens.',
    });
  });

  it.each([
    [0, '0 messages'],
    [1, '1 message'],
    [2, '2 messages'],
  ])('chooses singular or plural by the number %i', (count, words) => {
    expect(sentences.say('counted', { count, size: 1 }).english).toBe(`${words} of 1 tokens.`);
  });

  it('writes shares in percent', () => {
    expect(sentences.say('shared', { kept: 0.754 }).english).toBe('75% stay.');
  });

  it('can contain one or more other sentences', () => {
    const reason = sentences.say('plain');
    expect(sentences.say('labelled', { name: 'ladder', reason }).english).toBe('ladder: Nothing to free.');
    expect(sentences.say('listed', { groups: [reason, reason] }).english).toBe(
      'Over: Nothing to free., Nothing to free..',
    );
  });

  it('does not replace braces inside a value', () => {
    expect(sentences.say('labelled', { name: '{reason}', reason: '{name}' }).english).toBe(
      '{reason}: {name}',
    );
  });

  it('compiles only with a known key and its values', () => {
    // @ts-expect-error: no such sentence
    expect(sentences.say('unknown').english).toBe('unknown');
    // @ts-expect-error: a value is missing
    expect(sentences.say('counted', { count: 1 }).english).toContain('{size}');
    // @ts-expect-error: a number is needed to choose the form of a word
    expect(sentences.say('counted', { count: '1', size: 2 }).key).toBe('sample.counted');
    // @ts-expect-error: another area
    expect(translations<typeof sentences>('other')({}).area).toBe('other');
    // @ts-expect-error: a translation of nothing
    expect(translations<typeof sentences>('sample')({ unknown: 'x' }).area).toBe('sample');
    // @ts-expect-error: a placeholder that the English lacks
    expect(translations<typeof sentences>('sample')({ plain: '{count}' }).area).toBe('sample');
    expect(translations<typeof sentences>('sample')({ counted: '{count} 条消息' }).table).toEqual({
      counted: '{count} 条消息',
    });
  });

  it('can be the message of an error', () => {
    const cause = new Error('disk full');
    const error = new SentenceError(sentences.say('plain'), { cause });
    expect([error.message, error.cause, error.sentence.key]).toEqual([
      'Nothing to free.',
      cause,
      'sample.plain',
    ]);
  });
});

describe('a sentence read from a file', () => {
  const sound: Sentence = sentences.say('listed', { groups: [sentences.say('plain')] });

  it('equals the sentence that was stored', () => {
    expect(isStoredSentence(JSON.parse(JSON.stringify(sound)))).toBe(true);
  });

  it.each([
    ['a string instead of an object', 'text'],
    ['no key', { values: {} }],
    ['no values', { key: 'sample.plain' }],
    ['a list for values', { key: 'sample.plain', values: [] }],
    ['a key that is too long', { key: 'x'.repeat(201), values: {} }],
    ['a value that is too long', { key: 'x', values: { name: 'x'.repeat(10_001) } }],
    ['a boolean as a value', { key: 'x', values: { name: true } }],
    [
      'too many values',
      { key: 'x', values: Object.fromEntries([...Array(31).keys()].map((at) => [`v${at}`, at])) },
    ],
    ['a nested sentence without its English', { key: 'x', values: { inner: { key: 'y', values: {} } } }],
  ])('is refused if it has %s', (_what, value) => {
    expect(isStoredSentence(value)).toBe(false);
  });

  it('may be any value without causing an exception', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(typeof isStoredSentence(value)).toBe('boolean');
      }),
    );
  });
});

it('a text for models contains its values unchanged', () => {
  expect(toModel`Step ${1_204} of "${'a\\b'}" has no text.`).toBe('Step 1204 of "a\\b" has no text.');
});
