import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionWorkspaces } from '../../../src/presenters/import/session-workspace.ts';

const hashOf = (folder: string) => createHash('sha256').update(folder).digest('hex');

/** The folder of a session for which Gemini CLI stores only a hash. */
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
  ])('recognises the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBe(open);
  });

  it.each([
    ['/projects/app', '/Work/app'],
    ['c:\\projects\\app', 'D:\\work\\app'],
    ['c:work', 'C:work'],
  ])('does not recognise the folder when the editor has %s and the agent hashed %s', async (open, hashed) => {
    expect(await folderFor(open, hashed)).toBeUndefined();
  });

  it.each([
    ['/projects/app', '/projects/app', true],
    ['/projects/app', '/projects/app/src', true],
    ['/projects/app', '/projects/app/', true],
    ['/projects/app', '/projects/app-2', false],
    ['/projects/app', '/projects', false],
    ['/projects/app', '/projects/app/../other', false],
    ['/projects/app', 'src', false],
    [process.cwd(), '.', false],
    [homedir(), homedir(), true],
    [homedir(), join(homedir(), 'app'), false],
    ['/', homedir(), false],
  ])('tells, with %s open, whether %s is open too: %s', (open, folder, isOpen) => {
    expect(new SessionWorkspaces([open]).isOpen(folder)).toBe(isOpen);
  });
});
