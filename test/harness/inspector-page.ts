import type { Frame, Locator } from 'playwright-core';
import type { VscodeWorkbench } from './vscode-workbench.ts';

/** Tabs by their titles. */
export type InspectorTabTitle = 'Messages' | 'Window' | 'Timeline' | 'Compactions' | 'What if' | 'Facts';

/** Opens what is folded under a title. */
export async function openFold(panel: Locator, title: string): Promise<void> {
  const fold = panel.getByRole('button', { name: title }).and(panel.locator('[aria-expanded]')).first();
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
}

/**
 * The inspector, as the user operates it. Its document is new after another editor was shown, so open the
 * page again then.
 */
export class InspectorPage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Waits until the inspector has loaded and shows content. */
  static async opened(workbench: VscodeWorkbench): Promise<InspectorPage> {
    const frame = await workbench.webview(async (document) => (await document.title()) === 'Context Budget');
    const inspector = new InspectorPage(frame);
    await frame.getByRole('tablist').waitFor();
    return inspector;
  }

  /** Selects a tab. @returns its content */
  async choose(title: InspectorTabTitle): Promise<Locator> {
    await this.frame.getByRole('tab', { name: title }).click();
    const panel = this.frame.getByRole('tabpanel', { name: title });
    await panel.waitFor();
    return panel;
  }

  get records(): Locator {
    return this.frame.getByRole('listbox', { name: 'Compactions' }).getByRole('option');
  }

  /** The outcome of each message, when a compaction or a preview is shown. */
  get diff(): Locator {
    return this.frame.locator('.diff:visible');
  }

  /** A previewed compaction. */
  get preview(): Locator {
    return this.frame.getByRole('region', { name: /^Preview of / });
  }

  /** Tokens in the table, by the name of their row. */
  async usage(): Promise<ReadonlyMap<string, number>> {
    const panel = await this.choose('Window');
    await openFold(panel, 'Numbers');
    const rows = this.frame.getByRole('table', { name: 'Tokens in use' }).getByRole('row');
    await rows.first().waitFor({ state: 'attached' });
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => ['th[scope="row"]', 'td'].map((cell) => row.querySelector(cell)?.textContent ?? '')),
    );
    return new Map(
      cells
        .filter(([name, tokens]) => name !== '' && tokens !== '')
        .map(([name = '', tokens = '']) => [name.trim(), Number(tokens.replace(/\D/g, ''))]),
    );
  }

  get undo(): Locator {
    return this.frame.getByRole('button', { name: /^Undo/ });
  }
}
