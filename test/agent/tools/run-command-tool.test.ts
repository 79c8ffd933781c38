import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandShell } from '../../../src/agent/approvals/command-words.ts';
import { createRunCommand } from '../../../src/agent/tools/run-command-tool.ts';
import type { CommandReach } from '../../../src/agent/approvals/approval-request.ts';
import type { ProposedAction, ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { sandbox } from '../../support/sandboxed-command.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';
import { noQuestion } from '../../support/no-question.ts';

const never = new AbortController().signal;

const propose = (folders: readonly string[], input: Readonly<Record<string, unknown>>) =>
  createRunCommand(new Workspace(folders), { environment: () => process.env }).propose(input, never);

async function approvalOf(folders: readonly string[], input: Readonly<Record<string, unknown>>) {
  return actionOf(await propose(folders, input)).approval;
}

function actionOf(proposed: ToolResult | ProposedAction): ProposedAction {
  if (!('perform' in proposed)) throw new Error(proposed.content);
  return proposed;
}

const context = { signal: never, callKey: 'a1:0', ask: noQuestion, progress: () => {} };

async function run(
  folders: readonly string[],
  input: Readonly<Record<string, unknown>>,
  progress: (text: string) => void = () => {},
  signal = never,
) {
  return actionOf(await propose(folders, input)).perform({ ...context, signal, progress });
}

let files: TemporaryWorkspace;
beforeEach(async () => {
  files = await TemporaryWorkspace.create({ 'a.txt': '' });
});
afterEach(() => files[Symbol.asyncDispose]());

describe('run_command', () => {
  it('does not run in a folder that has become a link to the outside', async () => {
    await using files = await TemporaryWorkspace.create({ 'app/folder/a': '', 'outside/a': '' });
    const action = actionOf(await propose([files.at('app')], { command: 'pwd -P', directory: 'folder' }));
    await rename(files.at('app/folder'), files.at('app/moved'));
    await files.link('app/folder', files.at('outside'));
    expect(await action.perform(context)).toMatchObject({
      content: 'folder was moved or replaced in the meantime. It was not used. Try again.',
      isError: true,
    });
  });

  it('asks with the command, and with the rule that would cover it', async () => {
    expect(await approvalOf([files.path], { command: 'npm test -- lock' })).toMatchObject({
      kind: 'command',
      title: { english: 'Run npm test -- lock' },
      details: 'npm test -- lock',
      patterns: ['npm test -- lock'],
      terms: { reach: 'everything', withoutSandbox: 'off' },
      rule: { kind: 'command', pattern: 'npm test -- lock', shell: commandShell() },
    });
  });

  it('asks with the directory, to which a rule is then limited', async () => {
    await using files = await TemporaryWorkspace.create({ 'my app/a.txt': '' });
    expect(await approvalOf([files.path], { command: 'npm test -- x', directory: 'my app' })).toMatchObject({
      details: "cd 'my app' && npm test -- x",
      patterns: ["cd 'my app' && npm test -- x"],
      rule: { pattern: "cd 'my app' && npm test -- x" },
    });
  });

  it('warns of a dangerous command, and offers no rule for it', async () => {
    const approval = await approvalOf([files.path], { command: 'rm -rf *' });
    expect(approval.warnings).toMatchObject([{ english: 'It permanently deletes or overwrites files.' }]);
    expect(approval.rule).toBeUndefined();
  });

  it('asks in one line about a command of several lines, and shows the command in full below', async () => {
    const command = `for file in *; do\n  wc -l "$file"\ndone # ${'x'.repeat(200)}`;
    const {
      title: { english: title },
      details,
    } = await approvalOf([files.path], { command });
    expect(title).toMatch(/^Run for file in \*; do wc -l "\$file" done # x+…$/);
    expect(title.length).toBeLessThanOrEqual(104);
    expect(details).toBe(command);
  });

  it.each([
    [{ command: ' ' }, 'The command is empty.'],
    [{ command: 'a\0b' }, 'A command cannot contain a NUL character.'],
    [{ command: 'ls', directory: 'nowhere' }, 'nowhere does not exist. list_directory shows what does.'],
    [{ command: 'ls', directory: 'a.txt' }, 'a.txt is not a directory.'],
    [{ command: 'ls', directory: '..' }, '.. is outside the workspace and cannot be read.'],
    [{ command: 'ls', timeout_seconds: 0 }, '"timeout_seconds" must be at least 1.'],
  ])('asks no question for %o', async (input, content) => {
    expect(await propose([files.path], input)).toMatchObject({ content, isError: true });
  });
});

describe.skipIf(process.platform === 'win32')('run_command, once allowed', () => {
  it('returns output and exit code', async () => {
    await using files = await TemporaryWorkspace.create({ 'sub/a.txt': 'in sub\n' });
    const result = await run([files.path], { command: 'cat a.txt', directory: 'sub' });
    expect(result.content).toBe('in sub\n\nexit code 0');
    expect(result.isError).toBe(false);
    expect(result.summary?.english).toMatch(/^exit code 0 after \d+\.\d s, 1 line$/);
  });

  it('is an error if the command fails', async () => {
    const result = await run([files.path], { command: 'seq 1200; exit 7' });
    expect(result.isError).toBe(true);
    expect(result.content.endsWith('\n1200\n\nexit code 7')).toBe(true);
    expect(result.summary?.english).toMatch(/^exit code 7 after \d+\.\d s, 1,200 lines$/);
  });

  it('reports empty output', async () => {
    const { content } = await run([files.path], { command: 'true' });
    expect(content).toBe('[No output.]\nexit code 0');
  });

  it('reports that the command exceeded its time limit', async () => {
    const result = await run([files.path], { command: 'echo begun; sleep 100', timeout_seconds: 1 });
    expect(result).toMatchObject({
      content: 'begun\n\nended because it took longer than 1 s',
      isError: true,
      summary: { english: 'ended because it took longer than 1 s, 1 line' },
    });
  });

  it('reports that the user stopped the command, with the output so far', async () => {
    const stop = new AbortController();
    const result = await run(
      [files.path],
      { command: 'echo begun; sleep 100' },
      () => stop.abort(),
      stop.signal,
    );
    expect(result.content).toMatch(/^begun\n\nThe user stopped this command after \d+\.\d s/);
    expect(result.isError).toBe(true);
    expect(result.summary?.english).toMatch(/^stopped by you after \d+\.\d s, 1 line$/);
  });

  it('reports that it ended a background process', async () => {
    const { content } = await run([files.path], { command: 'sleep 100 & echo begun' });
    expect(content).toContain('left in the background were ended');
  });

  it('shows all output to the user, too', async () => {
    let shown = '';
    await run([files.path], { command: 'echo one; sleep 0.2; echo two' }, (text) => {
      shown += text;
    });
    expect(shown).toBe('one\ntwo\n');
  });

  it('does not run without its directory', async () => {
    await using files = await TemporaryWorkspace.create({ 'sub/a.txt': '' });
    const action = actionOf(await propose([files.path], { command: 'ls', directory: 'sub' }));
    await files[Symbol.asyncDispose]();
    const result = await action.perform(context);
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^The command could not be started: /);
  });
});

describe.skipIf(sandbox === undefined)('run_command with a sandbox', () => {
  const tool = (folder: string) =>
    createRunCommand(new Workspace([folder]), {
      environment: () => process.env,
      sandbox: () => Promise.resolve(sandbox ?? 'missing'),
    });
  const ask = async (folder: string, input: Readonly<Record<string, unknown>>) =>
    actionOf(await tool(folder).propose(input, never));
  const perform = async (folder: string, input: Readonly<Record<string, unknown>>, reach?: CommandReach) =>
    (await ask(folder, input)).perform({ ...context, reach });

  it.each([
    [{}, { reach: 'sandbox' }],
    [{ network: false, network_reason: 'x' }, { reach: 'sandbox' }],
    [
      { network: true, network_reason: 'It installs.' },
      { reach: 'network', networkReason: 'It installs.' },
    ],
    [{ network: true }, { reach: 'network', networkReason: '' }],
  ])('given the arguments %o, asks with the terms %o', async (input, terms) => {
    expect((await ask(files.path, { command: 'npm install', ...input })).approval.terms).toEqual(terms);
  });

  it('asks to run without a sandbox if the workspace contains the home folder', async () => {
    expect((await ask('/', { command: 'ls' })).approval.terms).toEqual({
      reach: 'everything',
      withoutSandbox: 'home',
    });
  });

  it.each<[CommandReach | undefined, boolean, boolean]>([
    [undefined, false, false],
    ['network', true, false],
    ['everything', true, true],
  ])('runs with the allowed reach: %s', async (reach, hasNetwork, hasOthers) => {
    await using other = await TemporaryWorkspace.create({ 'a.txt': 'theirs' });
    const command = `readlink /proc/self/ns/net; cat '${other.at('a.txt')}' 2>/dev/null; true`;
    const { content } = await perform(files.path, { command }, reach);
    const { content: outside } = await perform(files.path, { command }, 'everything');
    expect(content.split('\n')[0] === outside.split('\n')[0]).toBe(hasNetwork);
    expect(content.includes('theirs')).toBe(hasOthers);
  });

  it.each([
    ['the network', 'bash -c "</dev/tcp/192.0.2.1/80"', /call it again with network set to true/],
    ['the rest of the disk', 'touch /etc/x', /only the workspace and the temporary folder can be written/],
    ['the home folder', 'cat ~/.netrc-of-mine', /with an empty home folder/],
  ])('names a possible cause if a command needs %s', async (_what, command, note) => {
    const inside = await perform(files.path, { command });
    expect(inside.content).toMatch(note);
    expect(inside.summary?.english).toMatch(/; the sandbox may be the cause$/);
  });

  it('names no cause if a command fails for another reason, or succeeds', async () => {
    for (const command of ['echo no; exit 1', 'echo ENOTFOUND']) {
      const { content, summary } = await perform(files.path, { command });
      expect(`${content}${summary?.english}`).not.toContain('sandbox');
    }
  });
});
