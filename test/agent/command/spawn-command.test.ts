import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { spawnCommand, type CommandRun } from '../../../src/agent/command/spawn-command.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const never = new AbortController().signal;
const isPosix = process.platform !== 'win32';
const hasSetsid = existsSync('/usr/bin/setsid') || existsSync('/bin/setsid');

function run(command: string, more: Partial<CommandRun> = {}, signal = never) {
  return spawnCommand(
    {
      command,
      directory: process.cwd(),
      environment: process.env,
      timeoutMs: 30_000,
      onOutput: () => {},
      ...more,
    },
    signal,
  );
}

/** A named pipe. Reading it ends when no process holds its other end any more. */
async function namedPipe() {
  const files = await TemporaryWorkspace.create();
  const path = files.at('pipe');
  execFileSync('mkfifo', [path]);
  const reader = createReadStream(path).setEncoding('utf8');
  let text = '';
  const saidBy = new Map<string, () => void>();
  reader.on('data', (more) => {
    text += String(more);
    for (const [word, heard] of saidBy) if (text.includes(word)) heard();
  });
  const ended = once(reader, 'end');
  return {
    path,
    /** Resolves when all holders of the pipe have ended. */
    ended,
    said: (word: string) => new Promise<void>((resolve) => saidBy.set(word, resolve)),
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  };
}

describe.skipIf(!isPosix)('runCommand', () => {
  it('returns both streams in their original order, and the exit code', async () => {
    await using files = await TemporaryWorkspace.create();
    const heard = (word: string) => files.at(`heard-${word}`);
    const until = (word: string) => `until [ -e '${heard(word)}' ]; do sleep 0.01; done`;
    const { ending, output, lines } = await run(
      `echo one; ${until('one')}; echo two >&2; ${until('two')}; echo three; exit 3`,
      { onOutput: (text) => writeFileSync(heard(text.trim()), '') },
    );
    expect(ending).toEqual({ how: 'exited', exitCode: 3 });
    expect(output).toBe('one\ntwo\nthree\n');
    expect(lines).toBe(3);
  });

  it('runs in the given directory', async () => {
    await using files = await TemporaryWorkspace.create();
    expect((await run('pwd', { directory: files.path })).output).toBe(`${files.path}\n`);
  });

  it('reports output while the command runs', async () => {
    const stop = new AbortController();
    let shown = '';
    const onOutput = (text: string) => {
      shown += text;
      if (shown.includes('now')) stop.abort();
    };
    const { ending, output } = await run('printf now; sleep 100', { onOutput }, stop.signal);
    expect(ending).toEqual({ how: 'stopped' });
    expect(output).toBe('now');
  });

  it('has no input and no terminal', async () => {
    const { output } = await run('cat; test -t 0 || echo "no terminal"; echo $TERM $PAGER');
    expect(output).toBe('no terminal\ndumb cat\n');
  });

  it('keeps the last state of overwritten lines, without colours', async () => {
    const command = String.raw`printf '10%%\r'; sleep 0.05; printf '\033[32m100%%\033[0m\r\n'; printf 'done\n'`;
    expect((await run(command)).output).toBe('100%\ndone\n');
  });

  it('decodes characters that arrive in two pieces', async () => {
    const command = String.raw`printf '\303'; sleep 0.05; printf '\244\n'`;
    expect((await run(command)).output).toBe('ä\n');
  });

  it('removes secrets of the environment from the returned and the shown output', async () => {
    const environment = { ...process.env, DEPLOY_TOKEN: 'x7!k2-99zq' };
    let shown = '';
    const onOutput = (text: string) => (shown += text);
    const command = 'echo $DEPLOY_TOKEN; printf x7!k; sleep 0.05; echo 2-99zq';
    const { output } = await run(command, { environment, added: ['DEPLOY_TOKEN'], onOutput });
    expect(output).toBe('[DEPLOY_TOKEN]\n[DEPLOY_TOKEN]\n');
    expect(shown).toBe(output);
  });

  it('passes only listed variables and those that the user added', async () => {
    const environment = {
      ...process.env,
      VSCODE_PID: '1',
      NODE_OPTIONS: '--no-warnings',
      KEPT: 'no',
      MINE: 'yes',
    };
    const command = 'echo "$VSCODE_PID$NODE_OPTIONS$KEPT$MINE"';
    expect((await run(command, { environment, added: ['MINE', 'VSCODE_PID'] })).output).toBe('yes\n');
  });

  it('keeps the beginning and the end of very long output, and counts all its lines', async () => {
    const { output, lines, isShortened } = await run('seq 1 400000');
    expect(lines).toBe(400_000);
    expect(isShortened).toBe(true);
    expect(output.length).toBeLessThan(1_000_100);
    expect(output.startsWith('1\n2\n')).toBe(true);
    expect(output).toMatch(/\n\[… \d+ characters left out …\]\n/);
    expect(output.endsWith('\n400000\n')).toBe(true);
  });

  it('ends a command at its time limit, even one that prints without end', async () => {
    const { ending, isShortened } = await run('yes', { timeoutMs: 300 });
    expect(ending).toEqual({ how: 'timed-out' });
    expect(isShortened).toBe(true);
  });

  it('names the signal that ended a command', async () => {
    expect((await run('kill -KILL $$')).ending).toEqual({ how: 'signalled', signal: 'SIGKILL' });
  });

  it('does not start a command that was already stopped', async () => {
    await using files = await TemporaryWorkspace.create();
    const { ending } = await run('touch mark', { directory: files.path }, AbortSignal.abort());
    expect(ending).toEqual({ how: 'stopped' });
    expect(existsSync(files.at('mark'))).toBe(false);
  });

  it('reports a missing directory', async () => {
    await expect(run('true', { directory: '/nowhere/at/all' })).rejects.toThrow('ENOENT');
  });

  it('ends all processes of a command when it is stopped', async () => {
    await using pipe = await namedPipe();
    const stop = new AbortController();
    const ready = pipe.said('ready');
    const running = run(
      `exec 3>'${pipe.path}'; (sleep 100 & (sleep 100 & echo ready >&3; wait) & wait) & wait`,
      {},
      stop.signal,
    );
    await ready;
    stop.abort();
    expect((await running).ending).toEqual({ how: 'stopped' });
    await pipe.ended;
  });

  it.skipIf(!hasSetsid)('ends even processes of another group that lost their parent', async () => {
    await using pipe = await namedPipe();
    const stop = new AbortController();
    const ready = Promise.all([pipe.said('ready'), pipe.said('steady')]);
    const running = run(
      `exec 3>'${pipe.path}'
       (setsid bash -c 'echo ready >&3; sleep 100' </dev/null >/dev/null 2>&1 &)
       env -i /bin/bash -c 'setsid sleep 100 & echo steady >&3; wait' </dev/null >/dev/null 2>&1 &
       wait`,
      {},
      stop.signal,
    );
    await ready;
    stop.abort();
    await running;
    await pipe.ended;
  });

  it('kills processes that do not end on request', async () => {
    await using pipe = await namedPipe();
    const stop = new AbortController();
    const ready = pipe.said('ready');
    const running = run(
      `exec 3>'${pipe.path}'; trap '' TERM INT HUP; echo ready >&3; while :; do sleep 100; done`,
      {},
      stop.signal,
    );
    await ready;
    stop.abort();
    await running;
    await pipe.ended;
  });

  it('returns when the shell has exited, and ends its background processes', async () => {
    await using pipe = await namedPipe();
    const ready = pipe.said('ready');
    const { ending, hasLeftProcesses } = await run(
      `exec 3>'${pipe.path}'; sleep 1000 & echo ready >&3; echo started`,
    );
    await ready;
    expect(ending).toEqual({ how: 'exited', exitCode: 0 });
    expect(hasLeftProcesses).toBe(true);
    await pipe.ended;
  });

  it.skipIf(!hasSetsid)(
    'leaves services that a command started running, and does not wait for them',
    async () => {
      await using pipe = await namedPipe();
      const service = `${pipe.path}-service`;
      const { ending, hasLeftProcesses } = await run(
        `exec 3>'${pipe.path}'
         setsid sh -c 'echo $$ >"$0"; exec sleep 1000' '${service}' &
         until [ -s '${service}' ]; do sleep 0.01; done`,
      );
      expect(ending).toEqual({ how: 'exited', exitCode: 0 });
      expect(hasLeftProcesses).toBe(false);
      // Throws if the service has ended.
      process.kill(Number(await readFile(service, 'utf8')));
      await pipe.ended;
    },
  );
});
