import { execFileSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createFileReader } from '../../../src/agent/attachments/read-source.ts';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { createApplyPatch } from '../../../src/agent/tools/apply-patch.ts';
import { createEditFile } from '../../../src/agent/tools/edit-file.ts';
import { createGitDiff } from '../../../src/agent/tools/git-diff.ts';
import { createReadFile } from '../../../src/agent/tools/read-file.ts';
import { createSearchText } from '../../../src/agent/tools/search-text.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';
import { hasGit } from '../../support/installed-git.ts';

const { signal } = new AbortController();
const secret = 'TOKEN=hunter2-hunter2';

/** The result of tools on a file that may hold secrets, before the user was asked. */
describe('a secret', () => {
  const open = () => TemporaryWorkspace.create({ '.env': `${secret}\n`, 'src/a.ts': 'TOKEN\n' });

  it.each(['.env', './.env', 'src/../.env', 'alias.txt'])('is read by %s only with consent', async (path) => {
    await using files = await open();
    await files.link('alias.txt', files.at('.env'));
    const tool = createReadFile(new Workspace([files.path]));
    expect(await tool.approvalOf?.({ path }, signal)).toMatchObject({
      kind: 'read',
      title: { english: 'Read .env' },
      details: '',
      warnings: [{ english: '.env may hold secrets; it is sent to the model unchanged.' }],
      patterns: [],
    });
    expect((await tool.run({ path }, signal)).content).toBe('.env may hold secrets. Nobody was asked.');
    expect((await tool.run({ path }, signal, true)).content).toContain(secret);
  });

  it('is not expected in an ordinary file', async () => {
    await using files = await open();
    const tool = createReadFile(new Workspace([files.path]));
    expect(await tool.approvalOf?.({ path: 'src/a.ts' }, signal)).toBeUndefined();
    expect((await tool.run({ path: 'src/a.ts' }, signal)).content).toContain('TOKEN');
  });

  it('is attached, with a warning, if the user names its file', async () => {
    await using files = await open();
    const read = createFileReader(new Workspace([files.path]));
    expect(await read({ type: 'path', path: '.env', isExplicit: true }, signal)).toMatchObject({
      content: `1\t${secret}`,
      warning: { english: '.env may hold secrets; it is sent to the model unchanged.' },
    });
  });

  it('is found by no search', async () => {
    await using files = await open();
    const tool = createSearchText(new Workspace([files.path]), rgPath);
    const search = async (input: Readonly<Record<string, unknown>>) =>
      (await tool.run(input, signal)).content;
    expect(await search({ pattern: 'TOKEN' })).toBe('src/a.ts:1: TOKEN');
    expect(await search({ pattern: 'hunter2' })).toBe('No matches.');
    expect(await search({ pattern: 'hunter2', glob: '.env' })).toBe('No matches.');
    expect(await search({ pattern: 'hunter2', path: '.env' })).toBe(
      '.env may hold secrets. It is left out. read_file asks for it.',
    );
  });

  it.skipIf(!hasGit)('is not shown by a diff, which only names its file', async () => {
    await using files = await open();
    const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_SYSTEM: '/dev/null' };
    const git = (...words: readonly string[]) =>
      execFileSync('git', words, { cwd: files.path, env: environment });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'x');
    await files.write('.env', `${secret}-changed\n`);
    await files.write('src/a.ts', 'changed\n');
    const tool = createGitDiff(new Workspace([files.path]), { environment: () => environment });
    const { content } = await tool.run({}, signal);
    expect(content).toContain('+changed');
    expect(content).toContain('Left out, since they may hold secrets:\n  .env');
    expect(content).not.toContain('hunter2');
    expect((await tool.run({ path: '.env' }, signal)).content).not.toContain('hunter2');
  });

  it.each([
    ['edit_file', { path: '.env', edits: [{ search: 'TOKEN=hunter1', replace: 'x' }] }],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: .env\n-TOKEN=hunter1\n+x\n*** End Patch' }],
  ])('is not quoted if the edit of %s does not match the file', async (name, input) => {
    await using files = await open();
    const workspace = new Workspace([files.path]);
    const create = name === 'edit_file' ? createEditFile : createApplyPatch;
    const proposed = await create(workspace, diskEditor).propose(input, signal);
    expect(proposed).toMatchObject({ isError: true });
    expect(JSON.stringify(proposed)).toContain('The edit does not fit .env');
    expect(JSON.stringify(proposed)).not.toContain('hunter2');
  });
});
