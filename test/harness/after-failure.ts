import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { resultsFolder } from '../../scripts/project.ts';
import { sharedBrowser } from '../webview/support/browser.ts';

/** The first test of this file that failed. */
let failed: string | undefined;

/** Skips the tests after a failed one, because each test of a file begins where the one before it ended. */
beforeEach(({ skip }) => {
  if (failed !== undefined) skip(`It builds on a test that failed: ${failed}`);
});

/**
 * Takes a picture of each open window when a test fails, as the user would see it. Runs before each test
 * file.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  failed ??= task.name;
  const browser = await sharedBrowser();
  const pages = browser.contexts().flatMap((context) => context.pages());
  await mkdir(resultsFolder, { recursive: true });
  const name = task.name.replaceAll(/\W+/g, '-').slice(0, 80);
  for (const [index, page] of pages.entries()) {
    // A window that has crashed has no picture.
    await page.screenshot({ path: join(resultsFolder, `${name}-${index}.png`) }).catch(console.error);
  }
});
