import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { hasPackagedBrowser, installDownloadedBrowser, installPackagedBrowser } from './installed-browser.ts';

/** A source of a browser. */
export interface BrowserSource {
  /** Name of the source, as in "Tests use …". */
  readonly name: string;
  /** @returns launch options for the browser; undefined if the source has none */
  readonly find: () => LaunchOptions | undefined | Promise<LaunchOptions | undefined>;
  /** True if the user named this browser, so that no other source is tried if it does not start. */
  readonly isFinal?: boolean;
}

/** A running browser, and its source. */
export interface FoundBrowser {
  readonly browser: Browser;
  readonly source: string;
}

/** Arguments for every browser. They disable background traffic, and the sandbox, which does not work for root. */
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Names of Chromium on the PATH. Playwright finds Chrome and Edge itself. */
const commands = ['chromium', 'chromium-browser'];

/** Sources of browsers, in the order in which they are tried. */
function browserSources(): readonly BrowserSource[] {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    return [{ name: `the browser of CHROMIUM_PATH`, find: () => ({ executablePath: named }), isFinal: true }];
  }
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [
    { name: 'the installed Chrome', find: () => ({ channel: 'chrome' }) },
    ...commands.map((command) => ({
      name: `the installed ${command}`,
      find: () => {
        const executablePath = paths.map((folder) => join(folder, command)).find((file) => existsSync(file));
        return executablePath === undefined ? undefined : { executablePath };
      },
    })),
    { name: 'the installed Edge', find: () => ({ channel: 'msedge' }) },
    hasPackagedBrowser()
      ? { name: 'a browser from the npm registry', find: installPackagedBrowser }
      : { name: "Playwright's browser", find: installDownloadedBrowser },
  ];
}

/**
 * Launches the first browser that is found and starts. The last source downloads a browser.
 *
 * @throws Error with the ways to get a browser, in one line, if none was found
 */
export async function launchBrowser(sources = browserSources()): Promise<FoundBrowser> {
  const failures: string[] = [];
  for (const { name, find, isFinal = false } of sources) {
    try {
      const options = await find();
      if (options === undefined) continue;
      const browser = await chromium.launch({ ...options, args: browserArguments });
      return { browser, source: name };
    } catch (error) {
      const reason = firstLine(error);
      if (isFinal) throw new Error(`Tests cannot use ${name}: ${reason}`, { cause: error });
      failures.push(`${name}: ${reason}`);
    }
  }
  throw new Error(
    'No browser was found. Install Chrome, Chromium or Edge, set CHROMIUM_PATH to one, or connect to a network so ' +
      `that one can be downloaded. (${failures.join('; ')})`,
  );
}

/** The first line of an error. Playwright adds a log of the launch. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^browserType\.launch: /, '').split('\n', 1)[0] ?? '';
}
