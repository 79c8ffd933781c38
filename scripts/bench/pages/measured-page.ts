import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { pageHtml } from '../../../src/presenters/page-html.ts';
import { projectFolder } from '../../project.ts';
import { taskTimes, type TaskTimes, type TraceEvent } from './task-times.ts';

const origin = 'http://pages.invalid';
const nonce = 'YmVuY2htYXJr';

/** Code for the page: a host without listeners, and functions for measuring. */
const inPage = `
  window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });
  const frame = () => new Promise(requestAnimationFrame);
  const afterPaint = async () => { await frame(); await new Promise((resolve) => setTimeout(resolve)); };
  const tell = (data) => window.dispatchEvent(new MessageEvent('message', { data }));
  window.bench = {
    tellAll: async () => {
      const start = performance.now();
      for (const data of window.told) tell(data);
      await afterPaint();
      return performance.now() - start;
    },
    endDrawn: async () => {
      // Rows far from the visible ones are not drawn.
      while ([...document.querySelectorAll('.rows')].at(-1)?.matches(':empty') !== false) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    stream: async () => {
      for (const data of window.told) { tell(data); await frame(); }
    },
  };
`;

/** The built chat page in a real browser, whose drawing is measured. */
export class MeasuredPage {
  private readonly page: Page;
  private readonly session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.session = session;
  }

  static async open(browser: Browser): Promise<MeasuredPage> {
    const page = await browser.newPage({ viewport: { width: 380, height: 860 } });
    await page.addInitScript(inPage);
    await page.route(`${origin}/**`, async (route) => {
      const file = new URL(route.request().url()).pathname.slice(1);
      if (file === 'chat') await route.fulfill({ contentType: 'text/html', body: html() });
      else await route.fulfill({ contentType: typeOf(file), body: await built(file) });
    });
    await page.goto(`${origin}/chat`);
    return new MeasuredPage(page, await page.context().newCDPSession(page));
  }

  /** Posts a notification. @returns milliseconds until the page was drawn */
  async show(notification: unknown): Promise<number> {
    await this.give([notification]);
    const firstPaint = await this.page.evaluate<number>('bench.tellAll()');
    await this.page.evaluate('bench.endDrawn()');
    return firstPaint;
  }

  /** Posts one notification in each frame. */
  async stream(notifications: readonly unknown[]): Promise<TaskTimes> {
    await this.give(notifications);
    return this.traced('bench.stream()');
  }

  /** Scrolls to the end of the conversation and stays there. */
  async toEnd(): Promise<void> {
    await this.page.evaluate("document.querySelector('.jump')?.click()");
  }

  /** Number of elements and texts on the page. */
  async nodes(): Promise<number> {
    return this.page.evaluate<number>(
      'document.evaluate("count(//node())", document, null, XPathResult.NUMBER_TYPE).numberValue',
    );
  }

  async close(): Promise<void> {
    await this.page.close();
  }

  /** Passes data to the page before the clock starts. In VS Code, data arrives in another way. */
  private async give(notifications: readonly unknown[]): Promise<void> {
    await this.page.evaluate((told) => Object.assign(globalThis, { told }), notifications);
  }

  private async traced(work: string): Promise<TaskTimes> {
    const events: TraceEvent[] = [];
    const collect = ({ value }: { readonly value: readonly object[] }) =>
      void events.push(...(value as readonly TraceEvent[]));
    this.session.on('Tracing.dataCollected', collect);
    await this.session.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', 'blink'] },
    });
    await this.page.evaluate(work);
    const complete = new Promise((resolve) => this.session.once('Tracing.tracingComplete', resolve));
    await this.session.send('Tracing.end');
    await complete;
    this.session.off('Tracing.dataCollected', collect);
    const times = taskTimes(events);
    if (times === undefined) throw new Error('The page drew nothing.');
    return times;
  }
}

function html(): string {
  return pageHtml({
    name: 'chat',
    title: 'chat',
    nonce,
    cspSource: origin,
    uriOf: (file) => `${origin}/${file}`,
    language: 'en',
  });
}

async function built(file: string): Promise<Buffer> {
  try {
    return await readFile(join(projectFolder, 'dist', 'webview', file));
  } catch {
    throw new Error('The pages are not built: npm run build');
  }
}

function typeOf(file: string): string {
  return file.endsWith('.css') ? 'text/css' : 'text/javascript';
}
