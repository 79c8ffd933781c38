import { describe, expect, it } from 'vitest';
import { decisionsOfModel, statementsIn } from '../../../src/compaction/ledger/statements.ts';

const kinds = (text: string) => statementsIn(text).statements.map(({ kind }) => kind);

describe('a sentence of a person', () => {
  it.each([
    'Never touch the vendor folder.',
    "Please don't use any external dependency.",
    'The answer must be in French.',
    'Only change files under src.',
    'Make sure all tests pass with your changes.',
    'From now on, report all times in UTC.',
    'HARD CONSTRAINT: Run unit tests before pushing.',
    'I want short answers only.',
    '必须保留原来的接口。',
    '请不要修改公开的接口',
  ])('is a constraint: %s', (text) => {
    expect(kinds(text)).toEqual(['constraint']);
  });

  it.each([
    "Let's use Postgres.",
    'Use Vitest instead of Jest.',
    'We decided to keep the monolith.',
    "I'll go with the second design.",
    'Plan: migrate to fsnotify',
    '我们决定用 MySQL。',
  ])('is a decision: %s', (text) => {
    expect(kinds(text)).toEqual(['decision']);
  });

  it.each([
    'My user ID is james_lee_6136.',
    'The port is 9090.',
    'FACT: The staging database is MySQL 8.',
    'The deadline has moved to March 17.',
    'The region is us-east-1.',
  ])('is a value: %s', (text) => {
    expect(kinds(text)).toEqual(['value']);
  });

  it.each([
    "I don't understand these numbers:",
    'What must never happen?',
    'Why does it always fail?',
    "Let's see where it is.",
    'Please confirm which flight you would like to choose',
    '| Scenario | Outcome | Decision |',
    '> You must not do this.',
    '`f9170fc` Add direct relay decision coverage',
    '2026-01-02 10:00:00 must not be null',
    '```\nnever do this\n```',
    'const mustNot = true; // never',
    'It was always like this.',
    'value: string;',
  ])('states nothing: %s', (text) => {
    expect(kinds(text)).toEqual([]);
  });
});

describe('a reply of a model', () => {
  it('decides where it says over what or that it decided', () => {
    const said =
      "I'll use the find_file tool. I decided to keep the old parser. Let's use a map instead of a list.";
    expect(decisionsOfModel(said).statements.map(({ text }) => text)).toEqual([
      'I decided to keep the old parser.',
      "Let's use a map instead of a list.",
    ]);
  });
});
