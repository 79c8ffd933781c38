/**
 * Measures the built pages with a session of 2,000 messages of 500 tokens in Chromium: how soon they paint, what frames
 * and tasks take while a page is scrolled or an answer is streamed, what is sent to them, and what they hold.
 *
 * Times of frames and tasks are those in which the page's main thread worked, so that other programs change them
 * little, and are listed next to the time of an empty frame. First paint is real time.
 *
 * Usage: node scripts/bench-pages.ts [--messages N] [--tokens N]
 */
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import type { ChatChange, ChatState } from '../src/protocol/chat.ts';
import { InspectorModel } from '../src/presenters/inspector/inspector-model.ts';
import { markdown } from './bench/tables.ts';
import { openLongSession, type LongSession } from './bench-pages/long-session.ts';
import { MeasuredPage, type PageName } from './bench-pages/measured-page.ts';
import type { TaskTimes } from './bench-pages/task-times.ts';
import { chromiumOptions, missingChromium } from './chromium.ts';
import { runMain } from './run-main.ts';

/** Pixels that a turn of a wheel and a press of a page key move. */
const steps = { wheel: 120, page: 800 } as const;
const scrolledFrames = 150;

type Row = readonly (string | number)[];

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '2000' },
      tokens: { type: 'string', default: '500' },
    },
  });
  const missing = missingChromium();
  if (missing !== undefined) throw new Error(missing);
  const long = await openLongSession(Number(values.messages), Number(values.tokens));
  const snapshot = { type: 'snapshot', revision: 1, state: await chatState(long) };
  const inspector = await inspectorMessages(long);
  long.takeTold();
  await long.session.send('What is next?');
  await long.feed.allRows();
  const told = long.takeTold();
  const browser = await chromium.launch(chromiumOptions);
  try {
    const rows = [
      ...(await measure(browser, 'chat', [snapshot], '.scroller', changeMessages(told))),
      ...(await measure(browser, 'inspector', inspector.messages, 'html', [])),
    ];
    console.log(markdown(['page', 'measure', 'value', '× empty frame'], rows));
    console.log(`\n${markdown(['message', 'count', 'largest, bytes'], sizes(snapshot, inspector, told))}`);
    console.log(
      `\nDiff of ${inspector.rows} rows on the host: ${inspector.milliseconds.toFixed(0)} ms of work`,
    );
  } finally {
    await browser.close();
  }
});

async function chatState({ session, feed }: LongSession): Promise<ChatState> {
  return {
    sessionId: 'long',
    title: session.title,
    rows: await feed.allRows(),
    activity: session.activity,
    meter: await feed.meter(),
    proposal: null,
    model: { label: 'Streaming', isOffline: false },
    strategy: 'tool-result-hiding',
    draft: '',
    queue: [],
    plan: [],
    isTrusted: true,
  };
}

interface InspectorMessages {
  readonly messages: readonly unknown[];
  readonly rows: number;
  /** Work that it took to make the diff, tokens counted before. */
  readonly milliseconds: number;
}

async function inspectorMessages({ session, meter }: LongSession): Promise<InspectorMessages> {
  const record = await session.compactNow();
  const model = new InspectorModel(session, () => meter);
  const state = await model.state({
    sessionId: 'long',
    chatId: 'long',
    otherSessions: [],
    model: 'Streaming',
    strategy: 'tool-result-hiding',
  });
  // What is loaded when it is first needed is not what is measured.
  await import('../src/presenters/inspector/record-diff.ts');
  const start = process.cpuUsage();
  const rows = await model.diff(record.id);
  const { user, system } = process.cpuUsage(start);
  return {
    messages: [
      { type: 'snapshot', revision: 1, state },
      { type: 'diff', recordId: record.id, rows },
    ],
    rows: rows?.length ?? 0,
    milliseconds: (user + system) / 1000,
  };
}

async function measure(
  browser: Browser,
  name: PageName,
  opening: readonly unknown[],
  scroller: string,
  streamed: readonly unknown[],
): Promise<readonly Row[]> {
  const page = await MeasuredPage.open(browser, name);
  const { medianFrame: empty } = await page.drawNothing();
  const row = (what: string, milliseconds: number): Row => [
    name,
    what,
    `${milliseconds.toFixed(1)} ms`,
    (milliseconds / empty).toFixed(0),
  ];
  const rowsOf = (what: string, { medianFrame, worstFrame, longestTask }: TaskTimes): readonly Row[] => [
    row(`${what}: median frame`, medianFrame),
    row(`${what}: worst frame`, worstFrame),
    row(`${what}: longest task`, longestTask),
  ];
  const heapRow = async (when: string): Promise<Row> => [
    name,
    `heap ${when}`,
    `${(await page.heap()) >> 10} kB`,
    '',
  ];
  const before = await heapRow('before data');
  const { firstPaint, times } = await page.show(opening);
  const rows = [
    row('an empty frame', empty),
    row('first paint after data', firstPaint),
    row('opening: longest task', times.longestTask),
    ...rowsOf('wheel', await page.scroll(scroller, steps.wheel, scrolledFrames)),
    ...rowsOf('page keys', await page.scroll(scroller, steps.page, scrolledFrames)),
    before,
    await heapRow('with data'),
  ];
  if (streamed.length > 0) {
    rows.push(...rowsOf('streaming', await page.stream(streamed)), await heapRow('after streaming'));
  }
  await page.close();
  return rows;
}

function changeMessages(told: readonly (readonly ChatChange[])[]): readonly unknown[] {
  return told.map((changes, index) => ({ type: 'changes', revision: index + 2, changes }));
}

function sizes(
  snapshot: unknown,
  { messages }: InspectorMessages,
  told: readonly (readonly ChatChange[])[],
): readonly Row[] {
  const groups: readonly (readonly [string, readonly unknown[]])[] = [
    ['chat: snapshot', [snapshot]],
    ['inspector: snapshot and diff', messages],
    ['chat: streamed text', changeMessages(told.filter((changes) => changes.some(isText)))],
    ['chat: streamed reasoning', changeMessages(told.filter((changes) => changes.some(isReasoning)))],
    ['chat: anything else told', changeMessages(told.filter((changes) => !changes.some(isStreamed)))],
  ];
  return groups.map(([what, group]) => [
    what,
    group.length,
    Math.max(0, ...group.map((each) => Buffer.byteLength(JSON.stringify(each)))),
  ]);
}

function isText(change: ChatChange): boolean {
  return change.type === 'text';
}

function isReasoning(change: ChatChange): boolean {
  return change.type === 'reasoning';
}

function isStreamed(change: ChatChange): boolean {
  return isText(change) || isReasoning(change);
}
