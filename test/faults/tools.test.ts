import { execFileSync, fork } from 'node:child_process';
import { mkdir, readdir, readFile, rename, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { describe } from 'vitest';
import { diskEditor } from '../../src/agent/edits/disk-editor.ts';
import { createApplyPatch } from '../../src/agent/tools/apply-patch.ts';
import { createEditFile } from '../../src/agent/tools/edit-file.ts';
import { createFindFiles } from '../../src/agent/tools/find-files.ts';
import { createGitDiff } from '../../src/agent/tools/git-diff.ts';
import { createListDirectory } from '../../src/agent/tools/list-directory.ts';
import { createReadFile } from '../../src/agent/tools/read-file.ts';
import { createSearchText } from '../../src/agent/tools/search-text.ts';
import type { ActingTool, Tool, ToolResult } from '../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { createWriteFile } from '../../src/agent/tools/write-file.ts';
import { act } from '../agent/tools/act.ts';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';
import { noQuestion } from '../support/no-question.ts';

const secret = 'TEXT OF OUTSIDE';
const planted = 'TEXT OF THE MODEL';
const { signal } = new AbortController();

type Input = Readonly<Record<string, unknown>>;

/** A workspace in `app`, and next to it files that must be neither revealed nor changed. */
async function hostileFolder(): Promise<TemporaryWorkspace> {
  const files = await TemporaryWorkspace.create({
    'secret.txt': `${secret}\n`,
    'app-evil/x.txt': `${secret}\n`,
    'app/a.txt': 'hello\n',
    'app/folder/b.txt': 'b\n',
    'app/.git/config': '[core]\n',
  });
  await files.link('app/up', files.path);
  await files.link('app/link.txt', files.at('secret.txt'));
  await files.link('app/relative', 'folder/../../secret.txt');
  await files.link('app/zero', '/dev/zero');
  await files.link('app/environment', '/proc/self/environ');
  await files.link('app/dangling', files.at('not-there'));
  await files.link('app/loop', 'loop');
  execFileSync('mkfifo', [files.at('app/pipe')]);
  await writeFile(files.at('app/sparse'), '');
  await truncate(files.at('app/sparse'), 1_000_000_000);
  return files;
}

function hostilePaths(base: string): readonly string[] {
  return [
    ...[
      '../secret.txt',
      './../secret.txt',
      'folder/../../secret.txt',
      `${base}/secret.txt`,
      `${base}/app/../secret.txt`,
    ],
    ...['up/secret.txt', 'up/new.txt', 'link.txt', 'relative', '../app-evil/x.txt', `${base}/app-evil/x.txt`],
    ...[
      `file://${base}/secret.txt`,
      '..\\secret.txt',
      'folder\\..\\..\\secret.txt',
      'C:\\secret.txt',
      '\\\\server\\share',
    ],
    ...[
      'a.txt\0../secret.txt',
      'a.txt%00',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '..;/secret.txt',
      '....//secret.txt',
    ],
    ...[
      `~/../../${base}/secret.txt`,
      '~root',
      '$HOME',
      `/proc/self/root${base}/secret.txt`,
      '/proc/self/cwd',
    ],
    ...[
      '/dev/fd/0',
      '/dev/zero',
      '/dev/tty',
      '/proc/self/environ',
      '/proc/self/mem',
      '/etc/passwd',
      '///etc/passwd',
    ],
    ...['zero', 'environment', 'dangling', 'dangling/x', 'loop', 'loop/x', 'pipe', 'pipe/x', 'sparse'],
    ...[
      'x'.repeat(5_000),
      'x/'.repeat(100),
      'x'.repeat(300),
      '',
      ' ',
      '.',
      '..',
      '/',
      '//',
      'a.txt/',
      'a.txt/.',
    ],
    ...[
      'a.txt/../../secret.txt',
      '\u202ea.txt',
      '\u2025/secret.txt',
      '.\u200b./secret.txt',
      'up/app/../secret.txt',
    ],
    ...['.git/config', '.git/hooks/pre-commit', '.GIT/config', 'folder/.git/config', '.git./x', '.git /x'],
  ];
}

function actingTools(
  workspace: Workspace,
): readonly { readonly tool: ActingTool; readonly inputOf: (given: string) => Input }[] {
  const patch = createApplyPatch(workspace, diskEditor);
  const inPatch = (text: (given: string) => string) => (given: string) => ({ patch: text(given) });
  return [
    { tool: createWriteFile(workspace, diskEditor), inputOf: (given) => ({ path: given, content: planted }) },
    {
      tool: createEditFile(workspace, diskEditor),
      inputOf: (given) => ({ path: given, edits: [{ search: secret, replace: planted }] }),
    },
    {
      tool: patch,
      inputOf: inPatch((given) => `*** Begin Patch\n*** Add File: ${given}\n+${planted}\n*** End Patch`),
    },
    { tool: patch, inputOf: inPatch((given) => `*** Begin Patch\n*** Delete File: ${given}\n*** End Patch`) },
    {
      tool: patch,
      inputOf: inPatch(
        (given) =>
          `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${given}\n@@\n-hello\n+${planted}\n*** End Patch`,
      ),
    },
  ];
}

/** Everything outside the workspace, and Git's own files. */
async function outsideOf(files: TemporaryWorkspace): Promise<string> {
  const names = await readdir(files.path);
  const texts = ['secret.txt', 'app-evil/x.txt', 'app/.git/config'].map((name) =>
    readFile(files.at(name), 'utf8'),
  );
  return JSON.stringify([names.toSorted(), await readdir(files.at('app/.git')), await Promise.all(texts)]);
}

/** Runs a reading tool. It has to answer, without content from outside. */
async function look(count: FaultCount, tool: Tool, input: Input): Promise<ToolResult | undefined> {
  const what = `${tool.name} ${JSON.stringify(input).slice(0, 200)}`;
  count.tried();
  try {
    const result = await tool.run(input, AbortSignal.timeout(120_000));
    if (result.content.includes(secret)) count.harmed(`${what} told what is outside`);
    return result;
  } catch (error) {
    count.harmed(`${what}: ${String(error)}`);
    return undefined;
  }
}

describe('the tools withstand', () => {
  fault('tools: look-ups of hostile paths', async (count) => {
    await using files = await hostileFolder();
    const workspace = new Workspace([files.at('app')]);
    const [read, list] = [createReadFile(workspace), createListDirectory(workspace)];
    const search = createSearchText(workspace, rgPath);
    const find = createFindFiles(workspace, rgPath);
    const diff = createGitDiff(workspace, { environment: () => process.env });
    for (const given of hostilePaths(files.path)) {
      await look(count, read, { path: given });
      await look(count, list, { path: given });
      await look(count, search, { pattern: secret, path: given });
      await look(count, search, { pattern: secret, glob: given });
      await look(count, find, { glob: given });
      await look(count, diff, { path: given });
    }
  });

  fault('tools: edits of hostile paths', async (count) => {
    await using files = await hostileFolder();
    const before = await outsideOf(files);
    for (const { tool, inputOf } of actingTools(new Workspace([files.at('app')]))) {
      for (const given of hostilePaths(files.path)) {
        const what = `${tool.name} ${JSON.stringify(inputOf(given)).slice(0, 200)}`;
        count.tried();
        await act(tool, inputOf(given)).catch((error: unknown) => count.harmed(`${what}: ${String(error)}`));
        if ((await outsideOf(files)) !== before) count.harmed(`${what} changed what is outside`);
        await writeFile(files.at('app/a.txt'), 'hello\n');
      }
    }
  });

  fault('tools: a folder that is swapped for a link during use', async (count) => {
    await using files = await TemporaryWorkspace.create({
      'app/folder/file': 'inside\n',
      'outside/file': `${secret}\n`,
    });
    const swapper = fork(path.join(import.meta.dirname, 'support/swap-folder.ts'), [files.path], {
      execArgv: [],
    });
    try {
      await new Promise((resolve) => swapper.once('message', resolve));
      const workspace = new Workspace([files.at('app')]);
      const [read, list] = [createReadFile(workspace), createListDirectory(workspace)];
      const search = createSearchText(workspace, rgPath);
      const write = createWriteFile(workspace, diskEditor);
      for (let round = 0; round < soak(250, 2_500); round++) {
        await look(count, read, { path: 'folder/file' });
        await look(count, list, { path: 'folder' });
        if (round % 25 === 0) await look(count, search, { pattern: 'TEXT|inside', path: 'folder' });
        count.tried();
        await act(write, { path: `folder/new${round}`, content: planted });
      }
      if (swapper.exitCode !== null) count.harmed('the folder was not swapped to the end');
    } finally {
      swapper.kill('SIGKILL');
    }
    const outside = await readdir(files.at('outside'));
    if (outside.length > 1) count.harmed(`written outside: ${outside.join(', ')}`);
  });

  fault('tools: pipes, huge files, long lines and costly patterns', async (count) => {
    await using files = await hostileFolder();
    await files.write('app/min.js', `needle${'a'.repeat(19_000_000)}`);
    await files.write('app/large.txt', 'some line\n'.repeat(10_000_000));
    const workspace = new Workspace([files.at('app')]);
    const search = createSearchText(workspace, rgPath);
    const read = createReadFile(workspace);
    for (const given of ['pipe', 'sparse', 'large.txt', 'min.js', 'zero']) {
      await look(count, read, { path: given });
      const result = await look(count, search, { pattern: 'needle', path: given });
      if ((result?.content.length ?? 0) > 50_000)
        count.harmed(`${given}: ${result?.content.length} characters`);
    }
    const patterns = [
      '(a+)+$',
      '(.*a){25}$',
      '((((a{100}){100}){100}){100})',
      '[a-z]{1,1000}'.repeat(100),
      '('.repeat(3_000),
      'a'.repeat(1_000_000),
    ];
    for (const pattern of patterns) await look(count, search, { pattern });
    const find = createFindFiles(workspace, rgPath);
    const globs = [
      '**/'.repeat(300),
      '{a,b}'.repeat(200),
      `${'{a,'.repeat(20)}${'}'.repeat(20)}`,
      '*a'.repeat(400),
      '?'.repeat(100_000),
    ];
    for (const glob of globs) await look(count, find, { glob });
  });

  fault('tools: a folder that is swapped between the approval and the action', async (count) => {
    await using files = await TemporaryWorkspace.create({ 'outside/file': secret });
    const workspace = new Workspace([files.at('app')]);
    await mkdir(files.at('app/folder'), { recursive: true });
    for (const { tool, inputOf } of actingTools(workspace).slice(0, 3)) {
      count.tried();
      await files.write('app/folder/file', secret);
      const isNew = tool.name === 'apply_patch';
      const proposed = await tool.propose(inputOf(isNew ? 'folder/new' : 'folder/file'), signal);
      await rename(files.at('app/folder'), files.at('app/real'));
      await symlink(files.at('outside'), files.at('app/folder'));
      if ('perform' in proposed)
        await proposed.perform({ signal, callKey: 'm1:0', ask: noQuestion, progress: () => {} });
      const now = await Promise.all([
        readdir(files.at('outside')),
        readFile(files.at('outside/file'), 'utf8'),
      ]);
      if (JSON.stringify(now) !== JSON.stringify([['file'], secret]))
        count.harmed(`${tool.name} wrote outside`);
      await unlink(files.at('app/folder'));
      await rename(files.at('app/real'), files.at('app/folder'));
    }
  });
});
