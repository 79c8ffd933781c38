import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import type { ScriptedToolCall } from '../agent/openai/scripted-reply.ts';
import { eventually, until } from '../support/eventually.ts';
import { pictures } from '../support/pictures.ts';
import { EarlierStorage } from './earlier-storage.ts';
import { ChatPage } from './chat-page.ts';
import { ScriptedSession } from './scripted-session.ts';
import { SessionLog } from './session-log.ts';
import { WorkspaceFolder } from './workspace-folder.ts';

const calls = (name: string, input: object) => ({
  toolCalls: [{ name, arguments: input } satisfies ScriptedToolCall],
});

it('writes the storage of this version', async () => {
  const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const scratch = await mkdtemp(join(tmpdir(), 'write-storage-'));
  const folder = new WorkspaceFolder(join(scratch, 'workspace'));
  await folder.write('notes.txt', 'one\ntwo\nthree\n');
  await folder.write('src/lock.py', '# Holds the lock of the store.\n'.repeat(60));
  const session = await ScriptedSession.open(
    { strategy: 'tool-result-hiding', 'strategies.tool-result-hiding': { preserveRecentGroups: 1 } },
    {
      workspace: folder.path,
      userSettings: {
        'contextBudget.window': 50_000,
        'contextBudget.mode': 'off',
      },
    },
  );
  const { chat, server, workbench } = session;
  const card = chat.frame.locator('.approval').last();
  const allow = async (question: string, name: string) => {
    await chat.say(question);
    await card.getByRole('button', { name, exact: true }).click();
    await chat.answers.last().getByText('Done.').waitFor();
    await chat.done();
  };

  server.reply(
    { reasoning: 'I have to read it.', ...calls('read_file', { path: 'src/lock.py' }) },
    { text: 'It holds the **lock**.' },
  );
  await chat.ask('What does @src/lock.py do?');

  await chat.composer.fill('What is this?');
  await chat.composer.press('End');
  await chat.composer.evaluate((target, base64) => {
    const clipboardData = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pictures.png);
  await eventually(() => chat.composer.inputValue()).toMatch(/#picture-\w+ $/);
  await session.ask((await chat.composer.inputValue()).trimEnd(), { text: 'A blue rectangle.' });
  await chat.say('/pin last');
  await chat.frame.getByText('1 pinned').waitFor();

  server.reply(calls('edit_file', { path: 'notes.txt', edits: [{ search: 'two', replace: 'zwei' }] }), {
    text: 'Done.',
  });
  await allow('Translate the second line.', 'Always allow');
  server.reply(calls('run_command', { command: 'ls src' }), { text: 'Done.' });
  await allow('List the files.', 'Always allow');
  server.reply(calls('remember', { text: 'The user likes rhymes.' }), { text: 'Done.' });
  await allow('Remember that I like rhymes.', 'Always allow');
  const steps = [
    { text: 'Read the lock', status: 'done' },
    { text: 'Mend the lock', status: 'in_progress' },
  ];
  await session.ask('Make a plan.', calls('update_plan', { steps }), { text: 'Planned.' });

  await session.compact();
  await chat.say('/undo');
  await chat.compactions.first().getByText('undone').waitFor();

  server.replyWith((request) => {
    const asked = JSON.stringify(request.body.messages.filter(({ role }) => role === 'user'));
    if (asked.includes('Count the notes')) return { text: 'There are three.' };
    if (request.body.messages.at(-1)!.role === 'tool') return { text: 'Done.' };
    return calls('delegate', { shards: [{ name: 'counter', task: 'Count the notes.' }] });
  });
  await allow('Have the notes counted.', 'Allow once');

  const row = chat.answers.filter({ hasText: 'Planned.' });
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await chat.frame.getByRole('menuitem', { name: 'Hide', exact: true }).click();
  await workbench.page
    .locator('.monaco-dialog-box')
    .getByRole('button', { name: 'Hide', exact: true })
    .click();
  await chat.frame.locator('.hidden-messages').waitFor();

  await chat.say('/strategy whole-history');
  await chat.frame.getByRole('button', { name: /^Compaction strategy: Whole History/ }).waitFor();
  server.replyWith(() => ({ text: '<summary>The lock in src/lock.py is to be mended.</summary>' }));
  await session.compact();
  await session.ask('Go on.', { text: 'I go on with the lock.' });
  server.replyWith(() => ({ text: '<title>A lock to mend</title>' }));
  await workbench.runCommand('Context Budget: Regenerate Title');
  const { path } = await SessionLog.of(workbench);
  await until(async () => expect(await readFile(path, 'utf8')).toContain('"title":"A lock to mend"'));
  server.replyWith(() => ({ hang: true }));
  await chat.say('And then?');
  await chat.stop.click();
  await chat.done();
  // Counts are kept when a chat is opened again.
  await workbench.reload();
  const { composer } = await ChatPage.open(workbench);
  await composer.fill('A draft that was not sent');
  await until(async () => {
    expect(await (await SessionLog.of(workbench)).draft()).toBe('A draft that was not sent');
    expect((await readFile(path.replace(/jsonl$/u, 'counts'), 'utf8')).split('\n').length).toBeGreaterThan(
      20,
    );
  });

  await new EarlierStorage(manifest.version).keep(workbench);
  await session.close();
  await rm(scratch, { recursive: true });
});
