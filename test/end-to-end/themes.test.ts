import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { soak } from '../support/soak.ts';
import { colourThemes, type ColourTheme } from '../harness/colour-themes.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench, withTitle } from '../harness/vscode-workbench.ts';
import { chatPageChinese } from '../../src/language/chinese/chat-page-chinese.ts';
import { compactionsPageChinese } from '../../src/language/chinese/compactions-page-chinese.ts';
import { inspectorPageChinese } from '../../src/language/chinese/inspector-page-chinese.ts';

describe('the views in every theme', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;
  let inspector: InspectorPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({ settings: { 'contextBudget.window': 6_000 } });
    chat = await ChatPage.open(workbench);
    await chat.ask('How does the store recover from a torn write?');
    await chat.ask('read src/search.ts');
    await chat.meter.click();
    inspector = await InspectorPage.opened(workbench);
    return () => workbench.close();
  });

  // One theme shows that VS Code's colours reach the views. The webview tests cover more.
  it.each(
    soak<readonly ColourTheme[]>(['Default High Contrast'], Object.keys(colourThemes) as ColourTheme[]),
  )('are readable in %s, and respect their security policy', async (theme) => {
    await workbench.setColourTheme(theme);
    for (const frame of [chat.frame, inspector.frame]) {
      await frame.locator(`body[data-vscode-theme-kind="${kindOf(theme)}"]`).waitFor();
      const { text, background } = await frame.evaluate(() => {
        const style = getComputedStyle(document.body);
        return {
          text: style.color,
          background: getComputedStyle(document.documentElement).getPropertyValue(
            '--vscode-editor-background',
          ),
        };
      });
      expect(contrast(text, background), `${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  it('are in Chinese if VS Code is in Chinese', async () => {
    await workbench.speak('zh-cn');
    await workbench.openView('Context Budget');
    const chatFrame = await workbench.webview(withTitle('Chat'));
    // VS Code in a browser saves its open editors every few seconds only, so the reload may have lost the inspector.
    await workbench.runCommand('Context Budget: 打开检查器');
    const inspectorFrame = await workbench.webview(withTitle('Context Budget'));
    await chatFrame.getByRole('textbox', { name: chatPageChinese.composer }).waitFor();
    await inspectorFrame.getByRole('tab', { name: inspectorPageChinese.tabs.whatIf }).click();
    await inspectorFrame.getByRole('button', { name: compactionsPageChinese.whatIf.again }).waitFor();
    await workbench.runCommand('Context Budget: 新建聊天');
    await chatFrame.getByText(chatPageChinese.welcome.offlineTitle).waitFor();
    for (const frame of [chatFrame, inspectorFrame]) {
      expect(await frame.locator('html').getAttribute('lang')).toBe('zh-CN');
    }
    expect(workbench.problems.ofWebviews).toEqual([]);
  });
});

function kindOf(theme: ColourTheme): string {
  return {
    'Dark Modern': 'vscode-dark',
    'Light Modern': 'vscode-light',
    'Default High Contrast': 'vscode-high-contrast',
    'Default High Contrast Light': 'vscode-high-contrast-light',
    'Solarized Light': 'vscode-light',
  }[theme];
}

/** Contrast of two colours, as the Web Content Accessibility Guidelines define it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const parts = colour.startsWith('#')
    ? [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16))
    : (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
