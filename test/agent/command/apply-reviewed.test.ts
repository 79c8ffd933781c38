import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../src/agent/approvals/approval-request.ts';
import { applyReviewed } from '../../../src/agent/command/apply-reviewed.ts';
import type { ChangeKind, WorkspaceChange } from '../../../src/agent/command/workspace-changes.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { noQuestion } from '../../support/no-question.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const never = new AbortController().signal;
const allowed: ApprovalDecision = { isAllowed: true, scope: 'once' };

/** A workspace, and a folder with what a command wrote. */
async function folders(before: Readonly<Record<string, string>>, written: Readonly<Record<string, string>>) {
  const root = await TemporaryWorkspace.create(before);
  const upper = await TemporaryWorkspace.create(written);
  const change = (kind: ChangeKind, at: string): WorkspaceChange => ({
    kind,
    root: root.path,
    path: at,
    written: upper.at(at),
    mode: lstatSync(upper.at(at), { throwIfNoEntry: false })?.mode ?? 0,
    before: lstatSync(root.at(at), { throwIfNoEntry: false }),
  });
  return { root, upper, change };
}

/** The question that changes lead to, and the outcome of an answer to it. */
async function answered(
  changes: readonly WorkspaceChange[],
  root: string,
  answer: ApprovalDecision,
): Promise<{ readonly question: ApprovalRequest | undefined; readonly outcome: object }> {
  let question: ApprovalRequest | undefined;
  const ask = (request: ApprovalRequest) => {
    question = request;
    return Promise.resolve(answer);
  };
  const outcome = await applyReviewed(changes, new Workspace([root]), { signal: never, ask });
  return { question, outcome };
}

describe('the changes of a sandboxed command', () => {
  it('are applied without a question if nothing runs them automatically', async () => {
    const { root, change } = await folders({ 'src/a.ts': 'one' }, { 'src/a.ts': 'two', 'docs/x.md': 'x' });
    const changes = [change('file', 'src/a.ts'), change('file', 'docs/x.md')];
    const ports = { signal: never, ask: noQuestion };
    expect(await applyReviewed(changes, new Workspace([root.path]), ports)).toEqual({
      declined: [],
      impossible: [],
      feedback: '',
    });
    expect(readdirSync(root.path).toSorted()).toEqual(['docs', 'src']);
  });

  it('are shown in one question if something may run them: text as a diff, the rest in words', async () => {
    const { root, upper, change } = await folders(
      { 'package.json': 'one', Makefile: 'all:' },
      { 'package.json': 'two', 'tool.bin': 'a\0b', '.vscode/tasks.json': '{}' },
    );
    await symlink('/etc', upper.at('etc'));
    await mkdir(upper.at('.idea'));
    const changes = [
      change('file', 'package.json'),
      change('file', '.vscode/tasks.json'),
      change('file', 'tool.bin'),
      change('removed', 'Makefile'),
      change('link', 'etc'),
      change('folder', '.idea'),
    ];
    const { question } = await answered(changes, root.path, { isAllowed: false, feedback: '' });
    expect(question!.title.english).toBe('Keep 6 changes the command made');
    expect(question!.rule).toBeUndefined();
    expect(question!.changes!.map(({ shown, before, after }) => [shown, before, after])).toEqual([
      ['package.json', 'one', 'two'],
      ['.vscode/tasks.json', undefined, '{}'],
      ['Makefile', 'all:', undefined],
    ]);
    expect(
      (question!.details as readonly { readonly english: string }[]).map(({ english }) => english),
    ).toEqual([
      'tool.bin: no diff, because the file is not text, is too long, or is one of many',
      'etc: a symbolic link to /etc',
      '.idea: a new folder',
    ]);
  });

  it('are named by folder if there are many', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `node_modules/a/${index}.js`);
    const all = [...names, '.vscode/tasks.json', 'Makefile'];
    const { root, change } = await folders({}, Object.fromEntries(all.map((name) => [name, ''])));
    const changes = all.map((name) => change('file', name));
    const { question, outcome } = await answered(changes, root.path, { isAllowed: false, feedback: '' });
    expect(question).toMatchObject({
      details: [{ english: 'node_modules: 50 changes' }],
      changes: [{ shown: '.vscode/tasks.json' }, { shown: 'Makefile' }],
    });
    expect(outcome).toMatchObject({ declined: ['node_modules', '.vscode/tasks.json', 'Makefile'] });
  });

  it('are applied only as far as one question can list them', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `p${index}/package.json`);
    const { root, change } = await folders({}, Object.fromEntries(names.map((name) => [name, '{}'])));
    const changes = names.map((name) => change('file', name));
    const { question, outcome } = await answered(changes, root.path, allowed);
    const details = question!.details as readonly { readonly english: string }[];
    expect(question!.changes).toHaveLength(40);
    expect(details.at(-1)!.english).toMatch(/^… and 60 more changes that are not kept/);
    expect(outcome).toMatchObject({ declined: names.slice(240) });
    expect(readdirSync(root.path)).toHaveLength(240);
  });

  it('show hidden characters in names and link targets', async () => {
    const { root, upper, change } = await folders({}, { 'Make\u202Efile.ts': 'x' });
    await symlink('/etc\nb.ts: \u200B', upper.at('link'));
    const changes = [change('file', 'Make\u202Efile.ts'), change('link', 'link')];
    const { question, outcome } = await answered(changes, root.path, { isAllowed: false, feedback: '' });
    expect(question).toMatchObject({
      details: [{ english: 'link: a symbolic link to /etc␊b.ts: ‹U+200B›' }],
      changes: [{ shown: 'Make‹U+202E›file.ts' }],
    });
    expect(outcome).toMatchObject({ declined: ['Make‹U+202E›file.ts', 'link'] });
  });

  it('include the text of a script that becomes executable', async () => {
    const { root, upper, change } = await folders({}, { 'tool.sh': 'rm -r ~' });
    chmodSync(upper.at('tool.sh'), 0o755);
    const changes = [change('file', 'tool.sh')];
    const { question } = await answered(changes, root.path, { isAllowed: false, feedback: '' });
    expect(question).toMatchObject({
      details: [{ english: 'tool.sh: a program' }],
      changes: [{ shown: 'tool.sh', after: 'rm -r ~' }],
    });
  });

  it('are applied if they are allowed, and not if they are declined', async () => {
    const { root, change } = await folders({}, { Makefile: 'all:' });
    const changes = [change('file', 'Makefile')];
    const feedback = 'Leave the build alone.';
    expect(await answered(changes, root.path, { isAllowed: false, feedback })).toMatchObject({
      outcome: { declined: ['Makefile'], impossible: [], feedback },
    });
    expect(readdirSync(root.path)).toEqual([]);
    expect(await answered(changes, root.path, allowed)).toMatchObject({
      outcome: { declined: [], impossible: [] },
    });
    expect(readdirSync(root.path)).toEqual(['Makefile']);
  });

  it('do not overwrite a file that another program wrote while the question was open', async () => {
    const { root, change } = await folders({ Makefile: 'all:' }, { Makefile: 'evil:' });
    const changes = [change('file', 'Makefile')];
    await root.write('Makefile', 'theirs:');
    expect(await answered(changes, root.path, allowed)).toMatchObject({
      outcome: { declined: [], impossible: ['Makefile'] },
    });
  });

  it('that need approval are declined without an answer once the command was stopped', async () => {
    const { root, change } = await folders({}, { Makefile: 'all:', 'src/a.ts': '' });
    const changes = [change('file', 'Makefile'), change('file', 'src/a.ts')];
    const stopped = AbortSignal.abort();
    const workspace = new Workspace([root.path]);
    expect(await applyReviewed(changes, workspace, { signal: stopped, ask: noQuestion })).toMatchObject({
      declined: ['Makefile'],
    });
    const stop = new AbortController();
    const ask = () => {
      stop.abort();
      return Promise.reject(new CancelledError());
    };
    expect(await applyReviewed(changes, workspace, { signal: stop.signal, ask })).toMatchObject({
      declined: ['Makefile'],
    });
    expect(readdirSync(root.path)).toEqual(['src']);
  });

  it('are reported as incomplete if the disk fails', async () => {
    const { root, upper, change } = await folders({}, { 'src/a.ts': '' });
    const changes = [change('file', 'src/a.ts')];
    await upper[Symbol.asyncDispose]();
    const { problem } = await applyReviewed(changes, new Workspace([root.path]), {
      signal: never,
      ask: noQuestion,
    });
    expect(problem?.english).toMatch(/^The command ran, but not all of its changes could be kept: ENOENT/);
    expect(readdirSync(path.join(root.path, 'src'))).toEqual([]);
  });
});
