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
    ['c:\\projects\\app', 'C:\\projects\\app'],
    ['c:\\projects\\app', 'c:\\projects\\app'],
    ['C:\\projects\\app', 'c:\\projects\\app'],
    ['c:/projects/app', 'C:/projects/app'],
    ['/projects/app', '/projects/app'],
  ])('knows the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBe(open);
  });

  it.each([
    ['/projects/app', '/Work/app'],
    ['c:\\projects\\app', 'D:\\work\\app'],
    ['c:work', 'C:work'],
  ])('does not know the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBeUndefined();
  });
});
