import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostWindow, withHost } from '../host/host-window.ts';
import type { Delays } from '../host/probe-protocol.ts';
import { longSession } from '../long-session.ts';
import type { BenchPart, Measure } from '../part.ts';

/** Number of messages in the session. Together they have 5 MB of text. */
const messageCount = 1_000;
/** Maximum delay of the event loop in milliseconds. */
const longestDelay = 16;
const settings = { 'contextBudget.strategy': 'ladder' };

/** Measures delays of the event loop in a real extension host, where all extensions of a window share one thread. */
export const part: BenchPart = {
  title: 'Delays of the extension host, with 5 MB of history',
  measure: () =>
    withHost(settings, async (host) => {
      const file = async (name: string, messages: number) => {
        const path = join(host.dataFolder, name);
        await writeFile(path, historyOf(messages));
        return path;
      };
      const [short, long] = [await file('short.json', 20), await file('long.json', messageCount)];
      const window = await host.openWindow();
      await window.command('contextBudget.focusChat');
      // A short session loads and compiles the code before the measurement.
      await workThrough(window, short, (_, work) => work());
      const measures: Measure[] = [];
      await workThrough(window, long, async (name, work) => {
        const delays = await window.measured(work);
        const note = reasonOf(delays);
        const maximum = {
          value: delays.max,
          unit: 'milliseconds',
          target: { atMost: longestDelay },
        } as const;
        measures.push({ name: `${name}, maximum`, ...maximum, note });
      });
      await window.end();
      return measures;
    }),
};

/** A session as chat messages in OpenAI's form. */
function historyOf(messages: number): string {
  return JSON.stringify({
    messages: longSession(messages).map(({ role, content, tool_calls, tool_call_id }) => ({
      ...{ role, content, tool_calls, tool_call_id },
    })),
  });
}

/** Explains the longest delay by the time that the thread worked and the time that it waited. */
function reasonOf({ max, work, garbage }: Delays): string {
  const [worked, collected] = [work, garbage].map((time) => `${time.toFixed(0)} ms`);
  const rest = max > work ? '; for the rest it was kept waiting' : '';
  return `the thread worked ${worked} at most without a pause, and a collection of garbage took ${collected} at most${rest}.`;
}

type Phase = (name: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Runs the operations that take longest in long sessions. */
async function workThrough(window: HostWindow, file: string, phase: Phase): Promise<void> {
  let chat = '';
  await phase('Import and count', async () => {
    chat = await window.fileCommand('contextBudget.importSession', file);
  });
  await window.command('contextBudget.newChat');
  await phase('Restore', () => window.command('contextBudget.openChat', chat));
  await window.command('contextBudget.openInspector');
  const inspector = await window.inspector();
  await phase('Compare strategies', async () => {
    await inspector.getByRole('tab', { name: 'What if' }).click();
    await inspector.getByRole('button', { name: /^Compare (strategies|again)$/ }).click();
    await inspector.getByRole('button', { name: 'Compare again' }).waitFor();
  });
  await phase('Compact, applied', () => window.command('contextBudget.compactNow'));
}
