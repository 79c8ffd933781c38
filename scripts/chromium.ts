import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';

/** Arguments for Chromium in tests: no sandbox, which root cannot have, and no background traffic. */
export const chromiumOptions: LaunchOptions = {
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** @returns what to do where there is no Chromium, otherwise undefined */
export function missingChromium(): string | undefined {
  if (existsSync(executablePath)) return undefined;
  return `There is no Chromium at ${executablePath}: apt-get install chromium, or set CHROMIUM_PATH.`;
}
