import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../../harness/options.ts';

/** The browser that the tests drive. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(chromiumOptions);
}
