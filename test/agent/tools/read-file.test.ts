import { describe, expect, it } from 'vitest';
import { createReadFile } from '../../../src/agent/tools/read-file.ts';
import type { ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const signal = new AbortController().signal;

async function read(
  content: string | Uint8Array,
  range: { start_line?: unknown; end_line?: unknown } = {},
): Promise<ToolResult> {
  await using files = await TemporaryWorkspace.create({ file: content });
  return await createReadFile(new Workspace([files.path])).run({ path: 'file', ...range }, signal);
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('read_file', () => {
  it('numbers lines', async () => {
    expect(await read('one\ntwo\n')).toMatchObject({ content: '1\tone\n2\ttwo', isError: false });
  });

  it('reads a range, and reports the length of the file', async () => {
    expect(await read(numbered(9), { start_line: 3, end_line: 4 })).toMatchObject({
      content: '3\tline 3\n4\tline 4\n\n[Lines 3–4 of 9.]',
      isError: false,
    });
  });

  it('reads from a line to the end', async () => {
    expect((await read(numbered(5), { start_line: 4 })).content).toBe(
      '4\tline 4\n5\tline 5\n\n[Lines 4–5 of 5.]',
    );
  });

  it('reads to the end if the range exceeds it', async () => {
    const result = await read(numbered(5), { start_line: 5, end_line: 50 });
    expect(result).toMatchObject({ content: '5\tline 5\n\n[Lines 5–5 of 5.]', isError: false });
  });

  it('explains a range after the end', async () => {
    expect(await read(numbered(5), { start_line: 6 })).toMatchObject({
      content: 'file has 5 lines; there is no line 6.',
      isError: true,
    });
  });

  it('explains a range that ends before it starts', async () => {
    expect((await read(numbered(5), { start_line: 4, end_line: 2 })).isError).toBe(true);
  });

  it('stops after 2,000 lines, and says how to continue', async () => {
    const result = await read(Array.from({ length: 4500 }, () => '}').join('\n'), { start_line: 100 });
    expect(result.isTruncated).toBe(true);
    expect(result.content).toContain('\n2099\t}\n');
    expect(result.content).not.toContain('2100\t');
    expect(result.content).toContain('[Lines 100–2099 of 4500. Read on with start_line 2100.]');
  });

  it('stops after 20,000 characters, and says how to continue', async () => {
    const result = await read(Array.from({ length: 100 }, () => 'x'.repeat(1000)).join('\n'));
    expect(result.isTruncated).toBe(true);
    expect(result.content.length).toBeLessThan(20_200);
    expect(result.content).toMatch(/\[Lines 1–19 of 100\. Read on with start_line 20\.\]$/);
  });

  it('clips a single line of more than 20,000 characters', async () => {
    const result = await read('x'.repeat(100_000));
    expect(result.isTruncated).toBe(true);
    expect(result.content.length).toBeLessThan(20_200);
    expect(result.content).toContain('more characters in this line]');
  });

  it.each([
    ['removes CRLF and a byte order mark', '\ufeffone\r\ntwo\r\n', '1\tone\n2\ttwo'],
    ['reads UTF-16', Buffer.from('\ufeffzwölf\nтри', 'utf16le'), '1\tzwölf\n2\tтри'],
    ['keeps empty lines', 'one\n\n\n', '1\tone\n2\t\n3\t'],
  ])('%s', async (_title, content, expected) => {
    expect((await read(content)).content).toBe(expected);
  });

  it('says that a file is empty', async () => {
    expect(await read('')).toMatchObject({ content: 'file is empty.', isError: false });
  });

  it('refuses a binary file', async () => {
    expect(await read(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toMatchObject({
      content: 'file is a binary file and cannot be read as text.',
      isError: true,
    });
  });

  it('reads lines of a huge file, and says that the file continues', async () => {
    const huge = Buffer.alloc(20_000_002, 'x\n');
    expect((await read(huge, { start_line: 9, end_line: 10 })).content).toBe(
      '9\tx\n10\tx\n\n[Lines 9–10 of a file of 20 MB.]',
    );
    expect((await read(huge, { start_line: 5_000_000 })).content).toMatch(
      /\[Lines 5000000–5001999 of a file of 20 MB\. Read on with start_line 5002000\.\]$/,
    );
  });

  it('refuses a directory', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    const result = await createReadFile(new Workspace([files.path])).run({ path: 'src' }, signal);
    expect(result).toMatchObject({
      content: 'src is a directory. list_directory shows what is in it.',
      isError: true,
    });
  });

  it('refuses files outside the workspace, also through a link', async () => {
    await using files = await TemporaryWorkspace.create({ secret: 'key', 'app/a': '' });
    await files.link('app/link', files.at('secret'));
    const tool = createReadFile(new Workspace([files.at('app')]));
    for (const path of ['../secret', 'link', files.at('secret')]) {
      const result = await tool.run({ path }, signal);
      expect(result.isError).toBe(true);
      expect(result.content).not.toContain('key');
    }
  });

  it('says that a file does not exist', async () => {
    await using files = await TemporaryWorkspace.create();
    const result = await createReadFile(new Workspace([files.path])).run({ path: 'nö.ts' }, signal);
    expect(result).toMatchObject({ isError: true });
    expect(result.content).toContain('nö.ts does not exist');
  });

  it('throws when it is stopped', async () => {
    await using files = await TemporaryWorkspace.create({ file: 'text' });
    const tool = createReadFile(new Workspace([files.path]));
    await expect(tool.run({ path: 'file' }, AbortSignal.abort())).rejects.toMatchObject({
      name: 'CancelledError',
    });
    const stopping = new AbortController();
    const running = tool.run({ path: 'file' }, stopping.signal);
    stopping.abort('a reason of its own');
    await expect(running).rejects.toMatchObject({ name: 'CancelledError' });
  });

  it.each([
    [{}, '"path" is missing'],
    [{ path: 7 }, '"path" must be a text'],
    [{ path: ['a'] }, '"path" must be a text'],
    [{ path: null }, '"path" is missing'],
    [{ path: 'file', start_line: '3' }, '"start_line" must be a whole number'],
    [{ path: 'file', start_line: 1.5 }, '"start_line" must be a whole number'],
    [{ path: 'file', start_line: 0 }, '"start_line" must be at least 1'],
    [{ path: 'file', limit: 5 }, 'no argument "limit"'],
  ])('answers %o with an explanation', async (input, sentence) => {
    await using files = await TemporaryWorkspace.create({ file: 'text' });
    const result = await createReadFile(new Workspace([files.path])).run(input, signal);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
  });

  it('treats null as a missing argument', async () => {
    expect((await read('one', { start_line: null, end_line: null })).content).toBe('1\tone');
  });

  it.each([
    [{ path: 'src/lock.ts', start_line: 40, end_line: 120 }, 'src/lock.ts 40–120'],
    [{ path: 'src/lock.ts' }, 'src/lock.ts'],
    [{ path: 'src/lock.ts', start_line: 'x' }, 'src/lock.ts'],
    [{ path: { evil: true } }, ''],
    [{ path: 'a\nb' }, 'a b'],
    [{ path: 'x'.repeat(500) }, `${'x'.repeat(119)}…`],
  ])('describes %o for the user', (input, label) => {
    expect(createReadFile(new Workspace([])).describe(input)).toBe(label);
  });
});
