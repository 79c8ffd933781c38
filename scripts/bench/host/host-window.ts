import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { launchBrowser } from '../../test/browser.ts';
import { projectFolder, resultsFolder } from '../../project.ts';
import { writeQuietSettings } from '../../test/quiet-settings.ts';
import { scratchCopy } from '../../test/scratch-copy.ts';
import { startServer } from '../../test/vscode-server.ts';
import { type ActivationTimes, type Delays, portLine, type ProbeRequest } from './probe-protocol.ts';

/** Settings that keep the server from searching for open ports in further processes, as on a desktop. */
const quietHost = { 'remote.autoForwardPorts': false, 'remote.autoForwardPortsSource': 'output' };
/** Maximum milliseconds for a step. */
const patience = 300_000;

/** A server with the built extension and a scratch workspace. */
export interface Host {
  /** Folder of the server's data. Removed at the end. */
  readonly dataFolder: string;
  /** Opens a window with a separate extension host. */
  openWindow(): Promise<HostWindow>;
}

/**
 * Starts a VS Code server for some work, and stops it afterwards.
 *
 * @param settings settings of the workspace
 * @throws the error of the work
 */
export async function withHost<Result>(
  settings: Readonly<Record<string, unknown>>,
  work: (host: Host) => Promise<Result>,
): Promise<Result> {
  const { folder, dataFolder, remove } = await scratchCopy(join(projectFolder, 'samples', 'workspace'));
  try {
    await writeQuietSettings(dataFolder, quietHost);
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
    const logFile = join(resultsFolder, 'bench-server.log');
    const server = await startServer({
      ...{ dataFolder, logFile, trust: true },
      ...{ takesTests: true, compresses: false },
    });
    const browser = (await launchBrowser()).browser;
    try {
      const testsPath = await bundledProbe();
      const url = server.url({ folder, developmentPath: projectFolder, testsPath });
      return await work({ dataFolder, openWindow: () => HostWindow.open(browser, url) });
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    await remove();
  }
}

/** A window whose extension host accepts requests of the benchmark. */
export class HostWindow {
  private readonly page: Page;
  private readonly port: number;

  private constructor(page: Page, port: number) {
    this.page = page;
    this.port = port;
  }

  static async open(browser: Browser, url: string): Promise<HostWindow> {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    const port = new Promise<number>((resolve, reject) => {
      page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
      void page.exposeFunction('codeAutomationExit', (code: number) => {
        if (code !== 0) reject(new Error(`The extension host ended with code ${code}.`));
      });
      void page.exposeFunction('codeAutomationLog', (_type: string, [line]: readonly unknown[]) => {
        if (typeof line === 'string' && line.startsWith(portLine))
          resolve(Number(line.slice(portLine.length)));
      });
    });
    await page.goto(url);
    return new HostWindow(page, await port);
  }

  command(command: string, ...values: readonly unknown[]): Promise<unknown> {
    return this.ask({ type: 'command', command, values });
  }

  async fileCommand(command: string, path: string): Promise<string> {
    return (await this.ask({ type: 'file-command', command, path })) as string;
  }

  /** Measures delays during some work and until the host is idle again. */
  async measured(work: () => Promise<unknown>): Promise<Delays> {
    await this.ask({ type: 'start' });
    await work();
    return (await this.ask({ type: 'stop' })) as Delays;
  }

  /** The times of an extension's activation, as measured by VS Code. */
  async activation(extension: string): Promise<ActivationTimes> {
    return (await this.ask({ type: 'activation', extension })) as ActivationTimes;
  }

  async inspector(): Promise<Frame> {
    for (;;) {
      for (const frame of this.page.frames()) {
        if ((await frame.title().catch(() => '')) === 'Context Budget' && frame.url().includes('fake.html')) {
          return frame;
        }
      }
      await this.page.waitForTimeout(100);
    }
  }

  async end(): Promise<void> {
    await this.ask({ type: 'end' });
    await this.page.close();
  }

  private async ask(request: ProbeRequest): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.port}/`, {
      method: 'POST',
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(patience),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  }
}

/** @returns path of the module whose `run()` the extension host calls */
async function bundledProbe(): Promise<string> {
  const outdir = join(projectFolder, 'out', 'bench-probe');
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: [join(projectFolder, 'scripts', 'bench', 'host', 'probe.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return join(outdir, 'probe.mjs');
}
