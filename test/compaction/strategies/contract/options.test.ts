import { describe, expect, it } from 'vitest';
import { resolveOptions, type OptionSchema } from '../../../../src/compaction/strategies/contract/options.ts';

const schema = {
  keep: { type: 'integer', default: 5, minimum: 0, maximum: 10, description: '' },
  label: { type: 'string', default: 'x', description: '' },
  strict: { type: 'boolean', default: false, description: '' },
} as const satisfies OptionSchema;

describe('resolveOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveOptions(schema, { keep: 3 })).toEqual({
      options: { keep: 3, label: 'x', strict: false },
      problems: [],
    });
  });

  it.each([
    [{ keep: 11 }, 'keep must be a whole number from 0 to 10, not 11.'],
    [{ keep: 2.5 }, 'keep must be a whole number from 0 to 10, not 2.5.'],
    [{ keep: '3' }, 'keep must be a whole number from 0 to 10, not "3".'],
    [{ label: 3 }, 'label must be a string, not 3.'],
    [{ strict: 'yes' }, 'strict must be true or false, not "yes".'],
    [{ keeps: 3 }, 'keeps is not an option. The options are keep, label, strict.'],
    [{ toString: 3 }, 'toString is not an option. The options are keep, label, strict.'],
  ])('reports the problem with %j, and uses the default', (given, message) => {
    const { options, problems } = resolveOptions(schema, given);
    expect(problems.map((problem) => problem.sentence.english)).toEqual([message]);
    expect(options).toEqual({ keep: 5, label: 'x', strict: false });
  });
});
