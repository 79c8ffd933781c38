import { describe, expect, it } from 'vitest';
import { meter, snapshot } from '../support/chat-fixtures.ts';
import { chatScenes } from '../support/chat-scenes.ts';
import { englishLeft } from '../support/english-left.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

async function open(language: string): Promise<ChatView> {
  const view = await suite.open({ language });
  await view.notify(snapshot({ meter: { ...meter, tokens: 111_360 }, proposal: 'ratio' }));
  return view;
}

describe('the language of the page', () => {
  it.each(['zh-cn', 'zh-CN', 'zh', 'zh-Hans-CN'])('is Simplified Chinese for the tag %s', async (tag) => {
    const view = await open(tag);
    await view.page.getByRole('textbox', { name: '消息' }).waitFor();
    const question = view.page.locator('.proposal').getByRole('status');
    await eventually(() => question.innerText()).toBe('上下文窗口已用 87%');
  });

  it.each(Object.entries(chatScenes))('is Chinese only in a chat %s', async (_name, show) => {
    const view = await suite.open({ language: 'zh-cn' });
    await show(view);
    expect(await englishLeft(view.page)).toEqual([]);
  });

  it.each(['en', 'zh-tw', 'de'])('is English for the tag %s', async (tag) => {
    const view = await open(tag);
    await view.page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
});
