import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';

/** Places that several processes of a test write to in one folder. */
export function busyPlaces(folder: string) {
  const launcher = { program: 'node', script: '/state/bin/context-budget.mjs' };
  const surroundings = { home: join(folder, 'home'), platform: 'linux', environment: {} };
  return {
    sessions: join(folder, 'sessions'),
    approvals: join(folder, 'approvals.json'),
    state: join(folder, 'state.json'),
    notes: join(folder, 'notes'),
    agentFiles: configFiles('claude-code', launcher, surroundings),
  };
}

/** The configuration of an agent before it is connected. */
export const configuration = `{
  // mine
  "theme": "dark",
  "mcpServers": { "weather": { "command": "weather" } },
  "hooks": { "PreCompact": [{ "hooks": [{ "type": "command", "command": "mine" }] }] },
  "more": "${'z'.repeat(20_000)}"
}
`;

/** Gives an agent a configuration. */
export async function writeConfigurations(folder: string): Promise<void> {
  for (const { path } of busyPlaces(folder).agentFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, configuration);
  }
}
