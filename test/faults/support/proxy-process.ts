import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

export interface Proxy {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Resolves once something is recorded. */
  readonly recorded: Promise<unknown>;
}

/** Starts a proxy, which ends with this process. @param state folder of its recordings */
export async function startProxy(
  upstream: string,
  state: string,
  options: readonly string[] = [],
): Promise<Proxy> {
  const args = [program, 'proxy', '--upstream', upstream, '--with-parent', ...options];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CONTEXT_BUDGET_STATE: state },
  });
  const lines = createInterface({ input: child.stdout });
  const [baseUrl] = (await once(lines, 'line')) as [string];
  return { child, baseUrl, recorded: Promise.race([once(lines, 'line'), once(lines, 'close')]) };
}

interface Received {
  readonly bytes: Buffer;
  /** Code of the failure; undefined if the response was whole. */
  readonly failure?: string;
}

/** Sends a request of opencode and reads the response. */
export async function ask(url: string, body: object): Promise<Received> {
  const pieces: Buffer[] = [];
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'opencode/1.0' };
    const outgoing = request(url, { method: 'POST', headers, agent: false }).end(JSON.stringify(body));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    for await (const piece of response) pieces.push(piece as Buffer);
    return { bytes: Buffer.concat(pieces) };
  } catch (error) {
    return { bytes: Buffer.concat(pieces), failure: String(Reflect.get(error as Error, 'code')) };
  }
}

/** Paths of the recordings in a folder. */
export async function recordingsIn(state: string): Promise<readonly string[]> {
  return (await readdir(state, { recursive: true })).filter((path) => path.endsWith('.jsonl'));
}
