/**
 * Asks opencode, or an agent based on it, to compact its oldest session. Uses the agent's server, because the agent
 * has no command for a compaction outside its terminal.
 *
 * Usage: node scripts/agents/summarise-session.ts PROGRAM
 */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { isRecord } from '../../src/language/is-record.ts';
import { runMain } from '../run-main.ts';
import { recordsIn } from './server/wires/wire.ts';

const port = 4999;
/** Maximum milliseconds for one answer, even on a busy machine. */
const patience = 60_000;

await runMain(async () => {
  const child = spawn(process.argv[2] ?? '', ['serve', '--port', String(port)], { stdio: 'inherit' });
  try {
    const id = await oldestSession();
    const body = JSON.stringify({ providerID: 'stub', modelID: 'stub-model' });
    console.log(await ask(`/session/${id}/summarize`, { method: 'POST', body }));
  } finally {
    child.kill();
  }
});

/** @throws Error if the server does not answer or has no session */
async function oldestSession(): Promise<string> {
  for (let tries = 0; tries < 60; tries++) {
    const sessions = recordsIn(await ask('/session').catch(() => undefined));
    const [oldest] = sessions
      .filter(({ parentID }) => parentID === undefined)
      .sort((one, other) => createdAt(one['time']) - createdAt(other['time']));
    if (typeof oldest?.['id'] === 'string') return oldest['id'];
    await wait(1000);
  }
  throw new Error('The server of the agent names no session.');
}

function createdAt(time: unknown): number {
  return isRecord(time) ? Number(time['created']) : 0;
}

async function ask(path: string, options: RequestInit = {}): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...options,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(patience),
  });
  return response.json();
}
