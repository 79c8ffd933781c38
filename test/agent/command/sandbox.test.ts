import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { runSandboxed, sandbox } from '../../support/sandboxed-command.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

afterAll(() => sandbox?.dispose());

/** A folder that is a repository with one commit. */
async function repository() {
  const files = await TemporaryWorkspace.create({ 'a.txt': 'one\n' });
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', files.path, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=one');
  return { files, git };
}

describe.skipIf(sandbox === undefined)('a command in the sandbox', () => {
  it('returns output and exit code as outside', async () => {
    await using files = await TemporaryWorkspace.create();
    const shown: string[] = [];
    const { ending, output, hasLeftProcesses } = await runSandboxed('echo one; echo two >&2; exit 3', {
      root: files.path,
      onOutput: (text) => shown.push(text),
    });
    expect(ending).toEqual({ how: 'exited', exitCode: 3 });
    expect(output).toBe('one\ntwo\n');
    expect(shown.join('')).toBe(output);
    expect(hasLeftProcesses).toBe(false);
  });

  it('gives the number of the signal that ended it, as shells do', async () => {
    await using files = await TemporaryWorkspace.create();
    const { ending, output } = await runSandboxed('kill -KILL $$', { root: files.path });
    expect(ending).toEqual({ how: 'exited', exitCode: 137 });
    expect(output).toBe('');
  });

  it('writes in the workspace', async () => {
    await using files = await TemporaryWorkspace.create();
    await runSandboxed('mkdir sub && echo new > sub/file', { root: files.path });
    expect(await readFile(files.at('sub/file'), 'utf8')).toBe('new\n');
  });

  it('has a temporary folder that the next command finds, and nobody else', async () => {
    await using files = await TemporaryWorkspace.create();
    const { output } = await runSandboxed('echo kept > "$TMPDIR/mine-of-the-sandbox"; echo $TMPDIR', {
      root: files.path,
    });
    expect((await runSandboxed('cat "$TMPDIR/mine-of-the-sandbox"', { root: files.path })).output).toBe(
      'kept\n',
    );
    expect(existsSync(`${output.trim()}/mine-of-the-sandbox`)).toBe(process.platform === 'darwin');
  });

  it('cannot write anywhere else', async () => {
    await using files = await TemporaryWorkspace.create();
    await using other = await TemporaryWorkspace.create({ 'a.txt': 'theirs' });
    await runSandboxed(`echo mine > '${other.at('a.txt')}'; echo mine > /etc/mine-of-the-sandbox`, {
      root: files.path,
    });
    expect(await readFile(other.at('a.txt'), 'utf8')).toBe('theirs');
    expect(existsSync('/etc/mine-of-the-sandbox')).toBe(false);
  });

  it('finds an empty home folder, but for programs', async () => {
    await using files = await TemporaryWorkspace.create();
    await using home = await TemporaryWorkspace.create({
      '.ssh/id_ed25519': 'secret',
      '.cargo/credentials.toml': 'secret',
      '.local/share/keyrings/login': 'secret',
      '.nvm/versions/node': '#!/bin/sh\necho from nvm\n',
      'bin/tool': '#!/bin/sh\necho from home\n',
    });
    execFileSync('chmod', ['+x', home.at('bin/tool')]);
    const environment = { ...process.env, HOME: home.path, PATH: `${home.at('bin')}:${process.env['PATH']}` };
    const { output } = await runSandboxed(
      'cd; find . -type f | sort; tool; cat .nvm/versions/node | tail -1',
      {
        root: files.path,
        environment,
      },
    );
    expect(output).toBe('./.nvm/versions/node\n./bin/tool\nfrom home\necho from nvm\n');
  });

  it('has no network unless it is allowed', async () => {
    await using files = await TemporaryWorkspace.create();
    let heard = 0;
    const server = createServer((_request, response) => {
      heard++;
      response.end('from outside');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const command = `(exec 3<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -1 <&3) 2>&1`;
    const without = await runSandboxed(command, { root: files.path });
    expect(without.output).not.toContain('from outside');
    expect(heard).toBe(0);
    const withIt = await runSandboxed(command, { root: files.path, hasNetwork: true });
    expect(withIt.output).toContain('from outside');
    server.close();
  });

  it('neither sees nor signals processes of others', async () => {
    await using files = await TemporaryWorkspace.create();
    const { output } = await runSandboxed(
      `kill -0 ${process.pid} 2>/dev/null && echo reached; ls /proc | grep -c '^[0-9]'`,
      { root: files.path },
    );
    expect(output).not.toContain('reached');
    if (process.platform === 'linux') expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(10);
  });

  it('starts where it is told to', async () => {
    await using files = await TemporaryWorkspace.create();
    expect((await runSandboxed('pwd', { root: files.path })).output).toBe(`${files.path}\n`);
  });

  it('says so where the sandbox does not start, and runs nothing', async () => {
    await using files = await TemporaryWorkspace.create();
    const root = files.path;
    using enclosure = sandbox!.enclose({
      command: 'echo run > mark',
      directory: `${root}/not-there`,
      roots: [root],
      environment: process.env,
      hasNetwork: false,
    });
    const { spawnCommand } = await import('../../../src/agent/command/spawn-command.ts');
    const run = { command: '', directory: root, environment: process.env, timeoutMs: 30_000 };
    await expect(
      spawnCommand({ ...run, onOutput: () => {}, enclosure }, new AbortController().signal),
    ).rejects.toThrow('the sandbox did not start');
    expect(existsSync(files.at('mark'))).toBe(false);
  });

  it('is not to be had where the home folder is in the workspace', () => {
    expect(sandbox!.canHold(['/'], process.env)).toBe(false);
    expect(sandbox!.canHold([process.env['HOME'] ?? '/'], process.env)).toBe(false);
  });
});

describe.skipIf(sandbox === undefined)('in the sandbox, a repository', () => {
  it('takes commits', async () => {
    const { files, git } = await repository();
    await using _files = files;
    const commit = 'git -c user.name=a -c user.email=a@b.c commit --quiet --all --message=two';
    const { output } = await runSandboxed(`echo two > a.txt && ${commit} && git status --short`, {
      root: files.path,
    });
    expect(output).toBe('');
    expect(git('log', '--format=%s')).toBe('two\none\n');
  });

  it.each([
    ['settings', 'git config core.fsmonitor ./evil; echo "[core] fsmonitor=./evil" >> .git/config'],
    ['settings by moving them', 'mv .git/config old; echo "[core] fsmonitor=./evil" > .git/config'],
    ['hooks', 'echo ./evil > .git/hooks/pre-commit; rm -rf .git/hooks; ln -s /tmp .git/hooks'],
    ['all of it', 'mv .git old; rm -rf .git; mkdir .git; git init --quiet'],
    [
      'where settings are',
      'mkdir evil; git init --quiet --bare evil; echo ../evil > .git/commondir; sleep 0.1',
    ],
    ['settings of a working tree', 'echo "[core] fsmonitor=./evil" > .git/config.worktree'],
  ])('keeps its %s', async (_what, command) => {
    const { files } = await repository();
    await using _files = files;
    const parts = ['config', 'config.worktree', 'commondir', 'hooks'];
    const state = async () => ({
      config: await readFile(files.at('.git/config'), 'utf8'),
      hooks: await readdir(files.at('.git/hooks')),
      parts: (await readdir(files.at('.git'))).filter((name) => parts.includes(name)),
    });
    const before = await state();
    await runSandboxed(command, { root: files.path });
    expect(await state()).toEqual(before);
  });

  it('is not made where there was none, and leaves nothing behind', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': '' });
    const { output } = await runSandboxed('git init 2>&1; mkdir -p .vscode; echo x > .vscode/tasks.json', {
      root: files.path,
    });
    expect(output).toContain('Read-only file system');
    expect(await readdir(files.path)).toEqual(['a.txt']);
  });

  it('is kept one folder down as well, and so are the settings of the editor', async () => {
    await using files = await TemporaryWorkspace.create({
      'sub/.git/config': 'theirs',
      '.vscode/settings.json': 'theirs',
      'mine.code-workspace': 'theirs',
    });
    const kept = ['sub/.git/config', '.vscode/settings.json', 'mine.code-workspace'];
    await runSandboxed(kept.map((name) => `echo mine > ${name}`).join('; '), { root: files.path });
    for (const name of kept) expect(await readFile(files.at(name), 'utf8')).toBe('theirs');
  });

  it('is put right where a link to something else took its place', async () => {
    await using files = await TemporaryWorkspace.create({ 'conf/tasks.json': '{}' });
    await symlink('conf', files.at('.vscode'));
    await runSandboxed(
      'rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json; echo evil > conf/tasks.json',
      {
        root: files.path,
      },
    );
    expect(await readFile(files.at('.vscode/tasks.json'), 'utf8')).toBe('{}');
    expect((await readdir(files.path)).toSorted()).toEqual(['.vscode', 'conf']);
  });

  it('can be looked at from a linked working tree and from a folder in it', async () => {
    const { files, git } = await repository();
    await using _files = files;
    await using other = await TemporaryWorkspace.create();
    git('worktree', 'add', '--quiet', other.at('tree'));
    await mkdir(files.at('sub'));
    await writeFile(files.at('sub/b.txt'), '');
    expect((await runSandboxed('git log --format=%s', { root: other.at('tree') })).output).toBe('one\n');
    expect((await runSandboxed('git status --short', { root: files.at('sub') })).output).toBe('?? ./\n');
  });

  it('is not another folder only because the workspace says so', async () => {
    await using secret = await TemporaryWorkspace.create({
      HEAD: 'secret',
      commondir: '.',
      gitdir: '/x/.git',
    });
    await using files = await TemporaryWorkspace.create({ '.git': `gitdir: ${secret.path}\n` });
    const { output } = await runSandboxed(`cat '${secret.at('HEAD')}'`, { root: files.path });
    expect(output).toMatch(/No such file/);
  });
});

describe.skipIf(sandbox === undefined)('stopping a command in the sandbox', () => {
  /** Resolves with what reads a pipe to its end: that is when nobody holds the other end any more. */
  async function pipeIn(files: TemporaryWorkspace) {
    execFileSync('mkfifo', [files.at('pipe')]);
    const reader = createReadStream(files.at('pipe')).resume();
    await Promise.resolve();
    return once(reader, 'end');
  }

  it.each([
    ['in the background', '(sleep 100 & (sleep 100 & echo ready; wait) & wait) & wait'],
    ['in sessions of their own', "setsid bash -c 'sleep 100 & echo ready; wait' & wait"],
    ['without parents and marks', "(env -i setsid bash -c 'sleep 100' &); sleep 0.2; echo ready; sleep 100"],
    ['that do not want to', "trap '' TERM INT HUP; echo ready; while :; do sleep 1; done"],
  ])('ends processes %s', async (_which, command) => {
    await using files = await TemporaryWorkspace.create();
    const ended = pipeIn(files);
    const stop = new AbortController();
    const onOutput = (text: string) => {
      if (text.includes('ready')) stop.abort();
    };
    const { ending } = await runSandboxed(`exec 5>pipe; ${command}`, {
      root: files.path,
      signal: stop.signal,
      onOutput,
    });
    expect(ending).toEqual({ how: 'stopped' });
    await ended;
  });

  it('gives it time to clean up', async () => {
    await using files = await TemporaryWorkspace.create();
    const stop = new AbortController();
    const command =
      'trap "sleep 0.2; echo done > cleaned; exit" TERM; echo ready; while :; do sleep 0.05; done';
    await runSandboxed(command, { root: files.path, signal: stop.signal, onOutput: () => stop.abort() });
    expect(await readFile(files.at('cleaned'), 'utf8')).toBe('done\n');
  });

  it.each(['sleep 100 &', 'setsid sleep 100 &'])('is not needed once it has exited: %s', async (command) => {
    await using files = await TemporaryWorkspace.create();
    const ended = pipeIn(files);
    const { ending, hasLeftProcesses } = await runSandboxed(`exec 5>pipe; ${command} echo begun`, {
      root: files.path,
    });
    expect(ending).toEqual({ how: 'exited', exitCode: 0 });
    expect(hasLeftProcesses).toBe(true);
    await ended;
  });
});
