import { type HostWindow, withHost } from '../host/host-window.ts';
import type { ActivationTimes } from '../host/probe-protocol.ts';
import type { BenchPart, Measure } from '../part.ts';

/** Number of windows to open, one after the other, each with a separate extension host. */
const windows = 10;
/** Maximum milliseconds for loading code and for `activate`. */
const longestActivation = 50;

const ours = 'context-budget.context-budget';
/** Extensions of VS Code that are activated in the same windows. */
const beside = ['vscode.git', 'vscode.emmet', 'vscode.merge-conflict'];

/** Time of the extension's activation in a real extension host, as measured by VS Code. */
export const part: BenchPart = {
  title: 'Activation',
  measure: () =>
    withHost({}, async (host) => {
      // The first window reads everything from disk and is not measured.
      await timesIn(await host.openWindow());
      const all: Times[] = [];
      for (let count = 0; count < windows; count++) all.push(await timesIn(await host.openWindow()));
      const medianOf = (extension: string, time: (times: ActivationTimes) => number) =>
        median(all.map((times) => time(times.get(extension)!)));
      const whole = ({ loading, call }: ActivationTimes) => loading + call;
      const theirs = beside.map((extension): Measure => ({
        name: `\`${extension}\`, median`,
        value: medianOf(extension, whole),
        unit: 'milliseconds',
      }));
      return [
        { name: 'windows', value: windows, unit: 'count' },
        {
          name: 'Activation, median',
          value: medianOf(ours, whole),
          unit: 'milliseconds',
          target: { atMost: longestActivation },
          note: 'other extensions are loaded and activated on the same thread meanwhile.',
        },
        { name: '… code loaded', value: medianOf(ours, ({ loading }) => loading), unit: 'milliseconds' },
        { name: '… `activate` called', value: medianOf(ours, ({ call }) => call), unit: 'milliseconds' },
        {
          name: '… what it returned resolved, from then on',
          value: medianOf(ours, ({ resolving }) => resolving),
          unit: 'milliseconds',
        },
        ...theirs,
      ];
    }),
};

/** Id of each compared extension → its times. */
type Times = ReadonlyMap<string, ActivationTimes>;

async function timesIn(window: HostWindow): Promise<Times> {
  const times = new Map<string, ActivationTimes>();
  for (const extension of [ours, ...beside]) times.set(extension, await window.activation(extension));
  await window.end();
  return times;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
