import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ChatNotification, type ChatRequest, parseChatRequest } from '../../../src/protocol/chat.ts';
import {
  type InspectorNotification,
  type InspectorRequest,
  parseInspectorRequest,
} from '../../../src/protocol/inspector.ts';
import { eventually } from '../../support/eventually.ts';
import { sharedBrowser } from './browser.ts';
import { type PageName, sharedSite, type Site } from './site.ts';
import type { ThemeName } from './themes.ts';

export { eventually };

/** Size of a page in pixels, with the usual height unless it has its own. */
export interface Size {
  readonly width: number;
  readonly height?: number;
}

export interface OpenOptions extends Partial<Size> {
  readonly theme?: ThemeName;
  /** BCP 47, for example `zh-cn`; English if absent. */
  readonly language?: string | undefined;
  readonly reducedMotion?: boolean;
}

const defaultHeight = 860;

/** Milliseconds in which a page does what it is asked, on the busiest machine. Whatever is done earlier ends the wait. */
const patience = 120_000;

/** Globals that the fake host and the watcher add to the page's window. */
interface FakeWindow {
  readonly posts: unknown[];
  readonly violations: string[];
}

/** A page in a real browser, and the host's side of the talk with it. */
export class View<Notification, Request extends { readonly type: string }> {
  readonly page: Page;
  private readonly parse: (value: unknown) => Request | undefined;

  constructor(page: Page, parse: (value: unknown) => Request | undefined) {
    this.page = page;
    this.parse = parse;
  }

  /**
   * Sends a notification as the host does, and waits for the next frame. Rows outside the viewport are not rendered
   * (`content-visibility`), and only a frame decides which rows those are: before it, `innerText` of a new row is empty.
   */
  async notify(notification: Notification): Promise<void> {
    await this.page.evaluate((data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      return new Promise<void>((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve));
      });
    }, notification as unknown);
  }

  /** Gives the page another size, and waits until it has been drawn in it. */
  async resize({ width, height = defaultHeight }: Size): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  /** Everything the page has posted, taken apart by the guards that the host uses. */
  async posts(): Promise<readonly Request[]> {
    const posts = await this.page.evaluate(() => (window as unknown as FakeWindow).posts);
    return posts.map((post) => {
      const request = this.parse(post);
      expect(request, 'every post is one the host accepts').toEqual(post);
      return request!;
    });
  }

  /** Posted messages of one type. */
  async posted<Type extends Request['type']>(
    type: Type,
  ): Promise<readonly Extract<Request, { type: Type }>[]> {
    return (await this.posts()).filter(
      (post): post is Extract<Request, { type: Type }> => post.type === type,
    );
  }

  /** Waits until this is the last thing posted of its type. */
  async expectPost(request: Request): Promise<void> {
    await eventually(async () => (await this.posted(request.type)).at(-1)).toEqual(request);
  }

  /** Horizontal overflow of the page, in pixels. */
  async overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  }
}

export interface Suite<Notification, Request extends { readonly type: string }> {
  /** Opens the page afresh, with no saved state. Closes the page opened before. */
  open(options?: OpenOptions): Promise<View<Notification, Request>>;
}

/**
 * A page for the tests of a file, with nothing in it from other files. After each test, checks that nothing the page
 * did broke its policy or failed in its console.
 */
function viewSuite<Notification, Request extends { readonly type: string }>(
  name: PageName,
  parse: (value: unknown) => Request | undefined,
): Suite<Notification, Request> {
  let site: Site;
  let context: BrowserContext;
  let page: Page;
  let openings = 0;
  const complaints: string[] = [];

  beforeAll(async () => {
    const [served, browser] = await Promise.all([sharedSite(), sharedBrowser()]);
    site = served;
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await preparePage(context, complaints);
  });

  afterEach(async () => {
    if (openings === 0) return;
    const violations = await page.evaluate(() => (window as unknown as FakeWindow).violations);
    expect(violations).toEqual([]);
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(() => context.close());

  return {
    async open({
      theme = 'dark',
      language,
      width = 380,
      height = defaultHeight,
      reducedMotion = false,
    } = {}) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ reducedMotion: reducedMotion ? 'reduce' : 'no-preference' });
      await page.goto(site.urlOf(name, { theme, language, opening: ++openings }));
      return new View<Notification, Request>(page, parse);
    },
  };
}

/** A page that keeps a list of what broke its policy, and tells of errors. */
async function preparePage(context: BrowserContext, complaints: string[]): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    window.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return page;
}

export type ChatView = View<ChatNotification, ChatRequest>;
export type InspectorView = View<InspectorNotification, InspectorRequest>;

/** The chat, for the tests of a file. */
export function chatSuite(): Suite<ChatNotification, ChatRequest> {
  return viewSuite('chat', parseChatRequest);
}

/** The inspector, for the tests of a file. */
export function inspectorSuite(): Suite<InspectorNotification, InspectorRequest> {
  return viewSuite('inspector', parseInspectorRequest);
}

/** The page of components, for the tests of a file. It sends no requests. */
export function componentSuite(): Suite<never, never> {
  return viewSuite<never, never>('components', () => undefined);
}
