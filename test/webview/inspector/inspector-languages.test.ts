import { describe, expect, it } from 'vitest';
import { unfold } from '../support/content.ts';
import { englishLeft } from '../support/english-left.ts';
import { diff, flow, inspectorSnapshot } from '../support/inspector-fixtures.ts';
import { budgetAnswer, factsAnswer, timelineAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';
import { whatIf } from '../support/what-if-fixtures.ts';

const suite = inspectorSuite();

async function open(language: string): Promise<InspectorView> {
  const view = await suite.open({ width: 900, language });
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

  it('is Chinese only, in every tab', async () => {
    const view = await open('zh-cn');
    const answers = [
      budgetAnswer(),
      timelineAnswer(),
      diff(),
      { type: 'flow', recordId: 'r3', flow },
      whatIf(),
      factsAnswer(),
    ] as const;
    const tabs = view.page.getByRole('tab');
    await tabs.first().waitFor();
    for (const tab of await tabs.all()) {
      await tab.click();
      for (const answer of answers) await view.notify(answer);
      await unfold(view.page);
      expect(await englishLeft(view.page), await tab.innerText()).toEqual([]);
    }
  });

  it('is English if the page is in an unsupported language', async () => {
    const view = await open('zh-tw');
    await view.page.getByRole('tab', { name: 'Timeline' }).waitFor();
  });
});
