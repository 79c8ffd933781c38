import { appendFileSync, readFileSync } from 'node:fs';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { textCounter } from '../../src/library/token-counting.ts';
import { LiveSession } from '../../src/presenters/live/live-session.ts';
import { readerOf } from '../../src/presenters/live/session-reader.ts';
import { openedLimits } from '../../src/transcripts/reading/read-limits.ts';

/** Costs of a session that is open while it grows. Times are processor time in milliseconds. */
export interface FollowedCosts {
  readonly opening: number;
  readonly appending: readonly number[];
  /** Most bytes of memory, and those in use at the end, beyond those before the session was opened. */
  readonly memory: number;
  readonly inUse: number;
}

/** The process that opens a session and appends the lines of another file to it, one after the other. */
const [session = '', added = ''] = process.argv.slice(2);
const lines = readFileSync(added, 'utf8').split(/(?<=\n)/u);
const meter = new UsageMeter(textCounter(), { countsReasoning: true });
globalThis.gc?.();
const bare = process.memoryUsage.rss();
const bareInUse = bytesInUse();
let most = bare;

let live: LiveSession | undefined;
const opening = await processorTime(async () => {
  live = await LiveSession.open(
    {
      reader: readerOf({ path: session, limits: openedLimits }),
      name: 'A session',
      meterOf: () => meter,
      budget: () => ({ triggerRatio: 0.85, targetRatio: 0.5 }),
      factsOf: factsOfModel,
      pause: () => Promise.resolve(),
      failed: (error) => {
        throw error;
      },
    },
    new AbortController().signal,
  );
});
const appending: number[] = [];
for (const line of lines) {
  appendFileSync(session, line);
  appending.push(await processorTime(() => live?.look()));
}
globalThis.gc?.();
const inUse = bytesInUse() - bareInUse;
live?.dispose();
process.send?.({ opening, appending, memory: most - bare, inUse } satisfies FollowedCosts);
process.disconnect();

async function processorTime(work: () => Promise<unknown> | undefined): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  most = Math.max(most, process.memoryUsage.rss());
  return (user + system) / 1_000;
}

function bytesInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
