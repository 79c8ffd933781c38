import { describe, expect, it } from 'vitest';
import { findSkills, readSkill, skillText } from '../../../src/agent/memory/skill-files.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const skill = (name: string, description = `does ${name}`, body = `How to ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

describe('the skills of a workspace', () => {
  it('are found in the usual folders, and the first of two with one name is used', async () => {
    await using home = await TemporaryWorkspace.create({
      '.claude/skills/release/SKILL.md': skill('release', 'of Claude'),
      '.agents/skills/release/SKILL.md': skill('release', 'of all'),
      '.github/skills/review/SKILL.md': skill('review'),
      '.agents/skills/none/README.md': 'no skill',
      '.agents/skills/broken/SKILL.md': 'no front matter',
    });
    expect(await findSkills(new Workspace([home.path]))).toEqual([
      { name: 'release', description: 'of all', shown: '.agents/skills/release/SKILL.md' },
      { name: 'review', description: 'does review', shown: '.github/skills/review/SKILL.md' },
    ]);
  });

  it('are ignored if no folder is open and trusted', async () => {
    const nowhere = new Workspace([]);
    expect(await findSkills(nowhere)).toEqual([]);
    expect(await skillText(nowhere, 'release')).toBeUndefined();
  });

  it('are not read from outside the workspace', async () => {
    await using outside = await TemporaryWorkspace.create({ 'leak/SKILL.md': skill('leak') });
    await using home = await TemporaryWorkspace.create();
    await home.link('.agents/skills/leak', outside.at('leak'));
    await home.link('.claude/skills', outside.path);
    expect(await findSkills(new Workspace([home.path]))).toEqual([]);
    expect(await skillText(new Workspace([home.path]), 'leak')).toBeUndefined();
  });

  it('return their text without the front matter, as far as it fits', async () => {
    await using home = await TemporaryWorkspace.create({
      '.agents/skills/release/SKILL.md': skill('release'),
      '.agents/skills/long/SKILL.md': skill('long', 'is long', 'x'.repeat(100_000)),
    });
    const workspace = new Workspace([home.path]);
    expect(await skillText(workspace, 'release')).toBe(
      '[Skill release, .agents/skills/release/SKILL.md]\nHow to release.',
    );
    const long = (await skillText(workspace, 'long')) ?? '';
    expect(long.length).toBeLessThan(33_000);
    expect(long).toContain('the file goes on');
    expect(await skillText(workspace, '../../etc/passwd')).toBeUndefined();
  });
});

describe('front matter', () => {
  it.each([
    ['plain texts', 'name: a\ndescription: one two # a comment', 'one two'],
    ['quoted texts', `name: "a"\ndescription: 'it''s "one"'`, `it's "one"`],
    ['block texts', 'name: a\ndescription: >-\n  one\n  two\nlicense: MIT', 'one two'],
    ['other keys', 'name: a\nallowed-tools:\n  - Bash\nmetadata:\n  x: 1\ndescription: one', 'one'],
  ])('may have %s', (_name, head, description) => {
    expect(readSkill(`---\n${head}\n---\nText`)).toEqual({ name: 'a', description, body: 'Text' });
  });

  it.each([
    ['it is missing', 'Text'],
    ['it has no end', '---\nname: a\ndescription: b\n'],
    ['it ends beyond its limit', `---\nname: a\ndescription: b\nx: ${'y'.repeat(5_000)}\n---\nText`],
    ['the name is missing', '---\ndescription: b\n---\nText'],
    ['the description is missing', '---\nname: a\ndescription:\n---\nText'],
    ['the name is invalid', '---\nname: ../a\ndescription: b\n---\nText'],
    ['the name is too long', `---\nname: ${'a'.repeat(65)}\ndescription: b\n---\nText`],
    ['the description is too long', `---\nname: a\ndescription: ${'b'.repeat(1_025)}\n---\nText`],
    ['a key occurs twice', '---\nname: a\nname: b\ndescription: c\n---\nText'],
    ['a line is not a field', '---\nname: a\ndescription: b\n<script>\n---\nText'],
    ['a value is an alias', '---\nname: a\ndescription: *b\n---\nText'],
    ['a quote is not closed', '---\nname: a\ndescription: "b\n---\nText'],
    ['text follows its end on the same line', '---\nname: a\ndescription: b\n---more\nText'],
    ['it contains control characters', '---\nname: a\ndescription: "b\\u0007"\n---\nText'],
  ])('is refused if %s', (_name, text) => {
    expect(readSkill(text)).toBeUndefined();
  });
});
