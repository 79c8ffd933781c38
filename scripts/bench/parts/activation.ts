import { type HostWindow, withHost } from '../host/host-window.ts';
import type { ActivationTimes } from '../host/probe-protocol.ts';
import { type BenchPart, type Measure, middleOf } from '../part.ts';

/** Number of windows to open, one after the other, each with a separate extension host. */
const windows = 10;
/** Maximum milliseconds for loading code and for `activate`. */
const longestActivation = 40;

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
      const measureOf = (
        name: string,
        extension: string,
        time: (times: ActivationTimes) => number,
      ): Measure => ({
        name,
        ...middleOf(all.map((times) => time(times.get(extension)!))),
        unit: 'milliseconds',
      });
      const whole = ({ loading, call }: ActivationTimes) => loading + call;
      return [
        {
          ...measureOf('Activation', ours, whole),
          target: { atMost: longestActivation },
          note: 'other extensions are loaded and activated on the same thread meanwhile.',
        },
        measureOf('… code loaded', ours, ({ loading }) => loading),
        measureOf('… `activate` called', ours, ({ call }) => call),
        measureOf('… what it returned resolved, from then on', ours, ({ resolving }) => resolving),
        ...beside.map((extension) => measureOf(`\`${extension}\``, extension, whole)),
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
