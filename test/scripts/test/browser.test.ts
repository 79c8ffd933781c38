import { afterEach, describe, expect, it, vi } from 'vitest';
import { launchBrowser, type BrowserSource } from '../../../scripts/test/browser.ts';

describe('launchBrowser', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const missing: BrowserSource = { name: 'the first source', find: () => undefined };
  const broken: BrowserSource = {
    name: 'the second source',
    find: () => ({ executablePath: '/no/such/browser' }),
  };
  const unreachable: BrowserSource = {
    name: 'the third source',
    find: () => Promise.reject(new Error('no network')),
  };

  it('names three ways to get a browser, in one line, when no source has one', async () => {
    const failure = launchBrowser([missing, broken, unreachable]);
    await expect(failure).rejects.toThrow(
      /^No browser was found\. Install Chrome, Chromium or Edge, set CHROMIUM_PATH to one, or connect to a network .*\(the second source: .*; the third source: no network\)$/,
    );
  });

  it('tries no other browser when the browser in CHROMIUM_PATH does not start', async () => {
    vi.stubEnv('CHROMIUM_PATH', '/no/such/browser');
    await expect(launchBrowser()).rejects.toThrow(
      /^Tests cannot use the browser of CHROMIUM_PATH: .*\/no\/such\/browser/,
    );
  });
});
