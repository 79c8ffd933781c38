import { describe, expect, it } from 'vitest';
import { changedText } from '../../src/insights/changed-text.ts';

describe('the form of a change', () => {
  it.each([
    ['date', 'Today is 2026-11-26.', 'Today is 2026-11-27.'],
    ['date', 'Now: 2026-11-26T10:00:01Z', 'Now: 2026-11-26T10:00:02Z'],
    ['date', 'Today is Thu Nov 26, 2026', 'Today is Fri Nov 27, 2026'],
    ['date', 'On November 9 it', 'On November 10 it'],
    ['time', 'It is 9:59 now', 'It is 10:00 now'],
    ['id', 'session 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'session 3f2504e0-4f89-11d3-9a0c-0305e82c3302'],
    ['id', 'run req_8fa20c11', 'run req_8fa20d11'],
    ['path', 'cwd: /home/ada/one', 'cwd: /home/ada/two'],
    ['path', 'open: src/a.ts', 'open: src/b.ts'],
    ['number', '9 files are open', '10 files are open'],
    ['number', 'tokens left: 12', 'tokens left: 121'],
    ['appended', 'Be brief.', 'Be brief. Be kind.'],
    ['shortened', 'Be brief. Be kind.', 'Be brief.'],
    ['text', 'Be brief.', 'Be kind.'],
    ['text', 'Today is 2026-11-26.', 'Today is Thursday.'],
  ])('is %s: %s → %s', (form, before, after) => {
    expect(changedText(before, after).form).toBe(form);
  });
});

describe('the section of a change', () => {
  it.each([
    ['a heading', '# Rules\nBe brief.\n## Environment\nToday: X', 'Environment'],
    ['a tag', '# Rules\n<env>\nToday: X\n</env>', 'env'],
    ['the heading above a closed tag', '# Rules\n<env>\n# Inside\n</env>\nToday: X', 'Rules'],
    ['no comment in code', '# Rules\n```sh\n# install\n```\nToday: X', 'Rules'],
    ['no type in code', '# Rules\nUse Array<string>.\nToday: X', 'Rules'],
    ['the section above a heading that changed', '# Rules\n## Today: X', 'Rules'],
    ['none at the start of a text', 'Today: X\n# Rules', undefined],
  ])('is %s', (_what, text, section) => {
    expect(changedText(text, text.replace('X', 'Y')).section).toBe(section);
  });

  it('has a limited length', () => {
    const text = `# ${'long '.repeat(1_000)}\nX`;
    expect(changedText(text, text.replace('X', 'Y')).section).toHaveLength(60);
  });
});

describe('the excerpts of a change', () => {
  it('show the first difference with a little text around it', () => {
    const text = (what: string) => `${'a'.repeat(100)}${what}${'b'.repeat(100)}`;
    const { before, after } = changedText(text('one'), text('two'));
    expect(before).toBe(`${'a'.repeat(30)}one${'b'.repeat(57)}`);
    expect(after).toBe(`${'a'.repeat(30)}two${'b'.repeat(57)}`);
  });

  it('split no character', () => {
    const { before, after } = changedText('😀', '😁');
    expect([before, after]).toEqual(['😀', '😁']);
  });
});
