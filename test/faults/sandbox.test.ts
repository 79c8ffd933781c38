import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';
import { until } from '../support/eventually.ts';
import { processesWith } from '../support/processes.ts';
import { runSandboxed, sandbox, withoutSandbox } from '../support/sandboxed-command.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';

/** A word that occurs nowhere else on the machine. */
const canary = `canary-${randomUUID()}`;
/** Excludes folders of a user, whose neighbours the sandbox would show to commands. */
const systemPath = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(path.delimiter);

/** Targets a command could harm, each with a check. */
class Victims {
  private readonly files: TemporaryWorkspace;
  private readonly home: TemporaryWorkspace;
  private readonly other: TemporaryWorkspace;
  private readonly before: ReadonlyMap<string, string>;

  static async create(): Promise<Victims> {
    const files = await TemporaryWorkspace.create({
      'a.txt': 'a',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\tbare = false\n',
      '.git/hooks/sample': '',
      '.git/objects/x': '',
      '.git/refs/x': '',
      '.vscode/settings.json': '{}',
    });
    const home = await TemporaryWorkspace.create({ '.ssh/id_ed25519': canary, '.bashrc': canary });
    const other = await TemporaryWorkspace.create({ 'theirs.txt': canary });
    await files.link('to-home', home.path);
    await files.link('to-other.txt', other.at('theirs.txt'));
    await files.link('to-root', '/');
    return new Victims(files, home, other);
  }

  private constructor(files: TemporaryWorkspace, home: TemporaryWorkspace, other: TemporaryWorkspace) {
    this.files = files;
    this.home = home;
    this.other = other;
    this.before = this.kept();
  }

  /** Runs a harmful command, and counts it if it succeeded. */
  async suffer(template: string, count: FaultCount, port: number, bystander: number): Promise<void> {
    const command = template
      .replaceAll('CANARY', canary)
      .replaceAll('HOMEDIR', this.home.path)
      .replaceAll('OTHER', this.other.path)
      .replaceAll('PORT', String(port))
      .replaceAll('PID', String(bystander));
    const { output } = await runSandboxed(command, {
      root: this.files.path,
      environment: { ...process.env, HOME: this.home.path, PATH: systemPath },
    });
    count.tried();
    if (output.includes(canary)) count.harmed(`${template}: read a file that is hidden`);
    const after = this.kept();
    for (const [file, text] of this.before) {
      if (after.get(file) !== text) count.harmed(`${template}: changed ${file}`);
    }
    for (const file of after.keys()) if (!this.before.has(file)) count.harmed(`${template}: made ${file}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [this.files, this.home, this.other])
      await rm(each.path, { recursive: true, force: true });
  }

  /** Everything that must stay unchanged: files outside, and files that make programs run inside. */
  private kept(): ReadonlyMap<string, string> {
    const git = this.files.at('.git');
    const redirecting = ['config', 'config.worktree', 'commondir'].map((name) => path.join(git, name));
    const folders = [this.home.path, this.other.path, path.join(git, 'hooks'), this.files.at('.vscode')];
    const files = [...redirecting.filter((file) => existsSync(file)), ...folders.flatMap(filesIn)];
    return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Python is on most machines and opens files that the shell does not. */
const python = (code: string) => `python3 -c '${code}'`;

const groups: Readonly<Record<string, readonly string[]>> = {
  'sandbox: writes outside the workspace': [
    'echo x > OTHER/new',
    'echo x >> OTHER/theirs.txt',
    'rm -rf OTHER',
    'mv OTHER OTHER-2',
    'chmod 000 OTHER/theirs.txt; rm -f OTHER/theirs.txt',
    'ln -s /tmp OTHER/link; cp -r . OTHER/',
    'touch /etc/x /usr/x /opt/x /x; test ! -e /etc/x -a ! -e /usr/x',
    'cd ..; echo x > ../../../../../../..OTHER/new',
    'mkdir -p OTHER/deep; echo x > OTHER/deep/new',
    'cp /bin/sh OTHER/sh; dd if=/dev/zero of=OTHER/zero count=1',
    python('open("OTHER/new","w")'),
    'git init OTHER/repository; git -C OTHER init',
  ],
  'sandbox: reads of the home folder': [
    'cat ~/.ssh/id_ed25519',
    'cat HOMEDIR/.ssh/id_ed25519',
    'tar cf - HOMEDIR | strings',
    'cp -r HOMEDIR/. . ; cat .ssh/id_ed25519 .bashrc',
    'cat OTHER/theirs.txt',
    'find /home /root /tmp -name id_ed25519 -exec cat {} +',
    'echo evil >> ~/.bashrc; echo evil >> HOMEDIR/.bashrc',
    'grep -r CANARY HOMEDIR OTHER /tmp',
    python('print(open("HOMEDIR/.ssh/id_ed25519").read())'),
    'umount HOMEDIR; cat ~/.ssh/id_ed25519',
    'unshare -Urm sh -c "umount HOMEDIR; cat HOMEDIR/.ssh/id_ed25519"',
    'mount -t tmpfs x /mnt; mount --bind / /mnt; cat /mnt/HOMEDIR/.bashrc',
  ],
  'sandbox: symbolic links that lead out': [
    'cat to-home/.ssh/id_ed25519',
    'echo x > to-home/new',
    'echo x > to-other.txt',
    'cat to-other.txt',
    'cat to-root/HOMEDIR/.bashrc',
    'ln -s HOMEDIR mine; cat mine/.bashrc; echo x > mine/new',
    'ln HOMEDIR/.bashrc hard; cat hard',
    'ln -sfn OTHER .vscode; ln -sfn OTHER .git/hooks; echo x > .git/hooks/pre-commit',
  ],
  'sandbox: files that run programs later': [
    'echo x > .git/config',
    'git config core.fsmonitor ./evil',
    'echo x > .git/hooks/pre-commit',
    'mv .git .old; mkdir -p .git; echo x > .git/config',
    'rm -rf .git',
    'rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit',
    'echo ../evil > .git/commondir',
    'echo x > .git/config.worktree',
    'echo x > .vscode/tasks.json; mv .vscode v',
    'chmod 777 .git/config; cp /bin/true .git/config',
    python('import os; os.rename("a.txt", ".git/config")'),
    'mount -o remount,rw .git/config; echo x > .git/config; umount .git/config; echo x > .git/config',
  ],
  'sandbox: the network': [
    'exec 3<>/dev/tcp/127.0.0.1/PORT; echo x >&3',
    'curl -s -m 3 http://127.0.0.1:PORT',
    'curl -s -m 3 http://localhost:PORT',
    'curl -s -m 3 "http://[::1]:PORT"',
    'curl -s -m 3 --noproxy "*" http://0.0.0.0:PORT',
    python('import socket; socket.create_connection(("127.0.0.1", PORT), 2)'),
    'exec 3<>/dev/udp/127.0.0.1/PORT; echo x >&3',
    'git ls-remote http://127.0.0.1:PORT/x',
    'unshare -n true; nsenter -t 1 -n curl -s -m 3 http://127.0.0.1:PORT',
    'nsenter --net=/proc/1/ns/net curl -s -m 3 http://127.0.0.1:PORT',
  ],
  'sandbox: other processes': [
    'kill -9 PID',
    'kill -TERM -PID',
    'kill -INT PID; kill -HUP PID; kill -STOP PID',
    '/bin/kill -s KILL PID',
    python('import os; os.killpg(PID, 9)'),
    'ls /proc/PID/root && cat /proc/PID/environ',
    'setsid kill -9 PID & nohup kill -9 PID & sleep 0.2',
    python('import os; os.kill(PID, 9)'),
    'nsenter -t PID -m -p kill -9 PID',
    'gdb -p PID -batch; strace -p PID',
  ],
  'sandbox: tricks with /proc and /dev': [
    'cat /proc/1/root/HOMEDIR/.bashrc',
    'cat /proc/self/root/HOMEDIR/.bashrc',
    'for each in /proc/[0-9]*; do cat $each/root/HOMEDIR/.bashrc; cat $each/cwd/../../HOMEDIR/.bashrc; done',
    'for each in /proc/*/fd/*; do cat $each/../HOMEDIR/.bashrc; done < /dev/null',
    'test -w /proc/sys/kernel/core_pattern && echo CANARY',
    'test -w /proc/sysrq-trigger && echo CANARY',
    'chroot /proc/1/root cat HOMEDIR/.bashrc',
    'mknod disk b 254 0 && head -c 1000 disk >/dev/null && echo CANARY',
    'test -w /sys/kernel/uevent_helper && echo CANARY',
    'ls /run/docker.sock /var/run/docker.sock /run/dbus/* 2>/dev/null | grep -q . && echo CANARY',
  ],
};

describe('the sandbox for commands withstands', () => {
  let server: Server;
  let heard = 0;
  beforeAll(async () => {
    server = createServer((socket) => {
      heard++;
      socket.destroy();
    }).listen(0, '0.0.0.0');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    sandbox?.dispose();
  });

  for (const [what, commands] of Object.entries(groups)) {
    fault(what, async (count) => {
      if (sandbox === undefined) {
        count.skip(withoutSandbox);
        return;
      }
      await using victims = await Victims.create();
      const bystander = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
      const ended = once(bystander, 'exit');
      for (const command of commands) {
        const before = heard;
        await victims.suffer(command, count, (server.address() as AddressInfo).port, bystander.pid!);
        if (heard > before) count.harmed(`${command}: reached a server`);
        if (bystander.exitCode !== null || bystander.signalCode !== null)
          count.harmed(`${command}: ended a process`);
      }
      bystander.kill('SIGKILL');
      await ended;
    });
  }

  fault('sandbox: processes that continue after Stop', async (count) => {
    if (sandbox === undefined) {
      count.skip(withoutSandbox);
      return;
    }
    const escapes = [
      'sleep SECONDS &',
      'nohup sleep SECONDS &',
      'setsid sleep SECONDS &',
      '(setsid setsid sleep SECONDS &) &',
      'env -i setsid sleep SECONDS &',
      'setsid bash -c "trap \'\' TERM INT HUP; while :; do sleep SECONDS; done" &',
      'python3 -c "import os,time; os.fork() or (os.setsid(), os.fork() or time.sleep(SECONDS))" &',
      'unshare -Urpf sleep SECONDS &',
    ];
    for (const escape of escapes) {
      await using files = await TemporaryWorkspace.create();
      const time = `1000.${randomInt(1e12)}`;
      const stop = new AbortController();
      await runSandboxed(`${escape.replaceAll('SECONDS', time)} sleep 0.2; echo ready; sleep ${time}`, {
        root: files.path,
        signal: stop.signal,
        onOutput: (text) => text.includes('ready') && stop.abort(),
      });
      count.tried();
      await until(() => expect(processesWith(time)).toEqual([])).catch(() =>
        count.harmed(`${escape}: still runs`),
      );
    }
  });
});
