import { describe, expect, it } from 'vitest';
import { type ChatNotification, type ChatRequest, parseChatRequest } from '../../src/protocol/chat.ts';
import { chineseStrings } from '../../webview/chat/text/chat-chinese.ts';
import { englishStrings } from '../../webview/chat/text/chat-english.ts';
import { meter, snapshot } from './support/chat-fixtures.ts';
import { reopenIn } from './support/in-language.ts';
import { textsOf } from './support/texts.ts';
import { eventually, type View, viewSuite } from './support/view.ts';

const suite = viewSuite<ChatNotification, ChatRequest>('chat', parseChatRequest);

const english = textsOf(englishStrings);
const chinese = textsOf(chineseStrings);

/** Names and numbers only, or words for the offline model, which looks for them in files. */
const sameInBoth: readonly string[] = [
  'added',
  'applied',
  'plan.now',
  'removed',
  'meter.nameOfKind',
  'record.fromTo',
  'welcome.offlineExamples.0',
  'welcome.offlineExamples.1',
  'welcome.offlineExamples.2',
];

/** Where there is only one, English says so in a word. */
const ofOne: readonly string[] = ['filesChanged', 'completion.count'];

async function open(tag: string): Promise<View<ChatNotification, ChatRequest>> {
  const view = await suite.open();
  await reopenIn(view.page, tag);
  await view.notify(snapshot({ meter: { ...meter, tokens: 111_360 }, proposal: 'ratio' }));
  return view;
}

describe('the texts of the chat', () => {
  it('are the same ones in both languages', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('are empty in both or in none', () => {
    const emptyIn = (texts: ReadonlyMap<string, string>) =>
      [...texts].filter(([, text]) => text === '').map(([key]) => key);
    expect(emptyIn(chinese)).toEqual(emptyIn(english));
  });

  it('are translated, but for what has no words', () => {
    const same = [...english].filter(([key, text]) => text !== '' && chinese.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !sameInBoth.includes(key))).toEqual([]);
  });

  it('are Chinese in the Chinese ones', () => {
    const foreign = [...chinese].filter(([, text]) => text !== '' && !/[\p{Script=Han}：。（）]/u.test(text));
    expect(foreign.map(([key]) => key).filter((key) => !sameInBoth.includes(key))).toEqual([]);
  });

  it('say everything that they are told, in both', () => {
    const told = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g) ?? [])].sort().join(' ');
    const lost = [...english].filter(([key, text]) => told(text) !== told(chinese.get(key)));
    expect(lost.map(([key]) => key).filter((key) => !ofOne.includes(key))).toEqual([]);
  });
});

describe('the language of the page', () => {
  it.each(['zh-cn', 'zh-CN', 'zh', 'zh-Hans-CN'])('%s is Simplified Chinese', async (tag) => {
    const view = await open(tag);
    await view.page.getByRole('textbox', { name: '消息' }).waitFor();
    const question = view.page.locator('.proposal').getByRole('status');
    await eventually(() => question.innerText()).toBe('上下文窗口已用 87%');
  });

  it.each(['en', 'zh-tw', 'de'])('%s is English for the chat', async (tag) => {
    const view = await open(tag);
    await view.page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
});
