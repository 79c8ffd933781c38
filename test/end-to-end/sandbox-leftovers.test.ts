import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import type { ChatPage } from '../harness/chat-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { until } from '../support/eventually.ts';
import { sandbox } from '../support/sandboxed-command.ts';

/** Settings of a repository that run a program when the editor's own Git extension reads it. */
const settings = (mark: string) => `printf '[core]\\n\\tfsmonitor = "touch ${mark}; false"\\n'`;

/** Commands that leave a repository for the editor, by their effect. */
const traps: Readonly<Record<string, (mark: string) => string>> = {
  'creates a repository one level down': (mark) =>
    `git init -q tools && ${settings(mark)} >> tools/.git/config`,
  'adds a deeply nested repository to the index': (mark) =>
    `git init -q a/b/dep && cd a/b/dep && echo 1 > f.ts && git add f.ts && git -c user.name=a -c user.email=a@b.c commit -qm i && ${settings(mark)} >> .git/config; cd ../../..; git add a/b/dep 2>/dev/null; git status --short`,
  'moves the parts that repositories share': (mark) =>
    `mkdir evil; cp -r .git/objects .git/refs .git/config evil/; ${settings(mark)} >> evil/config; echo ../evil > .git/commondir; chmod 555 .git`,
  'copies a repository over another': (mark) =>
    `mv sub kept; cp -r kept sub; ${settings(mark)} >> sub/.git/config`,
};

describe.skipIf(sandbox === undefined)(
  'a sandboxed command, with the Git extension of the editor enabled',
  () => {
    let session: ScriptedSession;
    let server: ScriptedServer;
    let workbench: VscodeWorkbench;
    let chat: ChatPage;
    let outside: TemporaryWorkspace;
    const marks: string[] = [];

    beforeAll(async () => {
      outside = await TemporaryWorkspace.create();
      const original = await TemporaryWorkspace.create({ 'a.ts': '1\n', 'sub/b.ts': '1\n' });
      const git = (folder: string, ...words: readonly string[]) =>
        execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words]);
      for (const folder of [original.path, original.at('sub')]) {
        git(folder, 'init', '--quiet', '--initial-branch=main');
        git(folder, '-c', 'advice.addEmbeddedRepo=false', 'add', '.');
        git(folder, 'commit', '--quiet', '--message=one');
      }
      session = await ScriptedSession.open({ window: 50_000 }, { workspace: original.path });
      ({ server, workbench, chat } = session);
    });
    afterAll(async () => {
      sandbox?.dispose();
      await session.close();
    });

    const card = () => chat.frame.locator('.approval').last();
    const press = (name: string) => card().getByRole('button', { name, exact: true }).click();
    /** Has a command run, up to the question about its changes. */
    const run = async (trap: (mark: string) => string) => {
      const mark = outside.at(`ran-${marks.length}`);
      marks.push(mark);
      server.reply(
        { toolCalls: [{ name: 'run_command', arguments: { command: trap(mark) } }] },
        { text: `Done ${marks.length}.` },
      );
      await chat.say('run it');
      await press('Allow once');
      await card()
        .getByText(/^Keep /)
        .first()
        .waitFor();
      return mark;
    };
    const answer = async (name: string) => {
      await press(name);
      if (name === 'Reject') await card().getByRole('textbox').press('Enter');
      await chat.answers.getByText(`Done ${marks.length}.`).waitFor();
      await chat.done();
    };

    it.each(Object.entries(traps))('%s, which is undone once the user declines', async (_what, trap) => {
      await run(trap);
      await answer('Reject');
      expect(
        execFileSync('git', ['-C', workbench.workspace.path, 'status', '--short', '--', '.git']),
      ).toHaveLength(0);
    });

    it('has an effect outside the sandbox only if the user keeps its changes', async () => {
      const kept = await run((mark) => `git config core.fsmonitor 'touch ${mark}; false'`);
      expect(existsSync(kept)).toBe(false);
      await answer('Allow once');
      // The editor reads its repositories again, so it had its chance with the others.
      await until(() => expect(existsSync(kept)).toBe(true));
      expect(marks.filter((mark) => existsSync(mark))).toEqual([kept]);
    });
  },
);
