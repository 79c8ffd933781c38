import { describe, expect, it } from 'vitest';
import { createDiagnostics, type Problem } from '../../../src/agent/tools/diagnostics.ts';
import type { ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const { signal } = new AbortController();

const problem = (path: string, line: number, more: Partial<Problem> = {}): Problem => ({
  path,
  line,
  column: 1,
  severity: 'error',
  message: 'Wrong.',
  ...more,
});

/** The tool's output for these problems; paths are relative to the workspace. */
async function diagnosticsOf(
  found: (files: TemporaryWorkspace) => readonly Problem[],
  path?: string,
): Promise<ToolResult> {
  await using files = await TemporaryWorkspace.create({ 'src/a.ts': '', 'src/b.ts': '' });
  const finder = { find: () => Promise.resolve(found(files)) };
  const tool = createDiagnostics(new Workspace([files.path]), finder);
  return await tool.run(path === undefined ? {} : { path }, signal);
}

describe('diagnostics', () => {
  it('lists problems with their places, errors first', async () => {
    const result = await diagnosticsOf((files) => [
      problem(files.at('src/b.ts'), 2, { severity: 'warning', message: 'Unused.', source: 'eslint' }),
      problem(files.at('src/b.ts'), 1, { column: 5 }),
      problem(files.at('src/a.ts'), 9, { message: "Type 'A'\n  is no 'B'.", source: 'ts' }),
    ]);
    expect(result).toMatchObject({
      content: `src/a.ts:9:1 error Type 'A' is no 'B'. (ts)
src/b.ts:1:5 error Wrong.
src/b.ts:2:1 warning Unused. (eslint)`,
      isError: false,
      summary: { english: '2 errors, 1 warning' },
    });
  });

  it('reports that there are no problems', async () => {
    expect(await diagnosticsOf(() => [], 'src/a.ts')).toMatchObject({
      content: 'The editor knows of no errors or warnings in src/a.ts.',
      isError: false,
      summary: { english: '0 errors, 0 warnings' },
    });
  });

  it('omits problems outside the workspace', async () => {
    const result = await diagnosticsOf(() => [problem('/outside/a.ts', 1)]);
    expect(result.summary?.english).toBe('0 errors, 0 warnings');
  });

  it('stops after 100 problems, and states the total', async () => {
    const result = await diagnosticsOf((files) =>
      Array.from({ length: 130 }, (_, index) => problem(files.at('src/a.ts'), index + 1)),
    );
    expect(result.isTruncated).toBe(true);
    expect(result.content).toMatch(/\[The first 100 of 130: 130 errors, 0 warnings\.\]$/);
  });

  it('clips a long message', async () => {
    const result = await diagnosticsOf((files) => [
      problem(files.at('src/a.ts'), 1, { message: 'x'.repeat(1_000) }),
    ]);
    expect(result.content.length).toBeLessThan(450);
  });

  it('asks the editor for the real path', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    const asked: (string | undefined)[] = [];
    const finder = {
      find: (path: string | undefined) => {
        asked.push(path);
        return Promise.resolve([]);
      },
    };
    const tool = createDiagnostics(new Workspace([files.path]), finder);
    await tool.run({ path: './src/../src/a.ts' }, signal);
    expect(asked).toEqual([files.at('src/a.ts')]);
  });

  it('refuses a path outside the workspace', async () => {
    expect((await diagnosticsOf(() => [], '../x')).isError).toBe(true);
  });
});
