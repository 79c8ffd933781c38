import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../../harness/options.ts';

let running: Promise<Browser> | undefined;

/**
 * The browser that the tests of this process drive: started for the first file, there for the files that follow, and
 * ended with the process. Restarted if it was closed or has crashed.
 */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch(chromiumOptions);
  browser.once('disconnected', () => {
    running = undefined;
  });
  return browser;
}
