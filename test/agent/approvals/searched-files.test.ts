import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isWithoutSecrets } from '../../../src/agent/approvals/searched-files.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import { words } from '../words.ts';

async function isSafe(
  files: Readonly<Record<string, string>>,
  isHiddenToo = false,
  below = '',
): Promise<boolean> {
  await using workspace = await TemporaryWorkspace.create({ 'src/a.ts': '', ...files });
  return isWithoutSecrets(workspace.at(below), isHiddenToo);
}

describe('isWithoutSecrets', () => {
  it('is true of hidden files unless the search includes them', async () => {
    expect(await isSafe({ '.env': '' })).toBe(true);
    expect(await isSafe({ '.env': '' }, true)).toBe(false);
    expect(await isSafe({ 'src/key.pem': '' })).toBe(false);
  });

  it('is false if a glob for source text matches hidden files', async () => {
    expect(await isSafe({ '.env.ts': '' })).toBe(false);
    expect(await isSafe({ 'src/.credentials.csv': '' })).toBe(false);
  });

  it.each(['.gitignore', '.ignore', '.rgignore'])('is false if %s re-includes hidden files', async (name) => {
    for (const line of [...words(`!.env !/.env !.en* !* !** !.e?v !.[e]nv`), '!.ENV  ', 'x\n!.env\r\ny'])
      expect([line, await isSafe({ '.env': '', [name]: line })]).toEqual([line, false]);
    for (const line of ['.env', '# !.env', '!.env.example', '!.github/'])
      expect([line, await isSafe({ '.env': '', [name]: line })]).toEqual([line, true]);
  });

  it('considers re-included folders, and rules of parent folders', async () => {
    expect(await isSafe({ '.ignore': '!.cache/', '.cache/key.pem': '' })).toBe(false);
    expect(await isSafe({ '.ignore': '!.env', 'src/.env': '' }, false, 'src')).toBe(false);
  });

  it('ignores installed packages, which a search skips unless it includes hidden files', async () => {
    expect(await isSafe({ 'node_modules/x/key.pem': '' })).toBe(true);
    expect(await isSafe({ 'node_modules/x/key.pem': '' }, true)).toBe(false);
  });

  it('accepts the folder of git, and files named like secrets of no kind', async () => {
    expect(await isSafe({ '.git/config': '', '.github/x.yml': '' }, true)).toBe(true);
    expect(await isSafe({ 'src/environment.ts': '', 'keyboard.md': '' }, true)).toBe(true);
  });

  it('searches folders of any depth', async () => {
    expect(await isSafe({ 'a/b/c/d/e/id_rsa': '' })).toBe(false);
    expect(await isSafe({ 'a/.b/c/id_rsa': '' })).toBe(true);
    expect(await isSafe({ 'a/.b/c/id_rsa': '' }, true)).toBe(false);
  });

  it('takes a pattern as a whole name, with stars for any text', async () => {
    for (const line of ['!.e', '!env', '!.env?', '!x.env', '!.e.v', '!.env+'])
      expect([line, await isSafe({ '.env': '', '.ignore': line })]).toEqual([line, !line.includes('?')]);
    expect(await isSafe({ '.env.local': '', '.ignore': '!.env*' })).toBe(false);
  });

  it('is true of a folder that cannot be read', async () => {
    await using workspace = await TemporaryWorkspace.create();
    expect(isWithoutSecrets(workspace.at('missing'), true)).toBe(true);
    await workspace.write('.ignore/file', '');
    expect(isWithoutSecrets(workspace.path, false)).toBe(true);
  });

  it('is false for more than 20,000 entries', async () => {
    await using workspace = await TemporaryWorkspace.create({ 'a.ts': '' });
    for (let index = 0; index < 19_999; index++) writeFileSync(workspace.at(`f${index}`), '');
    expect(isWithoutSecrets(workspace.path, true)).toBe(true);
    await workspace.write('one-more', '');
    expect(isWithoutSecrets(workspace.path, true)).toBe(false);
  });
});
