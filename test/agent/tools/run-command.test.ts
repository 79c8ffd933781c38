import { describe, expect, it } from 'vitest';
import { createRunCommand } from '../../../src/agent/tools/run-command.ts';
import type { ProposedAction, ToolResult } from '../../../src/agent/tools/tool.ts';
import { Workspace } from '../../../src/agent/tools/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

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

async function run(
  folders: readonly string[],
  input: Readonly<Record<string, unknown>>,
  progress: (text: string) => void = () => {},
  signal = never,
) {
  return actionOf(await propose(folders, input)).perform({ signal, callKey: 'a1:0', progress });
}

describe('run_command', () => {
  it('asks for what would be run, with the rule that would cover it', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await approvalOf([files.path], { command: 'npm test -- lock' })).toEqual({
      kind: 'command',
      title: 'Run npm test -- lock',
      details: 'npm test -- lock',
      subjects: ['npm test -- lock'],
      rule: { kind: 'command', pattern: 'npm test' },
    });
  });

  it('asks with the directory, which a rule then holds for', async () => {
    await using files = await TemporaryWorkspace.create({ 'my app/a.txt': '' });
    expect(await approvalOf([files.path], { command: 'npm test -- x', directory: 'my app' })).toMatchObject({
      details: "cd 'my app' && npm test -- x",
      subjects: ["cd 'my app' && npm test -- x"],
      rule: { pattern: "cd 'my app' && npm test" },
    });
  });

  it('warns of a dangerous command, and offers no rule for it', async () => {
    await using files = await TemporaryWorkspace.create();
    const approval = await approvalOf([files.path], { command: 'rm -rf *' });
    expect(approval.warning).toBe('It deletes or overwrites files for good.');
    expect(approval.rule).toBeUndefined();
  });

  it('asks in one line for a command of several, and shows all of it', async () => {
    await using files = await TemporaryWorkspace.create();
    const command = `for file in *; do\n  wc -l "$file"\ndone # ${'x'.repeat(200)}`;
    const { title, details } = await approvalOf([files.path], { command });
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
  ])('asks nothing for %o', async (input, content) => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': '' });
    expect(await propose([files.path], input)).toEqual({ content, isError: true });
  });
});

describe.skipIf(process.platform === 'win32')('run_command, once allowed', () => {
  it('returns output and exit code', async () => {
    await using files = await TemporaryWorkspace.create({ 'sub/a.txt': 'in sub\n' });
    const result = await run([files.path], { command: 'cat a.txt', directory: 'sub' });
    expect(result.content).toBe('in sub\n\nexit code 0');
    expect(result.isError).toBe(false);
    expect(result.summary).toMatch(/^exit code 0 after \d+\.\d s, 1 line$/);
  });

  it('is an error where the command fails', async () => {
    await using files = await TemporaryWorkspace.create();
    const result = await run([files.path], { command: 'seq 1200; exit 7' });
    expect(result.isError).toBe(true);
    expect(result.content.endsWith('\n1200\n\nexit code 7')).toBe(true);
    expect(result.summary).toMatch(/^exit code 7 after \d+\.\d s, 1,200 lines$/);
  });

  it('says so where nothing was put out', async () => {
    await using files = await TemporaryWorkspace.create();
    const { content } = await run([files.path], { command: 'true' });
    expect(content).toBe('[It put nothing out.]\nexit code 0');
  });

  it('says so where the time was over', async () => {
    await using files = await TemporaryWorkspace.create();
    const result = await run([files.path], { command: 'echo begun; sleep 100', timeout_seconds: 1 });
    expect(result).toMatchObject({
      content: 'begun\n\nended because it took longer than 1 s',
      isError: true,
      summary: 'ended because it took longer than 1 s, 1 line',
    });
  });

  it('says so where a person stopped it, and what it had put out', async () => {
    await using files = await TemporaryWorkspace.create();
    const stop = new AbortController();
    const result = await run(
      [files.path],
      { command: 'echo begun; sleep 100' },
      () => stop.abort(),
      stop.signal,
    );
    expect(result.content).toMatch(/^begun\n\nA person stopped this command after \d+\.\d s/);
    expect(result.isError).toBe(true);
    expect(result.summary).toMatch(/^stopped by a person after \d+\.\d s, 1 line$/);
  });

  it('says so where it ended something in the background', async () => {
    await using files = await TemporaryWorkspace.create();
    const { content } = await run([files.path], { command: 'sleep 100 & echo begun' });
    expect(content).toContain('running in the background was ended');
  });

  it('shows all output to people as well', async () => {
    await using files = await TemporaryWorkspace.create();
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
    const result = await action.perform({ signal: never, callKey: 'a1:0', progress: () => {} });
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^The command could not be started: /);
  });
});
