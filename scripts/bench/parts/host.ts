import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostWindow, withHost } from '../host/host-window.ts';
import { longHistory } from '../host/long-history.ts';
import type { Delays } from '../host/probe-protocol.ts';
import type { BenchPart, Measure } from '../part.ts';

/** Bytes of the history that is worked on. */
const historyBytes = 5_000_000;
/** Longest delay of the event loop in milliseconds. */
const longestDelay = 16;
const settings = { 'contextBudget.strategy': 'ladder' };

/** Delays of the event loop in the real extension host, in which all extensions of a window share a thread. */
export const part: BenchPart = {
  title: `Delays of the extension host, with ${historyBytes / 1e6} MB of history`,
  measure: () =>
    withHost(settings, async (host) => {
      const { dataFolder } = host;
      const histories = { short: join(dataFolder, 'short.json'), long: join(dataFolder, 'long.json') };
      await writeFile(histories.short, longHistory(historyBytes / 100));
      await writeFile(histories.long, longHistory(historyBytes));
      return measurePhases(await host.openWindow(), histories);
    }),
};

/** Files of sessions to work with. */
interface Histories {
  readonly short: string;
  readonly long: string;
}

type Phase = (name: string, work: () => Promise<unknown>) => Promise<void>;

async function measurePhases(window: HostWindow, { short, long }: Histories): Promise<readonly Measure[]> {
  await window.command('contextBudget.focusChat');
  const baseline = await window.measured('baseline', () => window.rest());
  const first = await window.measured('first use', () =>
    workThrough(window, short, async (_name, work) => {
      await work();
    }),
  );
  const measures: Measure[] = [
    { name: 'Nothing runs, maximum', value: baseline.max, unit: 'milliseconds', note: notes.baseline },
    { name: 'First use of everything, maximum', value: first.max, unit: 'milliseconds', note: notes.first },
  ];
  await workThrough(window, long, async (name, work) => {
    const delays = await window.measured(name, work);
    const { max, p99 } = delays;
    measures.push(
      {
        name: `${name}, maximum`,
        value: max,
        unit: 'milliseconds',
        target: { atMost: longestDelay },
        note: reasonOf(delays),
      },
      { name: `${name}, p99`, value: p99, unit: 'milliseconds' },
      { name: `${name}, longest work without a pause`, value: delays.work, unit: 'milliseconds' },
    );
  });
  await window.end();
  return measures;
}

/** The longest delay is not explained by one thing alone: what the thread did, and what it had to wait for. */
function reasonOf({ max, work, garbage }: Delays): string {
  const [worked, collected] = [work, garbage].map((time) => `${time.toFixed(0)} ms`);
  const rest = max > work ? '; for the rest it was kept waiting' : '';
  return `the thread worked ${worked} at most without a pause, and a collection of garbage took ${collected} at most${rest}.`;
}

const notes = {
  baseline: 'what the host and other extensions do on their own while the window still starts.',
  first: 'a short session: code is loaded and compiled, which happens once.',
};

/** Does everything to a session that takes the longer the more was said in it. */
async function workThrough(window: HostWindow, file: string, phase: Phase): Promise<void> {
  let chat = '';
  await phase('Import and count', async () => {
    chat = await window.fileCommand('contextBudget.importSession', file);
  });
  await window.command('contextBudget.newChat');
  await phase('Restore', () => window.command('contextBudget.openChat', chat));
  await phase('Open the inspector', () => window.command('contextBudget.openInspector'));
  const inspector = await window.inspector();
  const tab = (name: string) => inspector.getByRole('tab', { name }).click();
  await phase('Budget', () => tab('Budget'));
  await phase('Timeline', () => tab('Timeline'));
  await phase('Facts', () => tab('Ledger'));
  await phase('Search', async () => {
    const box = inspector.getByRole('searchbox', { name: 'Search all messages of this session' });
    await box.fill('restoreSession lock released');
    await box.press('Enter');
    await inspector.locator('mark').first().waitFor();
  });
  await phase('Compare strategies', async () => {
    await tab('What if');
    await inspector.getByRole('button', { name: /^(Compare strategies|Run again)$/ }).click();
    await inspector.getByRole('button', { name: 'Run again' }).waitFor();
  });
  await phase('Compact, applied', () => window.command('contextBudget.compactNow'));
  await phase('Diff', async () => {
    await tab('Compactions');
    await inspector.locator('.diff').first().waitFor();
  });
  await phase('Undo', () => window.command('contextBudget.undoCompaction'));
}
