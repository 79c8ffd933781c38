import { describe, expect, it } from 'vitest';
import {
  type InspectorNotification,
  type InspectorRequest,
  parseInspectorRequest,
} from '../../src/protocol/inspector.ts';
import { compactionsChinese } from '../../webview/inspector/text/compactions-chinese.ts';
import { compactionsEnglish } from '../../webview/inspector/text/compactions-english.ts';
import { inspectorChinese } from '../../webview/inspector/text/inspector-chinese.ts';
import { inspectorEnglish } from '../../webview/inspector/text/inspector-english.ts';
import { inspectorSnapshot } from './support/inspector-fixtures.ts';
import { reopenIn } from './support/in-language.ts';
import { timelineAnswer } from './support/tab-fixtures.ts';
import { textsOf } from './support/texts.ts';
import { eventually, type View, viewSuite } from './support/view.ts';

const suite = viewSuite<InspectorNotification, InspectorRequest>('inspector', parseInspectorRequest);

const english = textsOf({ ...inspectorEnglish, ...compactionsEnglish });
const chinese = textsOf({ ...inspectorChinese, ...compactionsChinese });

/** Names and numbers only. */
const wordless: readonly string[] = [
  'sentences',
  // A conversation that is none of the named kinds.
  'picker.name',
  'usage.barKind',
  // Joins a list, of which the test gives one item.
  'usage.either',
  'views.withTime',
  'views.same',
  'fromTo',
  'facts.keptOf',
  'diff.kinds',
  'budget.sentences.floorPart',
  'timeline.kind',
  'timeline.kinds',
  'timeline.events',
  'timeline.spoken',
  'timeline.marks.notApplied',
  'timeline.marks.started',
  'timeline.several',
  'ledger.message.place',
  'compactionsTab.keptPart',
  'compactionsTab.html',
  'compactionsTab.markdown',
  'whatIf.keptOf',
];

async function open(tag: string): Promise<View<InspectorNotification, InspectorRequest>> {
  const view = await suite.open({ width: 900 });
  await reopenIn(view.page, tag);
  await view.notify(inspectorSnapshot());
  return view;
}

describe('the texts of the inspector', () => {
  it('are in English, too, where they are in Chinese', () => {
    expect([...chinese.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it('are empty in neither', () => {
    const all = [...english, ...chinese];
    expect(all.filter(([, text]) => text === '').map(([key]) => key)).toEqual([]);
  });

  it('are translated, but for what has no words', () => {
    const same = [...english].filter(([key, text]) => chinese.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !wordless.includes(key))).toEqual([]);
  });

  it('are Chinese in the Chinese ones', () => {
    const foreign = [...chinese].filter(([, text]) => !/[\p{Script=Han}：。，、（）]/u.test(text));
    expect(foreign.map(([key]) => key).filter((key) => !wordless.includes(key))).toEqual([]);
  });

  it('say everything that they are told, in both', () => {
    const told = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g) ?? [])].sort().join(' ');
    const lost = [...chinese].filter(([key, text]) => told(text) !== told(english.get(key)));
    expect(lost.map(([key]) => key)).toEqual([]);
  });
});

describe('the language of the inspector', () => {
  it('is that of the page, in every tab', async () => {
    const view = await open('zh-cn');
    const tabs = view.page.getByRole('tab');
    await eventually(async () => (await tabs.allInnerTexts()).map((text) => text.trim())).toContain('预算');
    await view.page.getByRole('tab', { name: '时间线' }).click();
    await view.notify(timelineAnswer());
    await view.page.getByRole('heading', { name: '每个请求发送的 token' }).waitFor();
    const caption = view.page.locator('.timeline h3 > .dim');
    await eventually(() => caption.innerText()).toBe('96 个请求 · 2 次压缩 · 1 次超出上限');
    const mark = view.page.locator('.mark-of-overflow');
    expect(await mark.getAttribute('aria-label')).toContain('超出上下文窗口：128,400 个 token');
  });

  it('is English where the page is in another one', async () => {
    const view = await open('zh-tw');
    await view.page.getByRole('tab', { name: 'Timeline' }).waitFor();
  });
});
