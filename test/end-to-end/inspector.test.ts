import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ScriptedReply } from '../agent/openai/scripted-reply.ts';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript-entry.ts';
import { findViolations } from '../../src/compaction/validity.ts';
import { readSession } from '../../src/transcripts/session-format.ts';
import { ChatPage } from '../harness/chat-page.ts';
import type { ColourTheme } from '../harness/colour-themes.ts';
import { InspectorPage, type InspectorTabTitle } from '../harness/inspector-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { graveFindings } from '../webview/support/accessibility.ts';

/** A line of a command's output that nothing but that output says. */
const problem = 'Error: the index is torn at block 4711';
const command = 'cat report.txt';
const settingsFile = '.vscode/settings.json';

/** One session, looked at from all sides and changed from there; each test begins where the one before it ended. */
describe('the inspector', () => {
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;
  let inspector: InspectorPage;

  beforeAll(async () => {
    server = await ScriptedServer.start();
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 50_000,
        'contextBudget.model': 'scripted',
        'contextBudget.strategy': 'tool-result-hiding',
        'contextBudget.toolResultHiding.preserveRecentGroups': 1,
      },
      machineSettings: { 'contextBudget.baseUrl': server.baseUrl },
    });
    await workbench.workspace.write('report.txt', `${'All is well so far.\n'.repeat(200)}${problem}\n`);
    chat = await ChatPage.open(workbench);

    await ask('What does the lock do?', read('src/lock.ts'), 'It keeps two writers apart.');
    server.reply(run(), { text: 'A block of the index is torn.' });
    await chat.say('Check the store');
    await chat.frame.locator('.approval').getByRole('button', { name: 'Allow for this session' }).click();
    await chat.answers.getByText('A block of the index is torn.').waitFor();
    await chat.done();
    await ask('Where is it written?', read('src/store.ts'), 'In the store.');
    await compact();
    await ask('Check again', run(), 'It is still torn.');
    await ask('Who reads it?', read('src/search.ts'), 'The search.');
    await compact();
    await ask('Thank you', { text: 'You are welcome.' });

    await chat.meter.click();
    inspector = await InspectorPage.opened(workbench);
    return async () => {
      await workbench.close();
      await server.close();
    };
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  const read = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'read_file', arguments: { path } }] });
  const run = (): ScriptedReply => ({ toolCalls: [{ name: 'run_command', arguments: { command } }] });

  async function ask(question: string, first: ScriptedReply, answer?: string): Promise<void> {
    server.reply(first, ...(answer === undefined ? [] : [{ text: answer }]));
    await chat.ask(question);
  }

  async function compact(): Promise<void> {
    const rows = await chat.compactions.count();
    await workbench.runCommand('Context Budget: Compact Now');
    await chat.compactions.nth(rows).waitFor();
  }

  async function entries(): Promise<readonly TranscriptEntry[]> {
    const { path } = await SessionLog.of(workbench);
    return readSession(await readFile(path, 'utf8')).entries;
  }

  async function records() {
    return (await SessionLog.of(workbench)).records();
  }

  async function setting(name: string): Promise<unknown> {
    const settings = JSON.parse(await workbench.workspace.read(settingsFile)) as Record<string, unknown>;
    return settings[`contextBudget.${name}`];
  }

  it('says what is large, what each tool takes and how healthy the session is', async () => {
    const budget = await inspector.choose('Budget');
    await budget.getByRole('list', { name: 'Largest messages' }).getByText('src/search.ts').first().waitFor();
    const tools = budget.getByRole('list', { name: 'Tools' });
    await tools.getByText('read_file').waitFor();
    await tools.getByText('run_command').waitFor();
    const health = budget.getByRole('list', { name: /^Health/ });
    await health.getByText('Trigger', { exact: true }).waitFor();
    expect(await health.getByRole('listitem').count()).toBeGreaterThan(7);
  });

  it('moves the trigger by key, and the settings of the workspace with it', async () => {
    const slider = inspector.frame.getByRole('slider', { name: 'Size at which a compaction starts' });
    const before = Number(await slider.getAttribute('aria-valuenow'));
    await slider.press('ArrowLeft');
    await slider.press('PageDown');
    await slider.press('Enter');
    await vi.waitFor(async () => expect(await setting('triggerRatio')).toBe((before - 6) / 100), 10_000);
    await chat.frame.getByRole('button', { name: new RegExp(`${before - 6}\\s%`) }).waitFor();
  });

  it('draws every request with the compactions between them, and has a table behind it', async () => {
    const timeline = await inspector.choose('Timeline');
    await timeline.getByText(`${server.requests.length} requests · 2 compactions`).waitFor();
    await timeline.getByRole('button', { name: 'As a table' }).click();
    const rows = timeline.getByRole('table').getByRole('rowheader');
    expect(await rows.count()).toBe(server.requests.length);
  });

  it('leads from a mark to its compaction', async () => {
    const timeline = await inspector.choose('Timeline');
    const marks = timeline.getByRole('button', { name: /^tool-result-hiding · .* before request/ });
    expect(await marks.count()).toBe(2);
    await marks.first().press('Enter');
    // The newest compaction is on top of the list.
    await inspector.records.last().and(inspector.frame.locator('[aria-selected="true"]')).waitFor();
  });

  it('says what a compaction kept', async () => {
    await inspector.choose('Compactions');
    await inspector.frame.getByText(/^Kept \d+ of \d+ files/).waitFor();
  });
});
