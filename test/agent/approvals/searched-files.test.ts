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
});
