import { describe, expect, it } from 'vitest';
import { inspectorSnapshot } from '../support/inspector-fixtures.ts';
import { reopenIn } from '../support/in-language.ts';
import { timelineAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

async function open(tag: string): Promise<InspectorView> {
  const view = await suite.open({ width: 900 });
  await reopenIn(view.page, tag);
  await view.notify(inspectorSnapshot());
  return view;
}

describe('the language of the inspector', () => {
  it('is the language of the page, in every tab', async () => {
    const view = await open('zh-cn');
    const tabs = view.page.getByRole('tab');
    await eventually(async () => (await tabs.allInnerTexts()).map((text) => text.trim())).toContain('窗口');
    await view.page.getByRole('tab', { name: '时间线' }).click();
    await view.notify(timelineAnswer());
    await view.page.getByRole('heading', { name: '96 个请求、2 次压缩、1 次超出上限' }).waitFor();
    const mark = view.page.locator('.mark-of-overflow');
    expect(await mark.getAttribute('aria-label')).toContain('超出上下文窗口：128,400 个 token');
  });

  it('is English if the page is in an unsupported language', async () => {
    const view = await open('zh-tw');
    await view.page.getByRole('tab', { name: 'Timeline' }).waitFor();
  });
});
