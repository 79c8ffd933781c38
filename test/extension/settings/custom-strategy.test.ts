import { describe, expect, it } from 'vitest';
import { restrictedSettings } from '../../../src/extension/settings/configuration.ts';
import { readSettings } from '../../../src/extension/settings/read-settings.ts';

const reading = (value: unknown) => readSettings((name) => (name === 'customStrategy' ? value : undefined));

describe('the setting customStrategy', () => {
  it('names nothing where nobody set it, and that is no problem', () => {
    expect(reading(undefined)).toMatchObject({ customStrategy: '', problems: [] });
  });

  it('is taken as it is written, without spaces around it', () => {
    expect(reading(' ./mine.mjs#Mine ').customStrategy).toBe('./mine.mjs#Mine');
  });

  it('has to be a text', () => {
    const { customStrategy, problems } = reading(7);
    expect(customStrategy).toBe('');
    expect(problems).toEqual(['contextBudget.customStrategy must be a text, not 7; "" is used.']);
  });

  it('cannot be set by a folder that nobody trusts', () => {
    expect(restrictedSettings).toContain('contextBudget.customStrategy');
  });
});
