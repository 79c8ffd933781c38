import type { Browser } from 'playwright-core';
import { ChatWindow } from '../../../src/presenters/chat/chat-window.ts';
import type { ChatChange, ChatState } from '../../../src/protocol/chat.ts';
import { launchBrowser } from '../../test/browser.ts';
import { longAnswer, openLongSession, type LongSession } from '../pages/long-session.ts';
import { MeasuredPage } from '../pages/measured-page.ts';
import type { TaskTimes } from '../pages/task-times.ts';
import type { BenchPart, Measure } from '../part.ts';

const messages = 2_000;
/** Speed and length of a long answer, which a model writes for five minutes. */
const tokensPerSecond = 200;
const seconds = 300;
const framesPerSecond = 60;
/** Number of parts in which the answer is measured, so that no trace gets too large. */
const parts = 10;

const mostMilliseconds = 50;

const streamNote = 'a long answer is laid out again with each new paragraph, and garbage is collected.';

/** Measures the chat page in Chromium, with a session of 2,000 messages. Times are the work of its main thread. */
export const part: BenchPart = {
  title: 'The chat page',
  async measure() {
    const state = await chatState(await openLongSession(messages));
    const snapshot = { type: 'snapshot', revision: 1, state };
    const browser = (await launchBrowser()).browser;
    try {
      return [
        {
          name: 'snapshot of 2,000 messages',
          value: Buffer.byteLength(JSON.stringify(snapshot)),
          unit: 'bytes',
          target: { atMost: 500_000 },
        },
        ...(await drawn(browser, snapshot)),
      ];
    } finally {
      await browser.close();
    }
  },
};

async function chatState({ session, feed }: LongSession): Promise<ChatState> {
  return {
    sessionId: 'long',
    title: session.title,
    ...new ChatWindow().open(await feed.allRows(), []),
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

async function drawn(browser: Browser, snapshot: unknown): Promise<readonly Measure[]> {
  const page = await MeasuredPage.open(browser);
  const firstPaint = await page.show(snapshot);
  await page.toEnd();
  const streamed: TaskTimes[] = [];
  for (const told of streamedParts()) streamed.push(await page.stream(told));
  const target = { atMost: mostMilliseconds };
  const nodes = await page.nodes();
  await page.close();
  return [
    { name: 'first paint after the snapshot', value: firstPaint, unit: 'milliseconds' },
    {
      name: '200 tokens a second for 5 minutes, worst frame',
      value: Math.max(...streamed.map(({ worstFrame }) => worstFrame)),
      unit: 'milliseconds',
      target,
    },
    {
      name: '200 tokens a second for 5 minutes, longest task',
      value: Math.max(...streamed.map(({ longestTask }) => longestTask)),
      unit: 'milliseconds',
      target,
      note: streamNote,
    },
    { name: 'nodes after them', value: nodes, unit: 'count', target: { atMost: 20_000 } },
  ];
}

/** The answer as one message for each frame, as the host sends it. */
function streamedParts(): readonly (readonly unknown[])[] {
  const tokens = longAnswer(tokensPerSecond * seconds);
  const frames = framesPerSecond * seconds;
  const begun: ChatChange = {
    type: 'row',
    row: { type: 'assistant', id: 'answer', markdown: '', reasoning: '', state: 'streaming' },
  };
  const told = Array.from({ length: frames }, (_, index) => {
    const [start, end] = [index, index + 1].map((at) => Math.floor((at * tokens.length) / frames));
    const text: ChatChange = { type: 'text', id: 'answer', text: tokens.slice(start, end).join('') };
    return { type: 'changes', revision: index + 2, changes: index === 0 ? [begun, text] : [text] };
  });
  const size = Math.ceil(frames / parts);
  return Array.from({ length: parts }, (_, index) => told.slice(index * size, (index + 1) * size));
}
