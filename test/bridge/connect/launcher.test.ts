import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';
import { runtimesHere } from '../../../src/bridge/connect/find-node.ts';
import { launcherIn, refreshLauncher, writeLauncher } from '../../../src/bridge/connect/launcher.ts';

let folder: string;
beforeEach(async () => {
  // A user's folder may have any name.
  folder = join(await mkdtemp(join(tmpdir(), 'launcher-')), `Ann's "state" $HOME`);
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'program.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)))');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const write = (runtimes: readonly string[]) => writeLauncher(folder, join(folder, 'program.mjs'), runtimes);
/** Calls the script like an agent with these folders on its path. */
function call(path: string, ...given: readonly string[]) {
  const { program, script } = launcherIn(folder, 'linux');
  const workspace = join(folder, 'workspace');
  const { status, stdout, stderr } = spawnSync(program, [script, ...given], {
    encoding: 'utf8',
    cwd: existsSync(workspace) ? workspace : folder,
    env: { PATH: path },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

describe.skipIf(process.platform === 'win32')('the script that agents call', () => {
  it('runs the program with the first runtime that exists', async () => {
    await write(['/gone/node', process.execPath]);
    expect(call('/nothing', 'mcp', 'a b')).toEqual({ status: 0, stdout: '["mcp","a b"]', stderr: '' });
  });

  it('makes the runtime of an editor behave as Node', async () => {
    const editor = join(folder, 'editor');
    const text = `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec '${process.execPath}' "$@"\n`;
    await writeFile(editor, text, { mode: 0o755 });
    await write([editor]);
    expect(call('/nothing', 'mcp').stdout).toBe('["mcp"]');
  });

  it('finds Node on the agent’s path if the known runtimes are gone', async () => {
    await mkdir(join(folder, 'path'));
    await mkdir(join(folder, 'workspace'));
    await symlink(process.execPath, join(folder, 'path', 'node'));
    await write(['/gone/node']);
    expect(call(join(folder, 'path'), 'mcp').stdout).toBe('["mcp"]');
  });

  it.each([
    ['an empty entry', (_workspace: string) => ':'],
    ['a dot', (_workspace: string) => '.'],
    ['a relative folder', (_workspace: string) => 'bin'],
    ['a folder of the workspace', (workspace: string) => join(workspace, 'bin')],
    ['a link to a folder of the workspace', (workspace: string) => join(workspace, '..', 'link')],
  ])('starts no Node from the workspace: the path has %s', async (_what, pathIn) => {
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, 'bin'), { recursive: true });
    await symlink(join(workspace, 'bin'), join(folder, 'link'));
    for (const place of [workspace, join(workspace, 'bin')]) {
      await writeFile(join(place, 'node'), '#!/bin/sh\necho taken\n', { mode: 0o755 });
    }
    await write(['/gone/node']);
    expect(call(pathIn(workspace), 'hook', 'PreCompact').stdout).toBe('');
    expect(call(`${pathIn(workspace)}:${dirname(process.execPath)}`, 'mcp').stdout).toBe('["mcp"]');
  });

  it('may be deleted with the state folder, after which hooks succeed silently', async () => {
    await write([process.execPath]);
    const home = join(folder, 'home');
    const [settings] = configFiles('claude-code', launcherIn(folder, 'linux'), {
      home,
      platform: 'linux',
      environment: {},
    });
    const { hooks } = JSON.parse(settings!.connect('')) as {
      hooks: { PreCompact: { hooks: { command: string }[] }[] };
    };
    const { command } = hooks.PreCompact[0]!.hooks[0]!;
    const asAgent = () =>
      spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { PATH: '/nothing' } });
    expect(asAgent()).toMatchObject({ status: 0, stdout: '["hook","PreCompact"]\n', stderr: '' });
    await rm(join(folder, 'bin'), { recursive: true });
    expect(asAgent()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('reports a missing Node if it starts a server, but not if it runs a hook', async () => {
    await write(['/gone/node']);
    const said =
      'Context Budget needs Node.js 20 or newer on the path, or the editor that it is installed in.';
    expect(call('/nothing', 'mcp')).toEqual({ status: 1, stdout: '', stderr: said });
    expect(call('/nothing', 'hook', 'PreCompact')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('exits successfully if the program for a hook is gone', async () => {
    await write([process.execPath]);
    await rm(join(folder, 'program.mjs'));
    expect(call('/nothing', 'hook', 'PreCompact')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('is rewritten by another version if it exists', async () => {
    await refreshLauncher(folder, join(folder, 'program.mjs'), []);
    expect(call('/nothing', 'mcp').status).not.toBe(0);
    await write(['/gone/node']);
    await refreshLauncher(folder, join(folder, 'program.mjs'), []);
    expect(call('/nothing', 'mcp').stdout).toBe('["mcp"]');
  });

  it('lists the runtime of the editor last', async () => {
    expect((await runtimesHere([])).at(-1)).toBe(process.execPath);
  });
});

it('on Windows, agents call Node directly by its path', () => {
  const node = { program: 'C:\\Program Files\\nodejs\\node.exe', word: 'C:\\PROGRA~1\\nodejs\\node.exe' };
  expect(launcherIn('/state', 'win32', node)).toEqual({
    ...node,
    script: join('/state', 'bin', 'context-budget.mjs'),
  });
});
