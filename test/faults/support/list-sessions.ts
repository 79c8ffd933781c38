/**
 * Lists the sessions about a folder like the server, and prints their number and the peak memory of the
 * process.
 *
 * Usage: node list-sessions.ts HOME FOLDER
 */
import { writeSync } from 'node:fs';
import { FolderSessions } from '../../../src/bridge/server/folder-sessions.ts';
import { takeLittleMemory } from '../../../src/bridge/server/little-memory.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { encodingCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { mostMemory } from '../../../scripts/most-memory.ts';

takeLittleMemory();
const [home = '', folder = ''] = process.argv.slice(2);
const meter = new UsageMeter(encodingCounter('o200k_base'), { countsReasoning: true });
const sessions = new FolderSessions(
  sessionPlaces({ home, platform: 'linux', environment: {} }),
  {
    meterOf: () => meter,
    budget: () => ({ triggerRatio: 0.85, targetRatio: 0.5 }),
    factsOf: (model) => factsOfModel(model),
  },
  () => Promise.resolve([folder]),
);
const listed = await sessions.list(undefined, new AbortController().signal);
writeSync(
  1,
  `${JSON.stringify({ outcome: JSON.stringify({ sessions: listed.length }), megabytes: mostMemory() / 1_048_576 })}\n`,
);
process.exit(0);
