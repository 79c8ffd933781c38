import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SessionWorkspaces } from '../../../src/presenters/import/session-workspace.ts';

const hashOf = (folder: string) => createHash('sha256').update(folder).digest('hex');

/** The folder of a session of which Gemini CLI tells only a hash. */
function folderFor(open: string, hashed: string): Promise<string | undefined> {
  const workspaces = new SessionWorkspaces([open]);
  return workspaces.of('gemini-cli', { workspaceHash: hashOf(hashed) }, '/nowhere', [
    'none',
    'chats',
    'a.json',
  ]);
}

describe('SessionWorkspaces', () => {
  it.each([
    ['c:\\work\\app', 'C:\\work\\app'],
    ['c:\\work\\app', 'c:\\work\\app'],
    ['C:\\work\\app', 'c:\\work\\app'],
    ['c:/work/app', 'C:/work/app'],
    ['/work/app', '/work/app'],
  ])('knows the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBe(open);
  });

  it.each([
    ['/work/app', '/Work/app'],
    ['c:\\work\\app', 'D:\\work\\app'],
    ['c:work', 'C:work'],
  ])('does not know the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBeUndefined();
  });
});
