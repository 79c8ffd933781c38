import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/test/browser.ts';

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
  const browser = (await launchBrowser()).browser;
  browser.once('disconnected', () => {
    running = undefined;
  });
  return browser;
}
