import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedRequest, ScriptedReply, ScriptedToolCall } from '../agent/openai/scripted-reply.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { projectFolder } from '../../scripts/project.ts';
import type { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage, openFold } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';

const notesServer = join(projectFolder, 'test', 'agent', 'mcp', 'notes-server.ts');

/** An agent that acts, and a user who decides about each action. */
describe('the agent', () => {
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    // A server in the user's own settings starts without a question.
    const servers = { notes: { command: process.execPath, args: [notesServer] } };
    const session = await ScriptedSession.open(
      { window: 50_000 },
      { userSettings: { 'contextBudget.mcpServers': servers } },
    );
    ({ server, workbench, chat } = session);
    await workbench.workspace.write('AGENTS.md', 'Always answer in rhymes.\n');
    return () => session.close();
  });
  afterEach(async () => {
    // A turn left running by a failed test must not fail the next one.
    if (await chat.stop.isVisible()) await chat.stop.click();
    await chat.done();
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  const calls = (...toolCalls: readonly ScriptedToolCall[]): ScriptedReply => ({ toolCalls });
  const call = (name: string, input: object): ScriptedToolCall => ({ name, arguments: input });
  const lastResult = () =>
    server.requests
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .at(-1)!.content as string;
  const card = () => chat.frame.locator('.approval').last();
  const press = (name: string) => card().getByRole('button', { name, exact: true }).click();

  it('follows AGENTS.md', async () => {
    server.reply({ text: 'So be it, I see it.' });
    await chat.ask('hello');
    const { messages } = server.requests.at(-1)!.body;
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(messages[1]!.content).toContain('Always answer in rhymes.');
  });

  describe('edits a file', () => {
    const edit = (search: string, replace: string) =>
      calls(call('edit_file', { path: 'notes.txt', edits: [{ search, replace }] }));

    it('only after the user has seen the change and allowed it', async () => {
      await workbench.workspace.write('notes.txt', 'one\ntwo\nthree\n');
      server.reply(edit('two', 'zwei'), { text: 'Changed.' });
      await chat.say('translate the second line');
      await card().getByText('zwei').waitFor();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\ntwo\nthree\n');
      await press('Allow once');
      await chat.answers.getByText('Changed.').waitFor();
      await chat.done();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\nzwei\nthree\n');
    });

    it('and shows the change in the diff editor first', async () => {
      server.reply(edit('three', 'drei'), { text: 'Changed.' });
      await chat.say('and the third');
      await card()
        .getByRole('button', { name: /^Review/ })
        .first()
        .click();
      await workbench.page.locator('.monaco-diff-editor').getByText('drei').first().waitFor();
      await press('Allow once');
      await chat.done();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\nzwei\ndrei\n');
    });

    it('unless the user rejects the edit, whose reason it learns', async () => {
      server.reply(edit('one', 'eins'), { text: 'As you like.' });
      await chat.say('and the first');
      await press('Reject');
      const reason = card().getByRole('textbox');
      await reason.fill('Leave the first line alone.');
      await reason.press('Enter');
      await chat.answers.getByText('As you like.').waitFor();
      await chat.done();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\nzwei\ndrei\n');
      expect(lastResult()).toContain('Leave the first line alone.');
      await chat.tools.last().getByText('not allowed').waitFor();
    });

    it('and can undo all edits of a turn', async () => {
      server.reply(
        calls(
          call('edit_file', { path: 'notes.txt', edits: [{ search: 'one', replace: 'uno' }] }),
          call('write_file', { path: 'new/deep.txt', content: 'fresh\n' }),
        ),
        { text: 'Both done.' },
      );
      await chat.say('do both');
      await card().getByText('uno').waitFor();
      await press('Allow for this session');
      await chat.answers.getByText('Both done.').waitFor();
      await chat.done();
      expect(await workbench.workspace.read('new/deep.txt')).toBe('fresh\n');
      await chat.frame.locator('.row.edits').last().getByRole('button', { name: 'Undo Edits' }).click();
      await chat.frame.locator('.row.edits.is-undone').waitFor();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\nzwei\ndrei\n');
      expect(await readdir(join(workbench.workspace.path, 'new'))).toEqual([]);
    });
  });

  describe('runs a command', () => {
    it('and shows its output as it arrives, and can be stopped without the turn', async () => {
      // The sandbox counts processes from one, so they are distinguished by their sleeping time.
      const nap = `300.${process.pid}`;
      server.reply(calls(call('run_command', { command: `echo begun; sleep ${nap}; echo never` })), {
        text: 'Stopped early.',
      });
      await chat.say('run it');
      await press('Allow once');
      const output = chat.tools.last().locator('.output.is-live');
      await output.getByText('begun').waitFor();
      await until(async () => expect(await isRunning(`sleep\0${nap}`)).toBe(true));
      await chat.tools.last().getByRole('button', { name: 'Stop run_command' }).click();
      await chat.answers.getByText('Stopped early.').waitFor();
      await until(async () => expect(await isRunning(`sleep\0${nap}`)).toBe(false));
      expect(lastResult()).toMatch(/stopped/i);
      expect(lastResult()).not.toContain('never');
      await chat.done();
    });

    it('without another question if a rule allows the command', async () => {
      server.reply(calls(call('run_command', { command: 'ls src' })), { text: 'First.' });
      await chat.say('version?');
      await press('Always allow');
      await chat.answers.getByText('First.').waitFor();
      await chat.done();
      server.reply(calls(call('run_command', { command: 'ls src' })), { text: 'Second.' });
      await chat.ask('again?');
      expect(await chat.frame.locator('.approval').count()).toBe(0);
      expect(lastResult()).toContain('store.ts');
    });
  });

  it('uses the tools of an MCP server, and asks before each call', async () => {
    server.reply(calls(call('mcp_notes_add_note', { text: 'x' })), { text: 'Noted.' });
    await chat.say('note it');
    await press('Allow once');
    await chat.answers.getByText('Noted.').waitFor();
    await chat.done();
    expect(lastResult()).toBe('There are 1 notes.');
  });

  it('shows its plan and updates it', async () => {
    const plan = (first: string, second: string) =>
      calls(
        call('update_plan', {
          steps: [
            { text: 'Read the store', status: first },
            { text: 'Mend the lock', status: second },
          ],
        }),
      );
    server.reply(plan('in_progress', 'pending'), plan('done', 'in_progress'), { text: 'Half way.' });
    await chat.ask('go on with the plan');
    await chat.frame.getByRole('button', { name: /^Plan 1\/2.*Mend the lock/ }).waitFor();
  });

  describe('lets the user', () => {
    const dialog = () => workbench.page.locator('.monaco-dialog-box');
    const tokens = async () => {
      const meter = await chat.meter.locator('.spoken').innerText();
      return Number(/([\d,]+) of/.exec(meter)![1]!.replaceAll(',', ''));
    };
    const act = async (row: Locator, name: string) => {
      await row.hover();
      await row.getByRole('button', { name: 'More actions' }).click();
      await chat.frame.getByRole('menuitem', { name, exact: true }).click();
    };
    const hidden = () => chat.frame.locator('.hidden-messages');

    it('hide a result in its row, and show it again', async () => {
      server.reply(calls(call('read_file', { path: 'src/store.ts' })), { text: 'It stores.' });
      await chat.ask('what does the store do?');
      const before = await tokens();
      await act(chat.tools.last(), 'Hide');
      await dialog()
        .getByText(/Frees [\d,]+ tokens/)
        .waitFor();
      await dialog().getByRole('button', { name: 'Hide', exact: true }).click();
      await hidden()
        .getByText(/Hidden: read_file src\/store\.ts/)
        .waitFor();
      await eventually(tokens).toBeLessThan(before);
      await chat.compactions
        .last()
        .getByText(/You hid 1 message \([\d,]+ tokens\)/)
        .waitFor();
      server.reply({ text: 'I cannot see it.' });
      await chat.ask('what did you read?');
      expect(lastResult()).toContain('Hidden by the user.');
      await hidden().getByRole('button', { name: /^Show/ }).click();
      await hidden().waitFor({ state: 'detached' });
      await eventually(tokens).toBeGreaterThan(before);
    });

    it('compact everything above a message, and undo that', async () => {
      const before = await tokens();
      const rows = await chat.compactions.count();
      await act(chat.questions.last(), 'Compact everything above');
      await workbench.quickInput.getByText('Tool Result Hiding', { exact: true }).click();
      const row = chat.compactions.nth(rows);
      await row.getByText(/Tool Result Hiding · .* · \d+ messages that you chose/).waitFor();
      await eventually(tokens).toBeLessThan(before);
      await row.getByRole('button', { name: 'Undo', exact: true }).click();
      await row.getByText('undone').waitFor();
      await eventually(tokens).toBe(before);
    });

    it('copy a message', async () => {
      await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await act(chat.questions.last(), 'Copy message');
      await workbench.page.getByText('Message copied.').first().waitFor();
      await eventually(() => workbench.page.evaluate(() => navigator.clipboard.readText())).toBe(
        'what did you read?',
      );
    });
  });

  it('reads new messages of the user before its next step', async () => {
    server.reply(calls(call('run_command', { command: 'sleep 300' })), { text: 'Understood.' });
    await chat.say('wait');
    await press('Allow once');
    await chat.tools.last().getByRole('button', { name: 'Stop run_command' }).waitFor();
    await chat.say('never mind, answer me');
    await chat.frame.getByText('Queued').waitFor();
    await chat.tools.last().getByRole('button', { name: 'Stop run_command' }).click();
    await chat.answers.getByText('Understood.').waitFor();
    await chat.done();
    expect(server.requests.at(-1)!.body.messages.at(-1)!.content).toBe('never mind, answer me');
    expect(await chat.frame.getByText('Queued').count()).toBe(0);
  });

  it('starts parallel sub-agents, whose conversations can be read', async () => {
    const answers = new Map([
      ['count the files', 'There are nine files.'],
      ['count the words', 'There are many words.'],
    ]);
    server.replyWith((request: RecordedRequest): ScriptedReply => {
      const text = JSON.stringify(request.body.messages.filter(({ role }) => role === 'user'));
      const found = [...answers].find(([task]) => text.includes(`Sub-agent task: ${task}`));
      if (found !== undefined) return { text: found[1] };
      const isAnswered = request.body.messages.at(-1)!.role === 'tool';
      return isAnswered
        ? { text: 'Both have reported.' }
        : calls(
            call('delegate', {
              shards: [...answers.keys()].map((task, index) => ({
                name: `counter-${index + 1}`,
                task: `Sub-agent task: ${task}`,
              })),
            }),
          );
    });
    await chat.say('count everything');
    await card().getByText('counter-2').first().waitFor();
    await press('Allow once');
    await chat.answers.getByText('Both have reported.').waitFor();
    await chat.done();
    for (const report of answers.values()) expect(lastResult()).toContain(report);
    await chat.tools
      .last()
      .getByRole('button', { name: /counter-2/ })
      .click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByText('There are many words.').first().waitFor();
  });

  it('replaces an earlier message in a new chat', async () => {
    server.replyWith(() => ({ text: 'In the new chat.' }));
    const first = chat.questions.first();
    await first.hover();
    await first.getByRole('button', { name: 'Edit' }).click();
    await first.getByRole('textbox').fill('goodbye');
    await first.getByRole('button', { name: 'Send in a new chat' }).click();
    await chat.answers.getByText('In the new chat.').waitFor();
    await eventually(() => chat.questions.allInnerTexts()).toEqual([expect.stringContaining('goodbye')]);
    await chat.done();
  });

  it('finds tools of MCP servers on demand, but no disabled ones', async () => {
    const toolNames = () => server.requests.at(-1)!.body.tools!.map((tool) => tool.function.name);
    await workbench.changeSettings({ 'contextBudget.mcpToolsOnDemand': 'always' });
    server.reply(
      calls(call('find_tools', { query: 'add a note' })),
      calls(call('call_tool', { name: 'mcp_notes_add_note', arguments: { text: 'x' } })),
      { text: 'Found and noted.' },
    );
    await chat.say('note that, too');
    await card().getByText('Call add.note of the MCP server notes').waitFor();
    await press('Allow once');
    await chat.answers.getByText('Found and noted.').waitFor();
    await chat.done();
    expect(lastResult()).toMatch(/^There are \d+ notes\.$/);
    expect(await chat.tools.last().innerText()).toContain('mcp_notes_add_note');
    const [, asked, found] = server.requests.slice(-3).map(({ body }) => JSON.stringify(body.tools));
    expect(found).toBe(asked);
    expect(toolNames()).toEqual(expect.arrayContaining(['find_tools', 'call_tool']));
    expect(toolNames().join(' ')).not.toContain('mcp_');

    await workbench.runCommand('Context Budget: Open Inspector');
    const inspector = await InspectorPage.opened(workbench);
    const panel = await inspector.choose('Window');
    await openFold(panel, 'Tool definitions');
    await panel.getByText(/^On demand: [\d,]+ tokens saved per request\.$/).waitFor();
    await panel.getByRole('button', { name: 'MCP server notes' }).click();
    await panel.getByRole('checkbox', { name: /^mcp_notes_add_note used/ }).waitFor();
    await panel.getByRole('button', { name: 'Built-in tools' }).click();
    await panel.getByText('writes all', { exact: false }).waitFor();
    await panel.getByRole('checkbox', { name: /^apply_patch/ }).press('Space');
    await panel.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).press('Space');
    await panel.getByRole('button', { name: /^MCP server notes 0 of/ }).waitFor();

    server.reply(calls(call('call_tool', { name: 'mcp_notes_add_note', arguments: {} })), {
      text: 'Not any more.',
    });
    await chat.ask('and that');
    expect(toolNames()).not.toContain('apply_patch');
    expect(lastResult()).toContain('No MCP server offers a tool "mcp_notes_add_note"');
  });
});

/** True if a process runs with these arguments, joined by a NUL. */
async function isRunning(words: string): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.some((line) => line.startsWith(words));
}
