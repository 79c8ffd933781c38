import type { Frame, Locator, Page } from 'playwright-core';
import { graveFindings } from '../webview/support/accessibility.ts';
import type { VscodeWorkbench } from './vscode-workbench.ts';

/** Tabs by their titles. */
export type InspectorTabTitle = 'Budget' | 'Timeline' | 'Compactions' | 'What if' | 'Ledger';

/** The inspector, as a person uses it. Its document is a new one after another editor was shown: open the page again then. */
export class InspectorPage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Waits until the inspector is there and shows something. */
  static async opened(workbench: VscodeWorkbench): Promise<InspectorPage> {
    const frame = await workbench.webview(async (document) => (await document.title()) === 'Context Budget');
    const inspector = new InspectorPage(frame);
    await frame.getByRole('table', { name: 'Tokens in use' }).waitFor();
    return inspector;
  }

  /** Chooses a tab, and returns what it shows. */
  async choose(title: InspectorTabTitle): Promise<Locator> {
    await this.frame.getByRole('tab', { name: title }).click();
    const panel = this.frame.getByRole('tabpanel', { name: title });
    await panel.waitFor();
    return panel;
  }

  get records(): Locator {
    return this.frame.getByRole('listbox', { name: 'Compactions' }).getByRole('option');
  }

  /** What became of each message, where a compaction or the preview of one is shown. */
  get diff(): Locator {
    return this.frame.locator('.diff:visible');
  }

  /** Tokens by the name of their row, as the table has them. */
  async usage(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.frame.getByRole('table', { name: 'Tokens in use' }).getByRole('row').all();
    const usage = new Map<string, number>();
    for (const row of rows) {
      const name = await row
        .getByRole('rowheader')
        .textContent({ timeout: 1_000 })
        .catch(() => null);
      const tokens = await row
        .getByRole('cell')
        .first()
        .textContent({ timeout: 1_000 })
        .catch(() => null);
      if (name !== null && tokens !== null) usage.set(name.trim(), Number(tokens.replace(/\D/g, '')));
    }
    return usage;
  }

  get undo(): Locator {
    return this.frame.getByRole('button', { name: /^Undo/ });
  }

  /** What axe finds serious or critical in what is shown. */
  async graveFindings(): Promise<readonly string[]> {
    // The workbench paints what is behind a webview, where axe cannot see it.
    await this.frame.evaluate(() => {
      document.documentElement.style.backgroundColor = 'var(--vscode-editor-background)';
    });
    // Of a page it is only asked to evaluate, which a frame can do as well. A line of a diff is a button that holds two
    // messages: its name says in fewer words what they are.
    return graveFindings(this.frame as unknown as Page, ['label-content-name-mismatch']);
  }
}
