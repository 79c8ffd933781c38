import { posix } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openWorkspaceFile } from '../../../src/extension/editor/links.ts';

interface Uri {
  readonly path: string;
}

const { opened, uriOf } = vi.hoisted(() => ({
  opened: [] as string[],
  uriOf: (path: string) => ({ path, with: (change: Uri) => uriOf(change.path) }) as Uri,
}));

/** An editor with one folder in which every path names a file. */
vi.mock('vscode', () => {
  const folder = { name: 'project', uri: uriOf('/home/me/project') };
  return {
    env: { language: 'en' },
    FileType: { File: 1 },
    Position: function Position() {},
    Uri: { joinPath: ({ path }: Uri, ...parts: readonly string[]) => uriOf(posix.join(path, ...parts)) },
    window: {
      setStatusBarMessage: () => {},
      showTextDocument: ({ path }: Uri) => Promise.resolve(opened.push(path)),
    },
    workspace: {
      workspaceFolders: [folder],
      // Like the editor’s own, which compares letters.
      getWorkspaceFolder: ({ path }: Uri) => (path.startsWith(`${folder.uri.path}/`) ? folder : undefined),
      fs: { stat: () => Promise.resolve({ type: 1 }) },
    },
  };
});

describe('a file that a chat names', () => {
  beforeEach(() => {
    opened.length = 0;
  });

  it.each([
    ['src/a.ts', '/home/me/project/src/a.ts'],
    ['src/../a.ts', '/home/me/project/a.ts'],
    ['/home/me/project/src/a.ts', '/home/me/project/src/a.ts'],
  ])('opens at its place in the workspace: %s', async (path, expected) => {
    await openWorkspaceFile(path, undefined);
    expect(opened).toEqual([expected]);
  });

  it.each([
    '/etc/hostname',
    '../../../etc/hostname',
    'project/../../../../etc/hostname',
    '/home/me/project/../../../etc/hostname',
    '/home/me/project/src/../../../../etc/hostname',
    '/home/me/project/..\\..\\secret',
    'src\\..\\..\\..\\secret',
  ])('is not opened if its path leads outside: %s', async (path) => {
    await openWorkspaceFile(path, undefined);
    expect(opened.filter((one) => !posix.normalize(one).startsWith('/home/me/project/'))).toEqual([]);
  });
});
