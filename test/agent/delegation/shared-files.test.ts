import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSubAgentTools,
  SharedFolder,
  SharedFolderError,
} from '../../../src/agent/delegation/shared-files.ts';

const subAgents = [
  { name: 'api', task: '', dependsOn: [] },
  { name: 'ui', task: '', dependsOn: ['api'] },
  { name: 'tests', task: '', dependsOn: ['ui'] },
  { name: 'docs', task: '', dependsOn: [] },
];

describe('the shared folder of a call', () => {
  let parent: string;
  let folder: SharedFolder;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'shared-'));
    folder = new SharedFolder(join(parent, 'call'), subAgents, () => 0);
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('lets the writer and all its dependants read a file', async () => {
    await folder.accessOf('api').write('routes.json', '["/users"]');
    for (const reader of ['api', 'ui', 'tests']) {
      expect(await folder.accessOf(reader).read('api', 'routes.json')).toBe('["/users"]');
      expect(folder.accessOf(reader).list()).toEqual([
        { subAgent: 'api', name: 'routes.json', characters: 10 },
      ]);
    }
  });

  it("is closed to all other sub-agents, including the writer's own dependencies", async () => {
    await folder.accessOf('ui').write('plan.md', 'x');
    await expect(folder.accessOf('docs').read('ui', 'plan.md')).rejects.toThrow(
      'docs cannot read files of "ui": it depends on no other sub-agent.',
    );
    await expect(folder.accessOf('api').read('ui', 'plan.md')).rejects.toThrow(SharedFolderError);
    expect(folder.accessOf('api').list()).toEqual([]);
  });

  it('lets each sub-agent write only under its own name', async () => {
    await folder.accessOf('api').write('notes.md', 'of api');
    await folder.accessOf('ui').write('notes.md', 'of ui');
    expect(await folder.accessOf('ui').read('api', 'notes.md')).toBe('of api');
    expect(await folder.accessOf('ui').read('ui', 'notes.md')).toBe('of ui');
  });

  it.each(['../api/x', 'a/b', 'a\\b', '..', '.hidden', 'nul.txt', 'ends.', '', 'a:b', 'x'.repeat(65)])(
    'rejects "%s" as a name',
    async (name) => {
      await expect(folder.accessOf('api').write(name, 'x')).rejects.toThrow('cannot be the name of a shared');
      expect(await readdir(parent)).toEqual([]);
    },
  );

  it('gives access to shared files only, whatever the name', async () => {
    await folder.accessOf('api').write('a.txt', 'x');
    await expect(folder.accessOf('api').read('api', '../changes.jsonl')).rejects.toThrow(
      'api has shared no file "../changes.jsonl". There are: a.txt.',
    );
  });

  it('limits the size and the number of files', async () => {
    const access = folder.accessOf('api');
    await expect(access.write('big.txt', 'x'.repeat(200_001))).rejects.toThrow('at most 200000 characters');
    await Promise.all(Array.from({ length: 32 }, (_, index) => access.write(`f${index}`, 'x')));
    await expect(access.write('one-more', 'x')).rejects.toThrow('which is the most there can be');
    await access.write('f0', 'again');
    expect(await access.read('api', 'f0')).toBe('again');
  });

  it('treats names that differ only in case as the same', async () => {
    const access = folder.accessOf('api');
    await access.write('Notes.md', 'old');
    await access.write('notes.md', 'new');
    expect(access.list()).toEqual([{ subAgent: 'api', name: 'Notes.md', characters: 3 }]);
    expect(await access.read('api', 'NOTES.md')).toBe('new');
  });

  it('logs every write, and keeps the last of concurrent writes', async () => {
    const access = folder.accessOf('api');
    await Promise.all(['a', 'ab', 'abc'].map((text) => access.write('f.txt', text)));
    expect(await access.read('api', 'f.txt')).toBe('abc');
    const log = await readFile(join(parent, 'call', 'changes.jsonl'), 'utf8');
    const lines = log.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      [1, 2, 3].map((characters) => ({
        at: '1970-01-01T00:00:00.000Z',
        subAgent: 'api',
        name: 'f.txt',
        characters,
      })),
    );
    expect(await readdir(join(parent, 'call'))).toEqual(['api', 'changes.jsonl']);
  });

  it('is accessible to the model through tools, which report errors', async () => {
    const run = (subAgent: string, tool: string, input: Record<string, unknown>) =>
      createSubAgentTools(subAgent, folder.accessOf(subAgent))
        .find(({ name }) => name === tool)!
        .run(input, new AbortController().signal);
    expect(await run('ui', 'list_shared', {})).toMatchObject({ content: 'There are no shared files.' });
    await run('api', 'write_shared', { file: 'routes.json', content: '[]' });
    expect(await run('ui', 'list_shared', {})).toMatchObject({ content: 'api/routes.json (2 characters)' });
    expect(await run('ui', 'read_shared', { from: 'api', file: 'routes.json' })).toMatchObject({
      content: '[]',
      isError: false,
    });
    expect(await run('ui', 'read_shared', { file: 'routes.json' })).toEqual({
      content: 'ui has shared no file "routes.json". It has shared none.',
      isError: true,
    });
  });
});
