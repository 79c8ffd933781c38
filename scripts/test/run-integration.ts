import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildStrategyExtension, bundleIntegration } from '../build/bundle-integration.ts';
import { launchBrowser } from './browser.ts';
import { linkExtension } from './extensions.ts';
import { timeLimit } from '../machine-speed.ts';
import { parseReport, type IntegrationReport } from './integration-report.ts';
import { projectFolder, resultsFolder } from '../project.ts';
import { writeQuietSettings } from './quiet-settings.ts';
import { scratchCopy } from './scratch-copy.ts';
import { add, nothing, oneFailed, type Tally } from './tally.ts';
import { startServer, withoutGallery } from './vscode-server.ts';

/** Maximum milliseconds until the next test ends, on an idle machine. */
const patience = 120_000;

/**
 * Runs the tests of `test/integration` in the extension host of a VS Code server. Uses a copy of the sample workspace
 * and the example extension that registers a strategy, and reports a line for each test. Needs a built `dist/`.
 *
 * @throws if the server or the browser cannot be started, or the tests do not end
 */
export async function runIntegration(report: (line: string) => void): Promise<Tally> {
  const testsPath = await bundleIntegration();
  const { folder, dataFolder, remove } = await scratchCopy(join(projectFolder, 'samples', 'workspace'));
  await writeQuietSettings(dataFolder);
  await linkExtension(dataFolder, await buildStrategyExtension());
  const logFile = join(resultsFolder, 'integration-server.log');
  try {
    const server = await startServer({
      ...{ dataFolder, logFile, trust: true, takesTests: true },
      environment: withoutGallery,
    });
    try {
      const browser = (await launchBrowser()).browser;
      try {
        const page = await browser.newPage();
        const url = server.url({ folder, developmentPath: projectFolder, testsPath });
        return await runTests(page, url, report);
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await remove();
  }
}

/** Opens a workbench that runs tests, and waits until they end. */
async function runTests(page: Page, url: string, show: (line: string) => void): Promise<Tally> {
  let tally = nothing;
  let heardAt = performance.now();
  await page.exposeFunction('codeAutomationLog', (_type: string, [line]: readonly unknown[]) => {
    const report = typeof line === 'string' ? parseReport(line) : undefined;
    if (report === undefined) return;
    heardAt = performance.now();
    show(describe(report));
    tally = add(tally, { ...nothing, ...count(report) });
  });
  const { promise: exit, resolve, reject } = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationExit', resolve);
  page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
  const watch = setInterval(() => {
    const silence = performance.now() - heardAt;
    if (silence > timeLimit(patience)) {
      reject(new Error(`No test ended within ${Math.round(silence / 1000)} s.`));
    }
  }, 5_000);
  let code: number;
  try {
    [code] = await Promise.all([exit, page.goto(url, { timeout: timeLimit(patience) })]);
  } finally {
    clearInterval(watch);
  }
  if (code !== 0 && tally.failed === 0) return add(tally, oneFailed(`the test run ended with code ${code}`));
  return tally.passed + tally.failed === 0 ? oneFailed('no test ran') : tally;
}

function count({ state, title }: IntegrationReport): Partial<Tally> {
  return state === 'failed' ? oneFailed(title.join(' › ')) : { [state]: 1 };
}

function describe({ state, title, durationMs, error }: IntegrationReport): string {
  const sign = { passed: '✓', failed: '✗', skipped: '-' }[state];
  const line = ` ${sign} ${title.join(' › ')} (${durationMs} ms)`;
  return error === undefined ? line : `${line}\n${error.replace(/^/gm, '     ')}`;
}
