import { describe, expect, it } from 'vitest';
import { type ChatNotification, type ChatRequest, parseChatRequest } from '../../src/protocol/chat.ts';
import { chineseStrings } from '../../webview/chat/text/chat-chinese.ts';
import { englishStrings } from '../../webview/chat/text/chat-english.ts';
import { untranslatedPaths } from '../../src/language/untranslated.ts';
import { compactionChinese, compactionEnglish } from '../../webview/shared/compaction-strings.ts';
import { inLanguage } from '../../webview/shared/localisation.ts';
import { meter, snapshot } from './support/chat-fixtures.ts';
import { reopenIn } from './support/in-language.ts';
import { textsOf } from './support/texts.ts';
import { eventually, type View, viewSuite } from './support/view.ts';

const suite = viewSuite<ChatNotification, ChatRequest>('chat', parseChatRequest);

/** Names and numbers only, or words for the offline model, which looks for them in files. */
const sameInBoth: readonly string[] = [
  'added',
  'applied',
  'plan.now',
  'removed',
  'meter.nameOfKind',
  'pictures.size',
  'record.fromTo',
  'welcome.offlineExamples.0',
  'welcome.offlineExamples.1',
  'welcome.offlineExamples.2',
];

/** Keys with a separate English form for one item. */
const ofOne: readonly string[] = ['filesChanged', 'completion.count', 'outlook.messages', 'outlook.turns'];

async function open(tag: string): Promise<View<ChatNotification, ChatRequest>> {
  const view = await suite.open();
  await reopenIn(view.page, tag);
  await view.notify(snapshot({ meter: { ...meter, tokens: 111_360 }, proposal: 'ratio' }));
  return view;
}

describe.each([
  { what: 'the chat', english: englishStrings, chinese: chineseStrings },
  { what: 'both pages', english: compactionEnglish, chinese: compactionChinese },
])('the strings of $what', (tables) => {
  const english = textsOf(tables.english);
  const chinese = textsOf(tables.chinese);

  it('are listed if they are not translated', () => {
    const missing = untranslatedPaths(tables.english, tables.chinese);
    if (missing.length > 0) console.warn(`Untranslated: ${missing.join(', ')}`);
    const known = [...chinese.keys(), ...missing];
    expect([...english.keys()].filter((path) => !known.some((key) => path.startsWith(key)))).toEqual([]);
  });

  it('are empty in both languages or in none', () => {
    const isEmpty = ([, text]: readonly [string, string]) => text === '';
    const emptyIn = (texts: ReadonlyMap<string, string>) => [...texts].filter(isEmpty).map(([key]) => key);
    expect(emptyIn(chinese)).toEqual(emptyIn(english).filter((key) => chinese.has(key)));
  });

  it('differ in Chinese, but for what has no words', () => {
    const same = [...english].filter(([key, text]) => text !== '' && chinese.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !sameInBoth.includes(key))).toEqual([]);
  });

  it('are Chinese in the Chinese table', () => {
    const foreign = [...chinese].filter(([, text]) => text !== '' && !/[\p{Script=Han}：。（）]/u.test(text));
    expect(foreign.map(([key]) => key).filter((key) => !sameInBoth.includes(key))).toEqual([]);
  });

  it('use everything they are given, in both', () => {
    const told = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g) ?? [])].sort().join(' ');
    const lost = [...chinese].filter(([key, text]) => told(text) !== told(english.get(key)));
    expect(lost.map(([key]) => key).filter((key) => !ofOne.includes(key))).toEqual([]);
  });
});

describe('a string that is not translated', () => {
  const table = { send: 'Send', meter: { open: 'Open', tokens: (count: string) => `${count} tokens` } };

  it('is named by its path', () => {
    expect(untranslatedPaths(table, { send: '发送', meter: { open: '打开' } })).toEqual(['meter.tokens']);
    expect(untranslatedPaths(table, {})).toEqual(['send', 'meter.open', 'meter.tokens']);
  });

  it('is shown in English', () => {
    const shown = inLanguage('zh-CN', { english: table, chinese: { meter: { open: '打开' } } });
    expect([shown.send, shown.meter.open, shown.meter.tokens('3')]).toEqual(['Send', '打开', '3 tokens']);
    expect(inLanguage('en', { english: table, chinese: { send: '发送' } })).toBe(table);
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
