import { beforeAll, describe, expect, it } from 'vitest';
import { VscodeWorkbench, withTitle } from '../harness/vscode-workbench.ts';

describe('a workbench with the extension', () => {
  let workbench: VscodeWorkbench;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open();
    return () => workbench.close();
  });

  it('has the view container in its activity bar', async () => {
    const icon = workbench.page.locator('.activitybar').getByRole('tab', { name: 'Context Budget' });
    await icon.waitFor();
  });

  it('shows the chat when the view container is opened', async () => {
    await workbench.openView('Context Budget');
    const chat = await workbench.webview(withTitle('Chat'));
    await chat.getByRole('textbox').waitFor();
  });

  it('has webviews that keep to their security policy and log no error', () => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });
});
