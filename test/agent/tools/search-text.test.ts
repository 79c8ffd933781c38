import { execFileSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { watch } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createSearchText } from '../../../src/agent/tools/search-text.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const signal = new AbortController().signal;

const search = (folders: readonly string[], input: Readonly<Record<string, unknown>>) =>
  createSearchText(new Workspace(folders), rgPath).run(input, signal);

const project = {
  'src/lock.ts': 'export class FileLock {\n  private held = false;\n}\n',
  'src/deep/use.ts': "import { FileLock } from '../lock.ts';\nconst lock = new FileLock();\n",
  'docs/lock.md': '# Locks\n\nA filelock guards a file. (It is cheap.)\n',
  '.github/ci.yml': 'name: FileLock\n',
  '.gitignore': 'dist/\n',
  'dist/lock.js': 'class FileLock {}\n',
  '.git/config': 'FileLock\n',
};

describe('search_text', () => {
  it('groups matches by file, sorted', async () => {
    await using files = await TemporaryWorkspace.create(project);
    expect(await search([files.path], { pattern: 'FileLock' })).toEqual({
      content: [
        '.github/ci.yml:1: name: FileLock',
        '',
        "src/deep/use.ts:1: import { FileLock } from '../lock.ts';",
        'src/deep/use.ts:2: const lock = new FileLock();',
        '',
        'src/lock.ts:1: export class FileLock {',
      ].join('\n'),
      isError: false,
    });
  });

  it('ignores case unless the pattern has a capital letter or an option says otherwise', async () => {
    await using files = await TemporaryWorkspace.create(project);
    const count = async (input: Readonly<Record<string, unknown>>) =>
      (await search([files.path], { path: 'docs', ...input })).content;
    expect(await count({ pattern: 'filelock' })).toContain('docs/lock.md:3');
    expect(await count({ pattern: 'FileLock' })).toBe('No matches.');
    expect(await count({ pattern: 'FileLock', case_sensitive: false })).toContain('docs/lock.md:3');
    expect(await count({ pattern: 'locks', case_sensitive: true })).toBe('No matches.');
  });

  it('reads a pattern literally if an option says so', async () => {
    await using files = await TemporaryWorkspace.create(project);
    expect((await search([files.path], { pattern: '(It is cheap.)', literal: true })).content).toContain(
      'docs/lock.md:3',
    );
  });

  it.each([
    [{ glob: '*.md' }, ['docs/lock.md']],
    [{ glob: 'src/**' }, ['src/deep/use.ts', 'src/lock.ts']],
    [{ glob: 'src/*.ts' }, ['src/lock.ts']],
    [{ glob: '**' }, ['.github/ci.yml', 'docs/lock.md', 'src/deep/use.ts', 'src/lock.ts']],
    [{ path: 'src/deep' }, ['src/deep/use.ts']],
    [{ path: 'src/lock.ts' }, ['src/lock.ts']],
    [{ path: 'src', glob: '*.md' }, []],
    [{ path: '.' }, ['.github/ci.yml', 'docs/lock.md', 'src/deep/use.ts', 'src/lock.ts']],
  ])('searches within %o only', async (within, expected) => {
    await using files = await TemporaryWorkspace.create(project);
    const { content } = await search([files.path], { pattern: 'filelock', ...within });
    const found = new Set([...content.matchAll(/^(\S+?):\d+: /gm)].map((match) => match[1]));
    expect([...found]).toEqual(expected);
  });

  it('clips a long line around its match', async () => {
    const line = `${'ä'.repeat(5000)} needle ${'😀'.repeat(5000)}`;
    await using files = await TemporaryWorkspace.create({ 'min.js': line });
    const { content } = await search([files.path], { pattern: 'needle' });
    expect(content).toMatch(/^min\.js:1: …ä+ needle 😀+…$/u);
    expect(content.length).toBeLessThan(300);
  });

  it('stops after 200 matches and says so', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'hit\n'.repeat(1000) });
    const result = await search([files.path], { pattern: 'hit' });
    expect(result.isTruncated).toBe(true);
    expect(result.content.match(/^a\.txt:\d+: hit$/gm)).toHaveLength(200);
    expect(result.content).toContain('[The first 200 matches; there are more.');
  });

  it('stops earlier if an option says so', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'hit\n'.repeat(10) });
    const result = await search([files.path], { pattern: 'hit', max_results: 2 });
    expect(result.content).toContain('a.txt:1: hit\na.txt:2: hit\n\n[The first 2 matches; there are more.');
    const most = await search([files.path], { pattern: 'hit', max_results: 5000 });
    expect(most).not.toHaveProperty('isTruncated');
  });

  it('is complete with exactly 200 matches', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'hit\n'.repeat(200) });
    expect(await search([files.path], { pattern: 'hit' })).not.toHaveProperty('isTruncated');
  });

  it('reads CRLF, any script, and names that look like flags', async () => {
    await using files = await TemporaryWorkspace.create({ '-说明.md': '第一行\r\n锁文件\r\n' });
    expect((await search([files.path], { pattern: '锁' })).content).toBe('-说明.md:2: 锁文件');
  });

  it('does not treat U+2028 as the end of a line', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'one\u2028two\n' });
    expect((await search([files.path], { pattern: 'two' })).content).toBe('a.txt:1: one\u2028two');
  });

  it('never treats a pattern as an option, whatever it looks like', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'use --pre=x here' });
    expect((await search([files.path], { pattern: '--pre=x' })).content).toBe('a.txt:1: use --pre=x here');
  });

  it('searches several folders', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x.ts': 'hit', 'web/y.ts': 'hit' });
    const folders = [files.at('api'), files.at('web')];
    expect((await search(folders, { pattern: 'hit' })).content).toBe('api/x.ts:1: hit\n\nweb/y.ts:1: hit');
    expect((await search(folders, { pattern: 'hit', path: 'web' })).content).toBe('web/y.ts:1: hit');
    expect((await search(folders, { pattern: 'hit', glob: 'web/*.ts' })).content).toBe('web/y.ts:1: hit');
  });

  it('does not follow links out of the workspace', async () => {
    await using files = await TemporaryWorkspace.create({ 'secrets/key': 'hit', 'app/a': 'hit' });
    await files.link('app/link', files.at('secrets'));
    expect((await search([files.at('app')], { pattern: 'hit' })).content).toBe('a:1: hit');
    const outside = await search([files.at('app')], { pattern: 'hit', path: 'link' });
    expect(outside).toMatchObject({ isError: true });
    expect(outside.content).toContain('outside the workspace');
  });

  it.each([
    [{}, '"pattern" is missing'],
    [{ pattern: '' }, 'The pattern is empty'],
    [{ pattern: 'a\nb' }, 'must be one line'],
    [{ pattern: 'foo(' }, 'not a valid regular expression'],
    [{ pattern: 'foo(' }, 'literal'],
    [{ pattern: '(?<=a)b' }, 'look-around'],
    [{ pattern: 'a{1000}{1000}{1000}' }, 'too large once its repetitions are written out'],
    [{ pattern: 'a'.repeat(20_000) }, 'too long'],
    [{ pattern: 'x', glob: '*.{ts' }, 'The glob is not valid'],
    [{ pattern: 'x', path: '../..' }, 'outside the workspace'],
    [{ pattern: 'x', path: 'none' }, 'none does not exist'],
    [{ pattern: 'x', path: '.git' }, 'left out'],
    [{ pattern: 'x', literal: 'yes' }, 'must be true or false'],
  ])('answers %o with an explanation', async (input, sentence) => {
    await using files = await TemporaryWorkspace.create(project);
    const result = await search([files.path], input);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffone hit\n\n  two hits\n')],
    ['UTF-16', Buffer.from('\ufeffone hit\n\n  two hits\n', 'utf16le')],
  ])('reads %s', async (_, content) => {
    await using files = await TemporaryWorkspace.create({ a: content });
    expect((await search([files.path], { pattern: 'hit' })).content).toBe('a:1: one hit\na:3:   two hits');
  });

  it('shows empty lines, and a last line without a line feed', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one\n\nlast hit without an end' });
    expect((await search([files.path], { pattern: '^$|hit' })).content).toBe(
      'a:2: \na:3: last hit without an end',
    );
  });

  it('shows the text around the match in a line of 19 MB', async () => {
    const line = `${'a'.repeat(10_000_000)}needle${'b'.repeat(9_000_000)}`;
    await using files = await TemporaryWorkspace.create({ 'min.js': line });
    const { content } = await search([files.path], { pattern: 'needle' });
    expect(content).toBe(`min.js:1: …${'a'.repeat(80)}needle${'b'.repeat(164)}…`);
  });

  it.each([
    ['large', 'is too large to search (21 MB); the limit is 20 MB'],
    ['pipe', 'is not a regular file'],
  ])('does not search a file named by path that a folder search would omit: %s', async (path, sentence) => {
    await using files = await TemporaryWorkspace.create({ large: 'hit\n'.repeat(5_250_000) });
    execFileSync('mkfifo', [files.at('pipe')]);
    const result = await search([files.path], { pattern: 'hit', path });
    expect(result).toMatchObject({ isError: true });
    expect(result.content).toContain(sentence);
    expect((await search([files.path], { pattern: 'hit' })).content).toBe('No matches.');
  });

  it('reveals nothing behind a folder that became a link during the search', async () => {
    await using files = await TemporaryWorkspace.create({
      'app/folder/a': 'hit inside\n',
      'outside/a': 'hit outside\n',
      // Swaps the folder and then searches through the link, like the real program if both happened in that
      // order.
      'swapping-rg': `#!/bin/sh\nmv folder moved && ln -s ../outside folder\n"${rgPath}" --follow "$@"\n`,
    });
    await chmod(files.at('swapping-rg'), 0o755);
    const tool = createSearchText(new Workspace([files.at('app')]), files.at('swapping-rg'));
    expect((await tool.run({ pattern: 'hit', path: 'folder' }, signal)).content).toBe('No matches.');
  });

  it('ends ripgrep when it is stopped', async () => {
    await using files = await TemporaryWorkspace.create({
      // Simulates a long search: writes its process id and waits.
      'slow-rg': '#!/bin/sh\necho $$ > "$PWD/pid.tmp" && mv "$PWD/pid.tmp" "$PWD/pid"\nexec sleep 600\n',
    });
    await chmod(files.at('slow-rg'), 0o755);
    const started = new Promise<void>((resolve) => {
      const watcher = watch(files.path, (_event, name) => {
        if (name !== 'pid') return;
        watcher.close();
        resolve();
      });
    });
    const stopping = new AbortController();
    const tool = createSearchText(new Workspace([files.path]), files.at('slow-rg'));
    const running = tool.run({ pattern: 'x' }, stopping.signal);
    await started;
    const processId = Number(await readFile(files.at('pid'), 'utf8'));
    expect(process.kill(processId, 0)).toBe(true);
    stopping.abort();
    await expect(running).rejects.toMatchObject({ name: 'CancelledError' });
    expect(() => process.kill(processId, 0)).toThrow('ESRCH');
  });
});
