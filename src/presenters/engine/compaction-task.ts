import { setImmediate as pause } from 'node:timers/promises';
import { inPortions } from '../../agent/node-slices.ts';
import { OfflineModel } from '../../agent/offline/offline-model.ts';
import { SummarySpending } from '../../compaction/budget/summary-spending.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { compactBilled } from '../../compaction/service/billed-compaction.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import { strategyOf } from '../../compaction/strategies/index.ts';
import type { SummaryModel } from '../../compaction/summary/summary-model.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { quotedHistory } from '../../compaction/transcript/quoted-history.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { manuallyHidden } from '../../compaction/transcript/view.ts';
import type { CompactionRun, HostChannel, ModelTraits } from './engine-calls.ts';

interface Place {
  readonly transcript: Transcript;
  readonly meter: UsageMeter;
  readonly host: HostChannel;
}

/** Plans a compaction in the engine. @returns its records without their outputs, which are sent first */
export async function compactFor(
  task: number,
  { strategy, ids, models, left, readsFiles, ...run }: CompactionRun,
  { transcript, meter, host }: Place,
  signal: CancellationSignal,
): Promise<readonly [CompactionRecord, ...CompactionRecord[]]> {
  // Lets a stop request that was already sent arrive before the work begins.
  await pause();
  const hidden = manuallyHidden(transcript.entries);
  const spending = new SummarySpending([], () => left);
  const account = spending.allowance(false);
  const unused = [...ids];
  const told: Promise<unknown>[] = [];
  // The compaction continues even if the host cannot handle a report.
  const tell = (telling: Promise<unknown>) => void told.push(telling.catch(() => {}));
  const records = await compactBilled(
    {
      ...run,
      view: transcript.view,
      history: quotedHistory(transcript).filter(({ id }) => !hidden.has(id)),
      pins: transcript.pins,
      strategy: strategyOf(strategy),
    },
    {
      meter,
      model: (name = '') => {
        const traits = models[name];
        return traits === undefined
          ? undefined
          : modelOf(name, traits, { task, host, view: transcript.view });
      },
      ...(readsFiles ? { readFile: (path) => host.call('readFile', [task, path]) } : {}),
      clock: { now: () => Date.now() },
      nextRecordId: () => {
        const id = unused.shift();
        if (id === undefined) throw new Error('A compaction has more records than were expected.');
        return id;
      },
      tell: (phase) => tell(host.call('phase', [task, phase])),
    },
    {
      ...account,
      spent: (use) => {
        account.spent(use);
        tell(host.call('spent', [task, use]));
      },
    },
    signal,
  );
  for (const [index, { outputs }] of records.entries()) {
    for (const some of inPortions(outputs, lengthOf)) await host.call('outputs', [task, index, some]);
  }
  await Promise.all(told);
  const [first, ...others] = records.map((record): CompactionRecord => ({ ...record, outputs: [] }));
  return [first!, ...others];
}

function lengthOf({ content }: Message): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}

/** The offline model, or a model that is called through the host. */
function modelOf(
  name: string,
  { id, window, isOffline, continuesRequests, compactsNatively }: ModelTraits,
  { task, host, view }: Pick<Place, 'host'> & { readonly task: number; readonly view: readonly Message[] },
): SummaryModel {
  if (isOffline) return new OfflineModel({ window });
  return {
    id,
    window,
    ...(continuesRequests ? { continuesRequests } : {}),
    summarise: ({ continues, ...request }) => {
      const isWhole = continues?.view === view;
      const sent = continues === undefined || isWhole ? {} : { continues };
      // The model reads only the prompt, so the messages are not copied.
      return host.call('summarise', [task, name, { ...request, ...sent, sources: [] }, isWhole]);
    },
    ...(compactsNatively
      ? { compactNatively: (messages) => host.call('compactNatively', [task, name, messages]) }
      : {}),
  };
}
