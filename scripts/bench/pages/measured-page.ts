import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { pageHtml } from '../../../src/presenters/page-html.ts';
import { projectFolder } from '../../project.ts';
import { taskTimes, type TaskTimes, type TraceEvent } from './task-times.ts';

export type PageName = 'chat' | 'inspector';

const origin = 'http://pages.invalid';
const nonce = 'YmVuY2htYXJr';
const emptyFrames = 60;
const widths: Readonly<Record<PageName, number>> = { chat: 380, inspector: 1200 };

/** Runs in the page: a host that listens to nothing, and what is measured with. */
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
    allDrawn: async () => {
      while (document.querySelector('.rows:empty, .diff-group:empty') !== null) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    emptyFrames: async (count) => {
      for (let index = 0; index < count; index++) {
        document.documentElement.style.setProperty('--frame', index);
        await frame();
      }
    },
    stream: async () => {
      for (const data of window.told) { tell(data); await frame(); }
    },
    scroll: async (selector, step, count) => {
      const scroller = document.querySelector(selector) ?? document.scrollingElement;
      const direction = scroller.scrollTop > scroller.scrollHeight / 2 ? -1 : 1;
      for (let index = 0; index < count; index++) { scroller.scrollTop += direction * step; await frame(); }
    },
  };
`;

/** One of the extension's pages as it was built, in a real browser, and what it takes to draw. */
export class MeasuredPage {
  readonly name: PageName;
  private readonly page: Page;
  private readonly session: CDPSession;

  private constructor(name: PageName, page: Page, session: CDPSession) {
    this.name = name;
    this.page = page;
    this.session = session;
  }

  static async open(browser: Browser, name: PageName): Promise<MeasuredPage> {
    const page = await browser.newPage({ viewport: { width: widths[name], height: 860 } });
    await page.addInitScript(inPage);
    await page.route(`${origin}/**`, async (route) => {
      const file = new URL(route.request().url()).pathname.slice(1);
      if (file === name) await route.fulfill({ contentType: 'text/html', body: html(name) });
      else await route.fulfill({ contentType: typeOf(file), body: await built(file) });
    });
    await page.goto(`${origin}/${name}`);
    const session = await page.context().newCDPSession(page);
    return new MeasuredPage(name, page, session);
  }

  /** Frames in which nothing is drawn, for comparison. */
  async drawNothing(): Promise<TaskTimes> {
    return this.traced(`bench.emptyFrames(${emptyFrames})`);
  }

  /** Tells the page something. @returns milliseconds until it was painted, and the times of the work */
  async show(
    notifications: readonly unknown[],
  ): Promise<{ readonly firstPaint: number; readonly times: TaskTimes }> {
    await this.give(notifications);
    let firstPaint = 0;
    const times = await this.traced(async () => {
      firstPaint = await this.page.evaluate<number>('bench.tellAll()');
      await this.page.evaluate('bench.allDrawn()');
    });
    return { firstPaint, times };
  }

  /** Tells the page one thing in each frame. */
  async stream(notifications: readonly unknown[]): Promise<TaskTimes> {
    await this.give(notifications);
    return this.traced('bench.stream()');
  }

  /** @param step pixels in each frame */
  async scroll(selector: string, step: number, frames: number): Promise<TaskTimes> {
    return this.traced(`bench.scroll(${JSON.stringify(selector)}, ${step}, ${frames})`);
  }

  /** Goes to the end of the conversation, and stays there. */
  async toEnd(): Promise<void> {
    await this.page.evaluate("document.querySelector('.jump')?.click()");
  }

  /** Elements and texts on the page. */
  async nodes(): Promise<number> {
    return this.page.evaluate<number>(
      'document.evaluate("count(//node())", document, null, XPathResult.NUMBER_TYPE).numberValue',
    );
  }

  /** Bytes of the page's objects that are still needed. */
  async heap(): Promise<number> {
    await this.session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.session.send('Runtime.getHeapUsage');
    return usedSize;
  }

  async close(): Promise<void> {
    await this.page.close();
  }

  /** Hands data over before the clock starts: in VS Code it comes by another way. */
  private async give(notifications: readonly unknown[]): Promise<void> {
    await this.page.evaluate((told) => Object.assign(globalThis, { told }), notifications);
  }

  private async traced(work: string | (() => Promise<void>)): Promise<TaskTimes> {
    const events: TraceEvent[] = [];
    const collect = ({ value }: { readonly value: readonly object[] }) =>
      void events.push(...(value as readonly TraceEvent[]));
    this.session.on('Tracing.dataCollected', collect);
    await this.session.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', 'blink'] },
    });
    if (typeof work === 'string') await this.page.evaluate(work);
    else await work();
    const complete = new Promise((resolve) => this.session.once('Tracing.tracingComplete', resolve));
    await this.session.send('Tracing.end');
    await complete;
    this.session.off('Tracing.dataCollected', collect);
    const times = taskTimes(events);
    if (times === undefined) throw new Error(`The ${this.name} page drew nothing.`);
    return times;
  }
}

function html(name: PageName): string {
  return pageHtml({
    title: name,
    nonce,
    cspSource: origin,
    scriptUri: `${origin}/${name}.js`,
    styleUri: `${origin}/${name}.css`,
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
