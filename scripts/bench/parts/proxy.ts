import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { wires } from '../../agents/server/model-server.ts';
import { plainRequests, type Said } from '../../agents/server/plain-requests.ts';
import { nodeBundles } from '../../build/build-options.ts';
import { projectFolder } from '../../project.ts';
import type { BenchPart, Measure } from '../part.ts';
import { medianOf } from '../tables.ts';

type WireName = keyof typeof plainRequests;
const wireNames = Object.keys(plainRequests) as WireName[];

/** Number of measured streams of each protocol, direct and through the proxy in turn. */
const streams = 20;
/** Number of chunks of a stream. Its last chunks are the end of a reply of the protocol. */
const chunks = 100;
/** Milliseconds before a reply begins: less than any model needs. The proxy records the request in the meantime. */
const pauseTime = 50;
/** Characters of a history: a long session, most of whose requests repeat it. */
const historyLength = 400_000;
/** Number of requests of the measurement of memory, and of those after which it is measured for the first time. */
const [manyRequests, warmRequests] = [10_000, 2_000];
/** Milliseconds between two readings of the memory. */
const readingTime = 1_000;
/** Text of each reply, which the next request returns. */
const replyText = 'The door opens.';
/** Number of requests of a conversation. */
const conversationLength = 50;

/** Measures the proxy as a process that records, compared with a direct connection. */
export const part: BenchPart = {
  title: 'The proxy, which records',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
    const provider = await startProvider();
    const program = await buildProgram();
    const proxy = await startProxy(program, provider.origin, folder);
    try {
      return [...(await delays(provider.origin, proxy.baseUrl)), ...(await memory(proxy))];
    } finally {
      proxy.child.kill();
      provider.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns path of the command-line program in its packaged form */
async function buildProgram(): Promise<string> {
  const outdir = join(projectFolder, 'out', 'bench', 'proxy');
  await build({ ...nodeBundles({ isProduction: true }), outdir });
  return join(outdir, 'cli.js');
}

interface Proxy {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

/** Starts the command. The process tells its memory after a collection of garbage. */
async function startProxy(program: string, upstream: string, state: string): Promise<Proxy> {
  const telling = `process.on('message', () => setTimeout(() => {
    gc(); gc(); process.send(process.memoryUsage());
  }, ${readingTime}));`;
  const child = fork(program, ['proxy', '--upstream', upstream], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(telling)}`],
    env: { ...process.env, CONTEXT_BUDGET_STATE: state },
  });
  const [baseUrl] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, baseUrl };
}

/** The chunk of a stream that is on its way, and the time at which it was sent. */
const chunkOnItsWay = { sentAt: 0, send: () => {} };

/** Starts a provider that sends a chunk of its reply when the client has the one before it. */
async function startProvider(): Promise<{ readonly origin: string; close(): void }> {
  let number = 0;
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? '';
    const wire = wires.find((one) => one.accepts(path));
    const answered = { number: ++number, path, body: { stream: true }, usage: { input: 90_000, output: 4 } };
    const answer = wire?.answer({ text: replyText }, answered);
    const last = answer !== undefined && 'events' in answer ? answer.events.join('') : '';
    const { 'x-chunks': isChunked, 'x-pause': hasPause } = incoming.headers;
    let left = isChunked === undefined ? 0 : chunks;
    incoming.resume().once('end', () => {
      chunkOnItsWay.send = () => {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
        chunkOnItsWay.sentAt = performance.now();
        // A comment, which clients skip, is as long as a token's event.
        if (left-- > 0) response.write(`: ${'.'.repeat(200)}\n\n`);
        else response.end(last);
      };
      if (hasPause === undefined) chunkOnItsWay.send();
      else setTimeout(chunkOnItsWay.send, pauseTime);
    });
  });
  // Connections stay open, however long the other contender takes.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Times {
  /** Milliseconds from the request to the first byte of the reply. */
  readonly firstByte: number;
  /** Milliseconds from the sending of each later chunk to its arrival. */
  readonly chunks: readonly number[];
}

/** Kinds of replies: after a pause in many chunks, at once in many chunks, and at once in one chunk. */
type Reply = 'paused' | 'chunked' | 'short';

const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads the reply chunk by chunk. */
async function ask(url: string, body: Buffer, kind: Reply): Promise<Times> {
  const began = performance.now();
  const outgoing = request(url, {
    ...{ method: 'POST', agent },
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'opencode/1.0',
      ...(kind !== 'short' && { 'x-chunks': 'yes' }),
      ...(kind === 'paused' && { 'x-pause': 'yes' }),
    },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const times: number[] = [];
  let firstByte = 0;
  response.on('data', () => {
    const now = performance.now();
    if (firstByte === 0) firstByte = now - began;
    else times.push(now - chunkOnItsWay.sentAt);
    if (times.length < chunks && kind !== 'short') chunkOnItsWay.send();
  });
  await once(response, 'end');
  return { firstByte, chunks: times };
}

/** Measures the added delays for each protocol, with direct and passed streams in turn. Returns the worst protocol's. */
async function delays(direct: string, passed: string): Promise<readonly Measure[]> {
  const [paused, atOnce] = [new Map<string, Added>(), new Map<string, Added>()];
  for (const name of wireNames) {
    const { path, body } = plainRequests[name];
    const said: Said[] = Array.from({ length: 100 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      text: `${name} ${at} ${'The lock is mended. '.repeat(historyLength / 100 / 20)}`,
    }));
    for (const [kind, added] of [['paused', paused] as const, ['chunked', atOnce] as const]) {
      const times = { direct: [] as Times[], passed: [] as Times[] };
      for (let stream = -3; stream < streams; stream++) {
        said.push({ role: 'user', text: `${name}: ${kind} question ${stream}` });
        const bytes = Buffer.from(JSON.stringify(body(said)));
        const one = await ask(`${direct}${path}`, bytes, kind);
        const other = await ask(`${passed}${path}`, bytes, kind);
        said.push({ role: 'assistant', text: `${name}: ${kind} answer ${stream}` });
        if (stream < 0) continue;
        times.direct.push(one);
        times.passed.push(other);
      }
      added.set(name, addedBy(times));
    }
  }
  return [
    worstOf('Added to the first byte', paused, 'firstByte', 5),
    worstOf('Added to each chunk, median', paused, 'median', 1),
    worstOf('Added to 99 of 100 chunks', paused, 'nearlyAll', 1),
    worstOf('Added to the first byte, without a pause', atOnce, 'firstByte'),
  ];
}

/** Milliseconds that the proxy adds. */
interface Added {
  readonly firstByte: number;
  readonly median: number;
  readonly nearlyAll: number;
}

function addedBy(times: { readonly direct: readonly Times[]; readonly passed: readonly Times[] }): Added {
  const difference = (value: (all: readonly Times[]) => number) => value(times.passed) - value(times.direct);
  return {
    firstByte: difference((all) => medianOf(all.map(({ firstByte }) => firstByte))),
    median: difference((all) => medianOf(all.flatMap(({ chunks: each }) => each))),
    nearlyAll: difference((all) => nearlyAll(all.flatMap(({ chunks: each }) => each))),
  };
}

function worstOf(
  name: string,
  all: ReadonlyMap<string, Added>,
  delay: keyof Added,
  atMost?: number,
): Measure {
  const each = [...all].map(([protocol, added]) => `${protocol} ${added[delay].toFixed(2)} ms`);
  return {
    name,
    value: Math.max(...[...all.values()].map((added) => added[delay])),
    unit: 'milliseconds',
    ...(atMost !== undefined && { target: { atMost } }),
    note: `${each.join(', ')}.`,
  };
}

function nearlyAll(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? NaN;
}

/** Measures how the memory of the proxy grows while clients go from conversation to conversation. */
async function memory({ child, baseUrl }: Proxy): Promise<readonly Measure[]> {
  const told = async () => {
    child.send('memory');
    const [usage] = (await once(child, 'message')) as [NodeJS.MemoryUsage];
    return usage;
  };
  const bytes = (used: NodeJS.MemoryUsage) => used.heapUsed + used.arrayBuffers;
  // This client never pauses, so that recordings are behind. They catch up before the memory is compared.
  const usage = async () => {
    for (let last = await told(); ;) {
      const next = await told();
      if (bytes(next) > 0.99 * bytes(last)) return next;
      last = next;
    }
  };
  let before = await usage();
  let said: readonly Said[] = [];
  for (let sent = 0; sent < manyRequests; sent++) {
    if (sent === warmRequests) before = await usage();
    if (sent % conversationLength === 0) said = [];
    const text = `Question ${sent}: ${'does the door open? '.repeat(10)}`;
    said = [...said, { role: 'user', text }];
    const name = wireNames[Math.floor(sent / conversationLength) % wireNames.length]!;
    const { path, body } = plainRequests[name];
    await ask(`${baseUrl}${path}`, Buffer.from(JSON.stringify(body(said))), 'short');
    said = [...said, { role: 'assistant', text: replyText }];
  }
  const after = await usage();
  return [
    {
      name: `Memory growth from request ${warmRequests.toLocaleString('en')} to ${manyRequests.toLocaleString('en')}`,
      value: bytes(after) - bytes(before),
      unit: 'bytes',
      target: { atMost: 1_000_000 },
    },
    { name: 'Memory afterwards', value: after.rss, unit: 'bytes' },
  ];
}
