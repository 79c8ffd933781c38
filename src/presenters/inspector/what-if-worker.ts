import { parentPort } from 'node:worker_threads';
import type {
  EnginePorts,
  CustomInput,
  CustomModel,
  CustomStrategy,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { channelOfPort } from '../../agent/worker-channel.ts';
import { loadEncoding } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import { transcriptOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { type Trial, tryStrategies, type WhatIfEditor, type WhatIfThread } from './what-if-trial.ts';

/** Tries strategies on a thread of its own, once: planning over a long history would hold up the editor. */

const entries: TranscriptEntry[] = [];
/** Ports of the custom strategy that is planning. */
let planning: EnginePorts | undefined;

if (parentPort === null) throw new Error('This is the program of a thread.');
const channel = channelOfPort<WhatIfEditor, WhatIfThread>(parentPort, {
  entries: (some) => {
    entries.push(...some);
  },
  run,
  count: (texts) => portsOfPlan().meter.count(texts),
  summarise: (ids, focus) => modelOfPlan().summarise(ids, focus),
  prompt: (prompt) => modelOfPlan().prompt(prompt),
});

function portsOfPlan(): EnginePorts {
  if (planning === undefined) throw new Error('No custom strategy is planning.');
  return planning;
}

function modelOfPlan(): CustomModel {
  const { model } = portsOfPlan();
  if (model === undefined) throw new Error('There is no model.');
  return model;
}

async function run(trial: Trial): Promise<void> {
  const count = await loadEncoding(trial.encoding);
  const meter = new UsageMeter(
    { count: (texts) => Promise.resolve(texts.map(count)) },
    { countsReasoning: false, imageRule: trial.imageRule },
  );
  await tryStrategies(
    trial,
    transcriptOf(entries),
    { meter, customStrategy, now: () => Date.now() },
    (running, done) => void channel.call('progress', [running, done]),
    // Stopping it ends the thread.
    new AbortController().signal,
  );
}

/** A third-party strategy stays where the host runs it. */
async function customStrategy(): Promise<CustomStrategy> {
  return { name: (await channel.call('find', [])) ?? '', plan };
}

async function plan(input: CustomInput, ports: EnginePorts): Promise<unknown> {
  const { model, originals } = ports;
  planning = ports;
  try {
    const known = model === undefined ? undefined : { id: model.id, window: model.window };
    return await channel.call('plan', [input, originals, known]);
  } finally {
    planning = undefined;
  }
}
