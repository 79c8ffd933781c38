/**
 * Reads a session like the server, lists its database, and prints the outcome: text in one line, and the peak
 * memory of the process.
 *
 * Usage: node read-session.ts PATH
 */
import { writeSync } from 'node:fs';
import { takeLittleMemory } from '../../../src/bridge/server/little-memory.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { encodingCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import {
  databaseSessions,
  inDatabase,
  lastMessages,
} from '../../../src/presenters/import/opencode-database.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { mostMemory } from '../../../scripts/most-memory.ts';

takeLittleMemory();
const [path = ''] = process.argv.slice(2);
const meter = new UsageMeter(encodingCounter('o200k_base'), { countsReasoning: true });

async function read(): Promise<string> {
  const place = inDatabase(path);
  if (place !== undefined) {
    await databaseSessions(place.database, 10_000);
    await lastMessages(place.database, [place.sessionId], 20);
  }
  const live = await LiveSession.open(
    {
      meterOf: () => meter,
      budget: () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
      factsOf: (model) => factsOfModel(model),
      failed: () => {},
      reader: readerOf({ path }),
      name: 'session',
    },
    new AbortController().signal,
  );
  const { transcript, problems, foreign } = live;
  const { tokens } = await foreign.fullness();
  return JSON.stringify({
    tokens,
    problems,
    said: JSON.stringify(transcript.entries.slice(0, 20)).slice(0, 2_000),
  });
}

const outcome = await read().catch((error: unknown) => String(error));
writeSync(1, `${JSON.stringify({ outcome, megabytes: mostMemory() / 1_048_576 })}\n`);
process.exit(0);
