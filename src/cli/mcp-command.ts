import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createRequire } from 'node:module';
import { surroundingsHere } from '../agent/files/surroundings.ts';
import { startContextServer } from '../bridge/server/context-server.ts';
import { takeLittleMemory } from '../bridge/server/little-memory.ts';
import { marksBeside } from '../bridge/session-marks.ts';
import { agentLimitsIn } from '../bridge/settings/agent-settings.ts';
import { defaultTargetRatio, defaultTriggerRatio } from '../compaction/budget/budget.ts';
import { factsOfModel } from '../compaction/budget/model-table.ts';
import { sessionPlaces } from '../transcripts/found-agents.ts';
import { createMeter } from './measuring.ts';

const shares = { triggerRatio: defaultTriggerRatio, targetRatio: defaultTargetRatio };

/** Serves the sessions of the working folder over standard input and output, until the client disconnects. */
export async function runMcpCommand(signal: AbortSignal): Promise<void> {
  takeLittleMemory();
  const meter = createMeter('o200k_base');
  const transport = new StdioServerTransport();
  // While a client does not read, each answer adds a listener that waits for the pipe.
  process.stdout.setMaxListeners(0);
  const surroundings = surroundingsHere();
  const places = sessionPlaces(surroundings);
  const server = await startContextServer(transport, {
    places,
    reading: {
      meterOf: () => meter,
      budget: () => shares,
      factsOf: (model) => factsOfModel(model),
      limitsOf: agentLimitsIn(surroundings),
      marksOf: marksBeside(surroundings),
    },
    count: (texts) => meter.countTexts(texts),
    folder: process.cwd(),
    version: versionOf(),
  });
  const ended = new Promise<void>((resolve) => (server.onclose = resolve));
  const leave = () => void server.close();
  process.stdin.once('end', leave);
  signal.addEventListener('abort', leave);
  await ended;
}

/** Returns the version from the package's manifest. The package name finds the manifest from any folder. */
function versionOf(): string {
  const manifest: unknown = createRequire(import.meta.url)('context-budget/package.json');
  return String((manifest as { version?: unknown }).version);
}
