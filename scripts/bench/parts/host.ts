import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostWindow, withHost } from '../host/host-window.ts';
import type { Delays } from '../host/probe-protocol.ts';
import { longSession } from '../long-session.ts';
import { type BenchPart, type Measure, middleOf } from '../part.ts';

/** Number of messages in the session. Together they have 5 MB of text. */
const messageCount = 1_000;
/** Maximum delay of the event loop in milliseconds. */
const longestDelay = 16;
const settings = { 'contextBudget.strategy': 'ladder' };

/** Number of windows in which every operation is measured. */
const windows = 5;

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
      const phases = new Map<string, Delays[]>();
      for (let opened = 0; opened < windows; opened++) {
        const window = await host.openWindow();
        await window.command('contextBudget.focusChat');
        // A short session loads and compiles the code before the measurement.
        await workThrough(window, short, (_, work) => work());
        await workThrough(window, long, async (name, work) => {
          phases.set(name, [...(phases.get(name) ?? []), await window.measured(work)]);
        });
        await window.end();
      }
      return [...phases].flatMap(([name, delays]): readonly Measure[] => [
        {
          name: `${name}, longest delay`,
          ...middleOf(delays.map(({ max }) => max)),
          unit: 'milliseconds',
          target: { atMost: longestDelay },
          note: reasonOf(delays),
        },
        {
          name: `${name}, longest work`,
          ...middleOf(delays.map(({ work }) => work)),
          unit: 'milliseconds',
        },
      ]);
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

/** Explains delays by the time that the thread worked in the longest one, and the time that it collected garbage. */
function reasonOf(delays: readonly Delays[]): string {
  const longest = (name: 'processor' | 'garbage') =>
    `${middleOf(delays.map((one) => one[name])).value.toFixed(0)} ms`;
  return `medians: the thread worked ${longest('processor')} in this delay, and a collection of garbage took ${longest('garbage')}.`;
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
    await inspector.getByText(/Compared \d+ strategies/).waitFor();
  });
  await phase('Compact, applied', () => window.command('contextBudget.compactNow'));
  // With this tab open, the inspector would compare the next session before that is measured.
  await inspector.getByRole('tab', { name: 'Window' }).click();
}
