import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually } from '../support/eventually.ts';
import { pictures } from '../support/pictures.ts';

/** Pictures in messages; each test continues from the one before. */
describe('a picture', () => {
  let session: ScriptedSession;
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    session = await ScriptedSession.open({ window: 50_000 });
    ({ server, workbench, chat } = session);
    return () => session.close();
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  const url = `data:image/png;base64,${pictures.png}`;
  const chips = () =>
    chat.frame.locator('.price').getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const lastContent = () =>
    server.requests.at(-1)!.body.messages.findLast(({ role }) => role === 'user')!.content;
  const sent = () => JSON.stringify(server.requests.at(-1)!.body.messages);
  const paste = (base64: string, name: string) =>
    chat.composer.evaluate(
      (target, file) => {
        const clipboardData = new DataTransfer();
        const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
        clipboardData.items.add(new File([bytes], file.name, { type: 'image/png' }));
        target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { base64, name },
    );
  const isDrawn = () =>
    eventually(() =>
      chat.questions
        .first()
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBe(7);

  it('is pasted, priced and sent after the text', async () => {
    await chat.composer.fill('what is this?');
    await chat.composer.press('End');
    await paste(pictures.png, 'image.png');
    await eventually(() => chat.composer.inputValue()).toMatch(/^what is this\? #picture-[0-9a-f]{10} $/);
    await chips()
      .filter({ hasText: /7 × 5\s*255/ })
      .waitFor();
    const typed = (await chat.composer.inputValue()).trimEnd();
    server.reply({ text: 'A blue rectangle.' });
    await chat.ask(typed);
    expect(lastContent()).toEqual([
      { type: 'text', text: typed },
      { type: 'image_url', image_url: { url } },
    ]);
    await isDrawn();
    await chat.questions.first().getByText('7 × 5 · 255 tokens').waitFor();
  });

  it('is kept after a reload, and can be attached again by name', async () => {
    const word = /#picture-[0-9a-f]{10}/.exec(await chat.questions.first().innerText())![0];
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await isDrawn();
    server.reply({ text: 'Still blue.' });
    await chat.ask(`and now? ${word}`);
    expect(sent().split(url)).toHaveLength(3);
  });

  it('can be hidden without its message', async () => {
    server.reply({ text: 'You are welcome.' });
    await chat.ask('thanks');
    const question = chat.questions.nth(1);
    await question.hover();
    await question.getByRole('button', { name: 'More actions' }).click();
    await chat.frame.getByRole('menuitem', { name: 'Hide pictures', exact: true }).click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
    await chat.compactions
      .last()
      .getByText(/You hid the pictures/)
      .waitFor();
    server.reply({ text: 'One is left.' });
    await chat.ask('how many do you see?');
    expect(sent().split(url)).toHaveLength(2);
    expect(sent()).toContain('[image left out]');
  });

  it('of another type is refused in one sentence, and the message stays unchanged', async () => {
    await chat.composer.fill('and this');
    await paste(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'logo.svg');
    await workbench.notification('logo.svg is not a PNG, JPEG, GIF or WebP picture').waitFor();
    expect(await chat.composer.inputValue()).toBe('and this');
  });

  it('that the model refuses is reported in one sentence, and Retry continues without it', async () => {
    const refusal = 'Invalid content type. image_url is only supported by certain models.';
    server.reply({ status: 400, body: { error: { message: refusal } } });
    await chat.say('what else?');
    await chat.error.getByText('scripted does not accept pictures. Choose a model').waitFor();
    server.reply({ text: 'Nothing else.' });
    await chat.error.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('Nothing else.').waitFor();
    expect(sent()).not.toContain('base64');
    expect(sent()).toContain('this model takes none');
    // The chat still shows it.
    await isDrawn();
    await chat.composer.fill('look');
    await paste(pictures.png, 'image.png');
    await workbench.notification('scripted does not accept pictures. Choose a model that does').waitFor();
    expect(await chat.composer.inputValue()).toBe('look');
  });

  it('is not added to a message for a model without image input', async () => {
    await session.change({ provider: 'offline' });
    await chat.frame.getByRole('button', { name: /Offline model/ }).waitFor();
    await chat.composer.fill('look');
    await paste(pictures.png, 'image.png');
    await workbench.notification('Offline model does not accept pictures.').waitFor();
    expect(await chat.composer.inputValue()).toBe('look');
  });
});
