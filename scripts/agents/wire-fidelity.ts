import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMeter } from '../../src/cli/measuring.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { sum } from '../../src/compaction/tokens/usage.ts';
import { sameToolsThroughout } from '../../src/compaction/transcript/transcript-entry.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import { readSessionText } from '../../src/presenters/import/session-text.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { openedLimits } from '../../src/transcripts/reading/read-limits.ts';
import { stateFolder } from '../../src/transcripts/session/state-folder.ts';
import type { FinishedRun } from './run-agent.ts';
import type { RequestSizes } from './server/request-sizes.ts';

/** Differences between the counts of a run's recordings and the server's, as shares of the server's numbers. */
export interface WireFidelity {
  /** Number of recorded requests with a report. */
  readonly requests: number;
  /** Largest difference of a whole request. */
  readonly worst: number;
  /** Differences in the longest request by part; 0 for a part that the request lacks. */
  readonly parts: RequestSizes;
}

const meter = createMeter('o200k_base');
const signal = new AbortController().signal;

/** Compares the recordings of a run through the proxy with the sizes that the server counted and reported. */
export async function wireFidelity({ home, requests }: FinishedRun): Promise<WireFidelity> {
  const state = stateFolder({ home, platform: 'linux', environment: {} });
  const files = await readdir(join(state, 'wire'), { recursive: true });
  const measures = await Promise.all(
    files.filter((name) => name.endsWith('.jsonl')).map((name) => callsIn(join(state, 'wire', name))),
  );
  const calls = measures.flat();
  const longest = calls.reduce((best, next) => (next.reported > best.reported ? next : best));
  const actual = requests.find(({ reported }) => reported === longest.reported);
  if (actual === undefined)
    throw new Error(`No request has the ${longest.reported} tokens that are recorded.`);
  const { tools, system, messages } = actual.sizes;
  return {
    requests: calls.length,
    worst: Math.max(...calls.map(({ counted, reported }) => Math.abs(difference(counted, reported)))),
    parts: {
      tools: difference(longest.tools, tools),
      system: difference(await longest.system(), system),
      messages: difference(longest.counted - longest.tools - (await longest.system()), messages),
    },
  };
}

async function callsIn(path: string) {
  const imported = importTranscript(await readSessionText(path, signal, openedLimits));
  const { transcript, tools, toolHistory = sameToolsThroughout(tools) } = imported;
  const { calls } = await createTimeline(meter, toolHistory)(transcript.entries);
  const { view } = transcript;
  return calls.flatMap(({ messageId, tokens, byKind, reported }) => {
    if (reported === undefined) return [];
    const sent = view.slice(
      0,
      view.findIndex(({ id }) => id === messageId),
    );
    const instructions = sent.filter(isInstruction);
    const system = async () => sum(await meter.measureEach(instructions)).total;
    return [{ counted: tokens, tools: byKind.tools, system, reported: reported.inputTokens }];
  });
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function difference(counted: number, actual: number): number {
  return actual === 0 ? 0 : counted / actual - 1;
}
