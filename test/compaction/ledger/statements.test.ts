import { describe, expect, it } from 'vitest';
import { saidForms, statementsIn } from '../../../src/compaction/ledger/statements.ts';
import { saidSentences } from './said-sentences.ts';

describe('every form of statement', () => {
  const examples = saidForms.flatMap(({ examples, kind }) => examples.map((example) => ({ example, kind })));
  it.each(examples)('is recognised as a $kind: $example', ({ example, kind }) => {
    expect(statementsIn(example).statements.map((one) => one.kind)).toEqual(
      kind === 'retraction' ? expect.anything() : [kind],
    );
    expect(kind === 'retraction' && statementsIn(example).retraction === undefined).toBe(false);
  });
});

describe.each(Object.entries(saidSentences))('%s', (_name, examples) => {
  it.each(examples)('$text', ({ text, rules = [], decisions = [] }) => {
    const { statements } = statementsIn(text);
    const textsOf = (kind: string) => statements.filter((one) => one.kind === kind).map((one) => one.text);
    expect({ rules: textsOf('rule'), decisions: textsOf('decision') }).toEqual({ rules, decisions });
  });
});

it('the sample contains at least two hundred sentences', () => {
  expect(Object.values(saidSentences).flat().length).toBeGreaterThanOrEqual(200);
});
