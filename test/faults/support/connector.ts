/**
 * A window that connects and disconnects an agent, repeatedly or once, and prints the sentences of refusals.
 * After repeated rounds it connects the agent again; in a single round it prints `connected` in between.
 *
 * Usage: node connector.ts AGENT HOME ROUNDS|once
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { configFiles, type ConnectableAgent } from '../../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  holdsConnection,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { ConfigError } from '../../../src/bridge/connect/json-config.ts';

const [agent, home = '', rounds] = argv.slice(2);
const state = join(home, 'state');
const launcher = { program: '/bin/sh', script: join(state, 'bin', 'context-budget.sh') };
// Both agents have their settings in one file.
const environment = { CLAUDE_CONFIG_DIR: join(home, '.gemini'), GEMINI_CLI_HOME: home };
const files = configFiles(agent as ConnectableAgent, launcher, { home, platform: 'linux', environment });

/** @returns false if it was refused */
async function make(plan: () => ReturnType<typeof planConnection>): Promise<boolean> {
  try {
    await applyConfigChanges(await plan(), state);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(error.message);
    return false;
  }
}

const connect = () => make(() => planConnection(files));
const disconnect = () => make(() => planDisconnection(files, state));

if (rounds === 'once') {
  if (await connect()) {
    console.log(files.every(holdsConnection) ? 'connected' : 'not connected');
    await disconnect();
  }
} else {
  for (let round = 0; round < Number(rounds); round++) {
    await connect();
    await disconnect();
  }
  await connect();
}
