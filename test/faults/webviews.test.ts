import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import type * as vscode from 'vscode';
import { WebviewChannel } from '../../src/extension/editor/webview-channel.ts';
import { diffHtml, diffMarkdown } from '../../src/insights/export/record-export.ts';
import { sessionHtml, sessionMarkdown } from '../../src/insights/export/session-export.ts';
import { hostileRecord, hostileSession } from '../insights/export/hostile.ts';
import { typed } from '../support/messages.ts';
import { actions, plan, queue } from '../webview/support/action-fixtures.ts';
import { sharedBrowser } from '../webview/support/browser.ts';
import { chatState, conversation, recordDetails, snapshot } from '../webview/support/chat-fixtures.ts';
import { diff, diffRows, inspectorSnapshot, inspectorState } from '../webview/support/inspector-fixtures.ts';
import { sharedSite, type PageName, type Site } from '../webview/support/site.ts';
import { budgetAnswer, factsAnswer, timelineAnswer } from '../webview/support/tab-fixtures.ts';
import { whatIf } from '../webview/support/what-if-fixtures.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';
import { xssPayloads } from './support/xss-payloads.ts';
import { chatRequests } from '../../src/protocol/chat.ts';
import { inspectorRequests } from '../../src/protocol/inspector.ts';
import {
  dispatch,
  forwarded,
  type MessageOf,
  type MessageTable,
  parseMessage,
} from '../../src/protocol/messages.ts';

vi.mock('vscode', () => ({ env: { language: 'en' } }));

/** Fields with words from a list, or with ids: the host writes them. */
const ownFields = new Set(
  [
    'type id state status kind change fate tier trigger createdAt sessionId chatId messageId recordId role phase side',
    'leastReason mostReason section source requirement ids messageIds recordIds outputId sourceIds at activity level',
    'byKind strategies commands unit tone reach language encoding health grade verdict',
  ].flatMap((names) => names.split(' ')),
);

/** The value with the texts, in turn, in every place for foreign text. */
function poisoned(value: unknown, next: () => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => poisoned(entry, next));
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT|^[a-z-]{1,12}$/u.test(value) ? value : next();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, ownFields.has(name) ? field : poisoned(field, next)]),
  );
}

/** Messages from the host to a view with the texts: in every answer, and elsewhere one at a time. */
function notificationsOf(name: PageName, texts: readonly string[]): readonly unknown[] {
  let taken = 0;
  const next = () => texts[taken++ % texts.length] ?? '';
  if (name === 'chat') {
    const answers = texts.map((text, index) => {
      return { type: 'assistant', id: `answer${index}`, markdown: text, reasoning: text, state: 'done' };
    });
    const rows = [...conversation, ...actions].map((row) => poisoned(row, next));
    const parts = { plan: poisoned(plan, next), queue: poisoned(queue, next) };
    return [
      { ...snapshot(), state: { ...chatState(), ...parts, rows: [...answers, ...rows], title: next() } },
      { type: 'record', recordId: 'c1', details: poisoned(recordDetails, next) },
      {
        type: 'completions',
        trigger: '@',
        query: '',
        items: [{ label: next(), detail: next(), insert: next() }],
      },
      { type: 'not-sent', text: next() },
    ];
  }
  const state = inspectorState();
  const records = state.records.map((record) => poisoned(record, next));
  return [
    { ...inspectorSnapshot(), state: { ...state, title: next(), model: next(), records } },
    { ...diff('r3'), rows: poisoned(diffRows, next) },
    { type: 'select', recordId: 'r3' },
    ...[budgetAnswer(), timelineAnswer(), factsAnswer(), whatIf()].map((answer) => poisoned(answer, next)),
  ];
}

/** Texts that a page holds at once. */
const together = 12;

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const size = soak(together, 1);
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, index) =>
    texts.slice(index * size, (index + 1) * size),
  );
}

/** Two messages with the same words. */
const saying = (text: string) => [typed('m1', text), typed('m2', text)];

interface Watched {
  readonly isHacked?: unknown;
  readonly violations: string[];
}

describe('the webviews withstand', () => {
  let page: Page;
  let site: Site;
  let trap: ReturnType<typeof createServer>;
  /** Requests to anything but the page itself. */
  const requests: string[] = [];
  let openings = 0;

  beforeAll(async () => {
    trap = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    site = await sharedSite();
    const context = await (await sharedBrowser()).newContext();
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const { origin } = new URL(site.urlOf('chat', { theme: 'dark', opening: 1 }));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith('about:')) requests.push(url);
    });
    page.on('dialog', (dialog) => {
      requests.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      window.addEventListener('securitypolicyviolation', (event) => {
        violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
      });
    });
  });

  afterAll(async () => {
    await page.context().close();
    trap.close();
  });

  /** Effects of a text in the page that shows it. */
  async function judge(count: FaultCount, where: string, text: string): Promise<void> {
    const { isHacked, violations } = await page.evaluate(() => {
      const watched = window as unknown as Watched;
      return { isHacked: watched.isHacked !== undefined, violations: watched.violations.splice(0) };
    });
    const sent = requests.splice(0);
    const words = `${where}: ${text.slice(0, 300)}`;
    if (isHacked) count.harmed(`${words} ran`);
    if (violations.length > 0) count.harmed(`${words} broke the policy: ${violations.join(', ')}`);
    if (sent.length > 0) count.harmed(`${words} sent ${sent.join(', ')}`);
  }

  async function open(name: PageName): Promise<void> {
    await page.goto(site.urlOf(name, { theme: 'dark', opening: ++openings }));
  }

  /** Opens everything folded, follows links of answers, and points at everything. */
  async function poke(): Promise<void> {
    await page.evaluate(() => {
      const folded = document.querySelectorAll<HTMLElement>(
        'button[aria-expanded="false"], summary, .markdown a, [role="tab"]',
      );
      for (const element of folded) element.click();
      for (const element of document.querySelectorAll('.row, .markdown *, [title]')) {
        element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      }
    });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  for (const name of ['chat', 'inspector'] as const) {
    fault(`webviews: hostile texts in the ${name}`, async (count) => {
      const { port } = trap.address() as AddressInfo;
      for (const texts of batchesOf(xssPayloads(`http://127.0.0.1:${port}`))) {
        count.tried(texts.length);
        await open(name);
        const notifications = notificationsOf(name, texts);
        await page.evaluate((all) => {
          for (const data of all) window.dispatchEvent(new MessageEvent('message', { data }));
        }, notifications);
        await poke();
        await judge(count, name, texts.join(' | '));
      }
    });
  }

  fault('webviews: hostile texts in exported pages and Markdown', async (count) => {
    const { port } = trap.address() as AddressInfo;
    for (const texts of batchesOf(xssPayloads(`http://127.0.0.1:${port}`))) {
      count.tried(texts.length);
      const all = texts.join('\n\n');
      for (const html of [diffHtml(hostileRecord(all), saying(all)), sessionHtml(hostileSession(all))]) {
        await page.setContent(html);
        await judge(count, 'HTML', texts.join(' | '));
      }
      const markdown = texts.flatMap((text) => [
        diffMarkdown(hostileRecord(text), saying(text)),
        sessionMarkdown(hostileSession(text)),
      ]);
      await open('chat');
      const rows = markdown.map((text, index) => {
        return { type: 'assistant', id: `a${index}`, markdown: text, reasoning: '', state: 'done' } as const;
      });
      await page.evaluate((data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }, snapshot({ rows }));
      await page.locator('.markdown').first().waitFor({ state: 'attached' });
      await judge(count, 'Markdown', texts.join(' | '));
    }
  });
});

/** Names of requests and of their fields, true and false, and unexpected names. */
const tables = { ...inspectorRequests, ...chatRequests };
const strange = ['__proto__', 'constructor', 'toString', 'said'];
const word = fc.constantFrom(...Object.keys(tables), ...strange);
const fieldNames = new Set(Object.values(tables).flatMap((fields) => Object.keys(fields)));
const field = fc.constantFrom(...fieldNames, 'from', 'to', 'fact', 'section', 'name', ...strange);
const fieldValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    'once',
    'always',
    'reject',
    'm1',
    'm2:0',
    'c1',
    '@',
    '../../etc/passwd',
    'javascript:alert(1)',
  ),
  fc.constantFrom<unknown>(
    'file:///etc/passwd',
    'command:workbench.action.quit',
    '\u0000',
    '\ud800',
    'x'.repeat(1_200_000),
  ),
  fc.anything({ maxDepth: 3, withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
);
const message: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(word, fc.dictionary(field, fieldValue, { maxKeys: 8 }))
      .map(([type, fields]) => ({ ...fields, type })),
  },
  fc.anything({ maxDepth: 4 }),
);

type Request = MessageOf<MessageTable, string>;

/** A webview and the host's end of the channel to it, with a different failing handler for each request. */
function channelOf(table: MessageTable) {
  let receive: (value: unknown) => void = () => {};
  const handled: Request[] = [];
  const handlers = forwarded(table, async (request: Request) => {
    handled.push(request);
    await Promise.resolve();
    if (request.type !== 'ready') throw new Error(request.type);
  });
  const reported: unknown[] = [];
  const webview = {
    onDidReceiveMessage: (listener: (value: unknown) => void) => void (receive = listener),
    postMessage: () => Promise.resolve(true),
  };
  const channel = new WebviewChannel<Request, unknown>(webview as unknown as vscode.Webview, {
    parse: (value) => parseMessage(table, value),
    handle: (request) => dispatch(handlers, request),
    report: (error) => reported.push(error),
    log: { warn: () => {} } as unknown as vscode.LogOutputChannel,
  });
  return { channel, handled, reported, receive: (value: unknown) => receive(value) };
}

describe('the extension withstands messages of webviews', () => {
  for (const [name, table] of [
    ['chat', chatRequests],
    ['inspector', inspectorRequests],
  ] as const) {
    fault(`webviews: messages to the host of the ${name}`, async (count) => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => void unhandled.push(error);
      process.on('unhandledRejection', note);
      try {
        const { channel, handled, reported, receive } = channelOf(table);
        for (const sent of fc.sample(message, soak(3_000, 100_000))) {
          count.tried();
          try {
            receive(sent);
          } catch (error) {
            count.harmed(`thrown: ${String(error)}`);
          }
        }
        await new Promise(setImmediate);
        for (const request of handled) {
          const again: unknown = parseMessage(table, request);
          const isSame = JSON.stringify(again) === JSON.stringify(request);
          if (!isSame) count.harmed(`taken for a request: ${JSON.stringify(request).slice(0, 200)}`);
          const isPlain = Object.getPrototypeOf(request) === Object.prototype;
          if (!isPlain) count.harmed(`with another prototype: ${request.type}`);
        }
        const failures = handled.filter(({ type }) => type !== 'ready').length;
        if (reported.length !== failures)
          count.harmed(`${failures} failed, ${reported.length} were reported`);
        channel.reset();
        receive({ type: 'ready' });
        if (!channel.isReady) count.harmed('the host does not answer any more');
        if (Reflect.get({}, 'polluted') !== undefined) count.harmed('a prototype was changed');
        for (const error of unhandled) count.harmed(`unhandled: ${String(error)}`);
      } finally {
        process.off('unhandledRejection', note);
      }
    });
  }
});
