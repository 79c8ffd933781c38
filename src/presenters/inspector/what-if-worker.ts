import { parentPort } from 'node:worker_threads';
import type {
  EnginePorts,
  CustomInput,
  CustomPrompt,
  CustomStrategy,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { loadEncoding } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import { transcriptOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { type ChannelMessage, type Trial, tryStrategies, WhatIfChannel } from './what-if-trial.ts';

/** Tries strategies on a thread of its own, once: planning over a long history would hold up the editor. */

const entries: TranscriptEntry[] = [];
/** Ports of the custom strategy that is planning. */
let planning: EnginePorts | undefined;

const channel = new WhatIfChannel((message) => parentPort?.postMessage(message), {
  entries: (some: readonly TranscriptEntry[]) => {
    entries.push(...some);
  },
  run,
  count: (texts: readonly string[]) => planning?.meter.count(texts),
  summarise: (ids: readonly string[], focus?: string) => planning?.model?.summarise(ids, focus),
  prompt: (prompt: CustomPrompt) => planning?.model?.prompt(prompt),
});
parentPort?.on('message', (message: ChannelMessage) => void channel.receive(message));

async function run(trial: Trial): Promise<void> {
  const count = await loadEncoding(trial.encoding);
  const meter = new UsageMeter(
    { count: (texts) => Promise.resolve(texts.map(count)) },
    { countsReasoning: false },
  );
  await tryStrategies(
    trial,
    transcriptOf(entries),
    { meter, customStrategy, now: () => Date.now() },
    (running, done) => void channel.call('progress', running, done),
    // Stopping it ends the thread.
    new AbortController().signal,
  );
}

/** A third-party strategy stays where the host runs it. */
async function customStrategy(): Promise<CustomStrategy> {
  return { name: (await channel.call('find')) as string, plan };
}

async function plan(input: CustomInput, ports: EnginePorts): Promise<unknown> {
  const { model, originals } = ports;
  planning = ports;
  try {
    const known = model === undefined ? undefined : { id: model.id, window: model.window };
    return await channel.call('plan', input, originals, known);
  } finally {
    planning = undefined;
  }
}
