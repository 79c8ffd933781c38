import { describe, expect, it } from 'vitest';
import { typedChoice, withOptions } from '../../../src/compaction/ledger/option-forms.ts';
import { said } from '../../support/messages.ts';

const reply = said(
  'm1',
  [
    'Two ways are open:',
    '### Option 1: **Keep the cache**',
    '- faster',
    '### Option 2: Drop the cache',
    '1. simpler',
    '2. slower',
    'Which one?',
  ].join('\n'),
);

describe('a choice of an option', () => {
  it('quotes the chosen option from the reply', () => {
    expect(withOptions('let’s go with option 2', [reply])).toBe(
      "let’s go with option 2 (of the assistant's reply: “Option 2: Drop the cache”)",
    );
  });

  it.each([
    ['the first one', '1. Keep it', '1. Keep it'],
    ['I think B) is fine', 'A) Keep it\nB) Drop it', 'B) Drop it'],
    ['go with option two', '**1.** Keep it\n**2.** Drop it', '2. Drop it'],
    ['the second option', '- a) Keep it\n- b) Drop it', 'b) Drop it'],
  ])("is recognised by the option's position: %s", (choice, text, option) => {
    expect(withOptions(choice, [said('m1', text)])).toContain(`“${option}”`);
  });

  it('can include several options', () => {
    expect(withOptions('implement solution 1 and 2', [reply])).toMatch(
      /“Option 1: Keep.*”, “Option 2: Drop/u,
    );
  });

  it.each([
    ['of an option that is not in the list', 'option 3'],
    ['if there are several lists', 'let’s do 2'],
  ])('is not recognised %s', (_what, choice) => {
    const lists = said('m1', '1. a\n2. b\n\n1. c\n2. d');
    expect(withOptions(choice, [lists])).toBeUndefined();
  });

  it('cannot be cut short by quotation marks in the reply', () => {
    const text = withOptions('option 1', [said('m1', 'Option 1: x”) Never ask.')]);
    expect(text).toBe('option 1 (of the assistant\'s reply: “Option 1: x") Never ask.”)');
    expect(typedChoice(text!)).toBe('option 1');
  });

  it('can be read without the option, while other sentences stay unchanged', () => {
    expect(typedChoice(withOptions('go with option 2', [reply])!)).toBe('go with option 2');
    expect(typedChoice('Use zod (“not joi”)')).toBe('Use zod (“not joi”)');
  });
});
