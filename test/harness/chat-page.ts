import { expect } from 'vitest';
import type { Frame, Locator } from 'playwright-core';
import { until } from '../support/eventually.ts';
import { withTitle, type VscodeWorkbench } from './vscode-workbench.ts';

/** The chat, as the user operates it. Its document is new after every reload, so open the page again then. */
export class ChatPage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  static async open(workbench: VscodeWorkbench): Promise<ChatPage> {
    await workbench.openView('Context Budget');
    const frame = await workbench.webview(withTitle('Chat'));
    const chat = new ChatPage(frame);
    await chat.meter.waitFor();
    return chat;
  }

  get composer(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  /** The meter, a button that opens the inspector. */
  get meter(): Locator {
    return this.frame.getByRole('button', { name: /^Context: / });
  }

  get send(): Locator {
    return this.frame.getByRole('button', { name: 'Send' });
  }

  get stop(): Locator {
    return this.frame.locator('.composer').getByRole('button', { name: 'Stop' });
  }

  get rows(): Locator {
    return this.frame.locator('.row');
  }

  get questions(): Locator {
    return this.frame.locator('.row.user');
  }

  get answers(): Locator {
    return this.frame.locator('.row.assistant');
  }

  get tools(): Locator {
    return this.frame.locator('.row.tool');
  }

  get compactions(): Locator {
    return this.frame.locator('.row.compaction');
  }

  get error(): Locator {
    return this.frame.locator('.row.error');
  }

  /** The question whether to compact. */
  get proposal(): Locator {
    return this.frame.getByRole('group', { name: 'Proposed compaction' });
  }

  /** Notice in place of the composer when the chat is read-only. */
  get readOnlyBanner(): Locator {
    return this.frame.locator('.read-only.is-shown');
  }

  /** Types a message and sends it. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Waits until the agent has finished. */
  async done(): Promise<void> {
    await this.stop.waitFor({ state: 'hidden' });
  }

  /** Asks, and waits until the agent has answered. */
  async ask(text: string): Promise<void> {
    // Rows out of sight are not on the page, so questions are told apart by their keys, not counted.
    const newest = () => this.frame.locator('.row.user').last();
    const keyOfNewest = async () =>
      (await newest().count()) === 0 ? '' : ((await newest().getAttribute('data-key')) ?? '');
    const before = await keyOfNewest();
    await this.say(text);
    await until(async () => expect(await keyOfNewest()).not.toBe(before));
    // The question appears before the agent begins and the answer before it ends, so only then is it over.
    await newest().locator('xpath=following::*[contains(@class,"row assistant")]').first().waitFor();
    await this.done();
  }
}
