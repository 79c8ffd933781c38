import { describe, expect, it } from 'vitest';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { ownOptions } from '../../../src/presenters/settings/general-settings.ts';
import { inputFor, optionText, parseOption } from '../../../src/presenters/settings/option-editor.ts';

const ladder = strategyOf('ladder').options;
const option = (name: string) => ladder[name]!;

describe('the input of an option', () => {
  it('is a list of choices, a text field or the settings file', () => {
    const kindsOf = (id: 'ladder' | 'selective' | 'budgeted', ...names: readonly string[]) =>
      names.map((name) => inputFor(strategyOf(id).options[name]!).kind);
    expect(kindsOf('ladder', 'early', 'preview', 'exemptTools')).toEqual(['pick', 'text', 'text']);
    expect(kindsOf('selective', 'summary', 'rules')).toEqual(['pick', 'file']);
    expect(kindsOf('budgeted', 'order', 'allocation')).toEqual(['text', 'file']);
  });

  it('is read back unchanged for every default that fits on one line', () => {
    for (const id of strategyIds) {
      for (const [name, spec] of Object.entries(ownOptions(strategyOf(id).options))) {
        if (inputFor(spec).kind !== 'text' || spec.type === 'group') continue;
        expect(parseOption(spec, name, optionText(spec.default))).toEqual({ value: spec.default });
      }
    }
  });
});

describe('a typed option', () => {
  it.each([
    ['preview', '5', 5],
    ['preview', ' 1_0 ', 10],
    ['protectTokens', 'auto', 'auto'],
    ['protectTokens', '10,000', 10_000],
    ['exemptTools', 'a, b ,,c', ['a', 'b', 'c']],
  ])('is accepted for %s: %j', (name, typed, value) => {
    expect(parseOption(option(name), name, typed)).toEqual({ value });
  });

  it.each([
    ['preview', 'many', 'preview must be a whole number from 0 to 200, not "many".'],
    ['preview', '201', 'preview must be a whole number from 0 to 200, not 201.'],
    ['preview', '', 'preview must be a whole number from 0 to 200, not "".'],
  ])('is rejected for %s: %j', (name, typed, english) => {
    expect(parseOption(option(name), name, typed).problem?.english).toBe(english);
  });
});
