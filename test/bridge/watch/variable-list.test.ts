import { describe, expect, it } from 'vitest';
import { shownList, withoutVariables, withVariables } from '../../../src/bridge/watch/variable-list.ts';

const proxy = { name: 'ANTHROPIC_BASE_URL', value: 'http://127.0.0.1:4000/token' };
const search = { name: 'ENABLE_TOOL_SEARCH', value: 'true' };
const gateway = { name: 'ANTHROPIC_BASE_URL', value: 'https://gateway.example.com' };
const key = { name: 'ANTHROPIC_API_KEY', value: 'sk-mine' };
const note = { name: 'HTTP_PROXY', value: 'http://proxy.example.com', note: 'at work' };

describe('variables added to a setting', () => {
  it.each([
    ['no value', undefined, [proxy, search]],
    ['an empty list', [], [proxy, search]],
    ['other variables', [key, note], [key, note, proxy, search]],
    ['the same variable', [key, gateway, note], [key, proxy, note, search]],
    ['elements of another kind', ['A=b', null, 7], ['A=b', null, 7, proxy, search]],
  ])('are taken back from %s', (_what, before, during) => {
    const { value, replaced } = withVariables(before, [proxy, search]);
    expect(value).toEqual(during);
    expect(withoutVariables(value, replaced)).toEqual(before);
  });

  it('take the place of several elements with their name, and give it back', () => {
    const other = { ...gateway, value: 'https://other.example.com' };
    const { value, replaced } = withVariables([gateway, key, other], [proxy]);
    expect(value).toEqual([proxy, key]);
    expect(withoutVariables(value, replaced)).toEqual([gateway, other, key]);
  });

  const { value, replaced } = withVariables([gateway, key], [proxy, search]);

  it('leave what the user has added since then', () => {
    expect(withoutVariables([...value, note], replaced)).toEqual([gateway, key, note]);
    const fromNothing = withVariables(undefined, [proxy, search]);
    expect(withoutVariables([...fromNothing.value, note], fromNothing.replaced)).toEqual([note]);
  });

  it('leave a value that the user has changed since then', () => {
    const other = { ...proxy, value: 'https://other.example.com' };
    expect(withoutVariables([other, key, search], replaced)).toEqual([other, key]);
    expect(withoutVariables([proxy, other, key], replaced)).toEqual([other, key]);
  });

  it('do not come back if the user has removed them', () => {
    expect(withoutVariables([key], replaced)).toEqual([key]);
    expect(withoutVariables(undefined, replaced)).toBeUndefined();
    expect(withoutVariables('text', replaced)).toBe('text');
  });

  it('are kept apart from the values of others, which may be keys', () => {
    expect(JSON.stringify(replaced)).not.toContain(key.value);
    const shown = shownList('claudeCode.environmentVariables', value, replaced);
    expect(shown).not.toContain(key.value);
    expect(JSON.parse(shown)).toEqual({
      'claudeCode.environmentVariables': [proxy, { ...key, value: '…' }, search],
    });
    expect(shownList('a.b', undefined, replaced)).toBe('{}\n');
  });
});
