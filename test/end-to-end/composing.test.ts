import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** What can be typed: commands, and what goes along with a message. */
describe('the composer', () => {
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    server = await ScriptedServer.start();
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 50_000,
        'contextBudget.model': 'scripted',
        'contextBudget.strategy': 'tool-result-hiding',
      },
      machineSettings: { 'contextBudget.baseUrl': server.baseUrl },
    });
    chat = await ChatPage.open(workbench);
    return async () => {
      await workbench.close();
      await server.close();
    };
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  it('completes the path of a file, says what it costs, and sends it along', async () => {
    await chat.composer.pressSequentially('what is @lock');
    await chat.frame
      .getByRole('option', { name: /lock\.ts/ })
      .first()
      .waitFor();
    await chat.composer.press('Enter');
    expect(await chat.composer.inputValue()).toContain('@src/lock.ts');
    await chat.frame
      .getByText(/@src\/lock\.ts/)
      .last()
      .waitFor();
    server.reply({ text: 'A lock.' });
    await chat.ask('what is @src/lock.ts');
    const sent = server.requests.at(-1)!.body.messages.at(-1)!.content as string;
    const [line] = (await readFile(`${workbench.workspace.path}/src/lock.ts`, 'utf8')).split('\n');
    expect(sent.startsWith('what is @src/lock.ts')).toBe(true);
    expect(sent).toContain(line);
    // The chat shows what was typed, not what went along.
    expect(await chat.questions.last().innerText()).not.toContain(line!.slice(0, 40));
  });

  it('keeps a pinned message, and says so', async () => {
    await chat.say('/pin last');
    await chat.frame.getByText('1 pinned').waitFor();
    const log = await SessionLog.of(workbench);
    expect((await log.view()).at(-1)!.content).toBe('A lock.');
  });

  it('compacts with a focus, and undoes it', async () => {
    await chat.say('/compact the lock');
    await chat.compactions.first().waitFor();
    const [record] = await (await SessionLog.of(workbench)).records();
    expect(record).toMatchObject({ trigger: { source: 'manual' } });
  });

  it('says what is wrong with a command, and gives the text back', async () => {
    await chat.say('/compat now');
    await workbench.page
      .getByText(/There is no command \/compat/)
      .first()
      .waitFor();
    expect(await chat.composer.inputValue()).toBe('/compat now');
    await chat.composer.fill('');
  });

  it('shows what fills the window', async () => {
    await chat.say('/context');
    const inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('tab', { name: /Budget/ }).waitFor();
  });

  it('starts a new chat', async () => {
    await chat.say('/new');
    await chat.questions.first().waitFor({ state: 'detached' });
  });
});
