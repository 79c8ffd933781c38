import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherChats, storedIn } from '../../../src/presenters/storage/shared-folder.ts';

const folderOf = (workspace: string) => join('/data', 'workspaceStorage', workspace, 'publisher.name');

describe('the folder shared by windows', () => {
  it.each([
    ['of the window that came first', '1f6e0d4c2b', '1f6e0d4c2b'],
    ['of the second window', '1f6e0d4c2b-1', '1f6e0d4c2b'],
    ['of the tenth window', '1f6e0d4c2b-9', '1f6e0d4c2b'],
    ['of a workspace whose name begins with a dash', '-1f6e0d4c', '-1f6e0d4c'],
    ['of the second window of such a workspace', '-1f6e0d4c-1', '-1f6e0d4c'],
    ['of a workspace whose name is a dash and a digit', '-1', '-1'],
    ['of a workspace whose name only holds a dash', 'ext-dev', 'ext-dev'],
  ])("is the folder without the window's number: %s", (_name, given, expected) => {
    expect(storedIn(folderOf(given))('sessions')).toBe(join(folderOf(expected), 'sessions'));
  });
});

describe('chats that earlier versions stored for additional windows', () => {
  it('are moved to the shared folder, and do not replace other chats', async () => {
    const data = await mkdtemp(join(tmpdir(), 'context-budget-'));
    const sessionsOf = (workspace: string) => join(data, workspace, 'publisher.name', 'sessions');
    const write = async (workspace: string, name: string, text: string) => {
      await mkdir(sessionsOf(workspace), { recursive: true });
      await writeFile(join(sessionsOf(workspace), name), text);
    };
    await write('1f6e', 'a.jsonl', 'first');
    await write('1f6e-1', 'a.jsonl', 'another');
    await write('1f6e-1', 'b.jsonl', 'second window');
    await write('1f6e-2', 'c.jsonl', 'third window');
    await write('other-1', 'd.jsonl', 'of another workspace');

    expect(await gatherChats(join(data, '1f6e-1', 'publisher.name'))).toBe(2);
    expect((await readdir(sessionsOf('1f6e'))).toSorted()).toEqual(['a.jsonl', 'b.jsonl', 'c.jsonl']);
    expect(await readFile(join(sessionsOf('1f6e'), 'a.jsonl'), 'utf8')).toBe('first');
    expect(await readdir(sessionsOf('1f6e-1'))).toEqual(['a.jsonl']);
    expect(await gatherChats(join(data, '1f6e', 'publisher.name'))).toBe(0);
    await rm(data, { recursive: true });
  });
});
