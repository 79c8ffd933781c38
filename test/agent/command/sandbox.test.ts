import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { processesWith } from '../../support/processes.ts';
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
  it('returns the same output and exit code as outside', async () => {
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

  it('reports the signal that ended it as an exit code, as shells do', async () => {
    await using files = await TemporaryWorkspace.create();
    const { ending, output } = await runSandboxed('kill -KILL $$', { root: files.path });
    expect(ending).toEqual({ how: 'exited', exitCode: 137 });
    expect(output).toBe('');
  });

  it('writes in the workspace', async () => {
    await using files = await TemporaryWorkspace.create();
    await runSandboxed('mkdir sub && echo new > sub/file.txt', { root: files.path });
    expect(await readFile(files.at('sub/file.txt'), 'utf8')).toBe('new\n');
  });

  it('has a temporary folder that only later commands can see', async () => {
    await using files = await TemporaryWorkspace.create();
    const { output } = await runSandboxed('echo kept > "$TMPDIR/mine-of-the-sandbox"; echo $TMPDIR', {
      root: files.path,
    });
    expect((await runSandboxed('cat "$TMPDIR/mine-of-the-sandbox"', { root: files.path })).output).toBe(
      'kept\n',
    );
    expect(existsSync(`${output.trim()}/mine-of-the-sandbox`)).toBe(process.platform === 'darwin');
  });

  it('cannot write outside the workspace and the temporary folder', async () => {
    await using files = await TemporaryWorkspace.create();
    await using other = await TemporaryWorkspace.create({ 'a.txt': 'theirs' });
    await runSandboxed(`echo mine > '${other.at('a.txt')}'; echo mine > /etc/mine-of-the-sandbox`, {
      root: files.path,
    });
    expect(await readFile(other.at('a.txt'), 'utf8')).toBe('theirs');
    expect(existsSync('/etc/mine-of-the-sandbox')).toBe(false);
  });

  it('sees an empty home folder, except for programs', async () => {
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

  it('neither sees nor signals other processes', async () => {
    await using files = await TemporaryWorkspace.create();
    const { output } = await runSandboxed(
      `kill -0 ${process.pid} 2>/dev/null && echo reached; ls /proc | grep -c '^[0-9]'`,
      { root: files.path },
    );
    expect(output).not.toContain('reached');
    if (process.platform === 'linux') expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(10);
  });

  it('starts in the given folder', async () => {
    await using files = await TemporaryWorkspace.create();
    expect((await runSandboxed('pwd', { root: files.path })).output).toBe(`${files.path}\n`);
  });

  it('is not run if the sandbox does not start, and the reason is stated', async () => {
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

  it('is unavailable if the workspace contains the home folder', async () => {
    expect(await sandbox!.refusal(['/'], process.env)).toBe('home');
    expect(await sandbox!.refusal([process.env['HOME'] ?? '/'], process.env)).toBe('home');
  });
});

describe.skipIf(sandbox === undefined)('a repository in the sandbox', () => {
  it('accepts commits', async () => {
    const { files, git } = await repository();
    await using _files = files;
    const commit = 'git -c user.name=a -c user.email=a@b.c commit --quiet --all --message=two';
    const { output } = await runSandboxed(`echo two > a.txt && ${commit} && git status --short`, {
      root: files.path,
    });
    expect(output).toBe('');
    expect(git('log', '--format=%s')).toBe('two\none\n');
  });

  it('keeps its history if a command removes it', async () => {
    const { files, git } = await repository();
    await using _files = files;
    const { declined } = await runSandboxed('rm -rf .git', { root: files.path });
    expect(declined).toContain('.git');
    expect(git('log', '--format=%s')).toBe('one\n');
    git('fsck', '--strict');
  });

  it('can be packed by a command', async () => {
    const { files, git } = await repository();
    await using _files = files;
    const { questions } = await runSandboxed('git gc --quiet', { root: files.path });
    expect(questions).toEqual([]);
    expect(git('count-objects')).toMatch(/^0 objects/);
  });

  it('can be read from a linked working tree and from a folder in it', async () => {
    const { files, git } = await repository();
    await using _files = files;
    await using other = await TemporaryWorkspace.create();
    git('worktree', 'add', '--quiet', other.at('tree'));
    await mkdir(files.at('sub'));
    await writeFile(files.at('sub/b.txt'), '');
    expect((await runSandboxed('git log --format=%s', { root: other.at('tree') })).output).toBe('one\n');
    expect((await runSandboxed('git status --short', { root: files.at('sub') })).output).toBe('?? ./\n');
  });

  it('gives no access to another folder that the workspace names as its repository', async () => {
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
  /** A number of seconds that no other process of the machine uses. */
  const seconds = () => `1000.${randomInt(1e12)}`;
  const untilNoneSleeps = (time: string) => until(() => expect(processesWith(time)).toEqual([]));

  it.each([
    ['in the background', '(sleep SECONDS & (sleep SECONDS & echo ready; wait) & wait) & wait'],
    ['in sessions of their own', "setsid bash -c 'sleep SECONDS & echo ready; wait' & wait"],
    [
      'without a parent and with an empty environment',
      "(env -i setsid bash -c 'sleep SECONDS' &); sleep 0.2; echo ready; sleep SECONDS",
    ],
    ['that ignore signals', "trap '' TERM INT HUP; echo ready; while :; do sleep SECONDS; done"],
  ])('ends processes %s', async (_which, command) => {
    await using files = await TemporaryWorkspace.create();
    const time = seconds();
    const stop = new AbortController();
    const onOutput = (text: string) => {
      if (text.includes('ready')) stop.abort();
    };
    const { ending } = await runSandboxed(command.replaceAll('SECONDS', time), {
      root: files.path,
      signal: stop.signal,
      onOutput,
    });
    expect(ending).toEqual({ how: 'stopped' });
    await untilNoneSleeps(time);
  });

  it('gives the command time to clean up', async () => {
    await using files = await TemporaryWorkspace.create();
    const stop = new AbortController();
    const command =
      'trap "sleep 0.2; echo done > cleaned.txt; exit" TERM; echo ready; while :; do sleep 0.05; done';
    await runSandboxed(command, { root: files.path, signal: stop.signal, onOutput: () => stop.abort() });
    expect(await readFile(files.at('cleaned.txt'), 'utf8')).toBe('done\n');
  });

  it('asks no question about the changes of the command', async () => {
    await using files = await TemporaryWorkspace.create();
    const stop = new AbortController();
    const { questions, declined } = await runSandboxed('echo x > Makefile; echo ready; sleep 1000', {
      root: files.path,
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(questions).toEqual([]);
    expect(declined).toEqual(['Makefile']);
  });

  it.each(['sleep SECONDS &', 'setsid sleep SECONDS &'])(
    'is not necessary to end background processes: %s',
    async (command) => {
      await using files = await TemporaryWorkspace.create();
      const time = seconds();
      const { ending, hasLeftProcesses } = await runSandboxed(
        `${command.replaceAll('SECONDS', time)} echo begun`,
        { root: files.path },
      );
      expect(ending).toEqual({ how: 'exited', exitCode: 0 });
      expect(hasLeftProcesses).toBe(true);
      await untilNoneSleeps(time);
    },
  );
});
