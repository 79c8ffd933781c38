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
const streams = 60;
/** Number of chunks of a stream. Its last chunks are the end of a reply of the protocol. */
const chunks = 100;
/** Characters of a history: a long session, most of whose requests repeat it. */
const historyLength = 400_000;
/** Number of requests of the measurement of memory, and of those after which it is measured for the first time. */
const [manyRequests, warmRequests] = [10_000, 2_000];
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
  const telling = `process.on('message', () => { gc(); gc(); process.send(process.memoryUsage()); });`;
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
    const reply = { text: `Reply ${++number}.` };
    const answer = wire?.answer(reply, {
      ...{ number, path, body: { stream: true } },
      usage: { input: 90_000, output: 4 },
    });
    const last = answer !== undefined && 'events' in answer ? answer.events.join('') : '';
    let left = incoming.headers['x-chunks'] === undefined ? 0 : chunks;
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      chunkOnItsWay.send = () => {
        chunkOnItsWay.sentAt = performance.now();
        // A comment, which clients skip, is as long as a token's event.
        if (left-- > 0) response.write(`: ${'.'.repeat(200)}\n\n`);
        else response.end(last);
      };
      chunkOnItsWay.send();
    });
  });
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

/** A delay that the proxy adds. */
type Delay = 'firstByte' | 'median' | 'worst';

const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads the reply chunk by chunk. */
async function ask(url: string, body: Buffer, isChunked: boolean): Promise<Times> {
  const began = performance.now();
  const outgoing = request(url, {
    ...{ method: 'POST', agent },
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'opencode/1.0',
      ...(isChunked && { 'x-chunks': 'yes' }),
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
    if (times.length < chunks && isChunked) chunkOnItsWay.send();
  });
  await once(response, 'end');
  return { firstByte, chunks: times };
}

/** Measures what the proxy adds, protocol by protocol, with direct and passed streams in turn. */
async function delays(direct: string, passed: string): Promise<readonly Measure[]> {
  const added: ({ readonly name: string } & Readonly<Record<Delay, number>>)[] = [];
  for (const name of wireNames) {
    const { path, body } = plainRequests[name];
    const said: Said[] = Array.from({ length: 100 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      text: `${name} ${at} ${'The lock is mended. '.repeat(historyLength / 100 / 20)}`,
    }));
    const times = { direct: [] as Times[], passed: [] as Times[] };
    for (let stream = -5; stream < streams; stream++) {
      said.push({ role: 'user', text: `Question ${stream}` });
      const bytes = Buffer.from(JSON.stringify(body(said)));
      const one = {
        direct: await ask(`${direct}${path}`, bytes, true),
        passed: await ask(`${passed}${path}`, bytes, true),
      };
      said.push({ role: 'assistant', text: `Answer ${stream}` });
      if (stream < 0) continue;
      times.direct.push(one.direct);
      times.passed.push(one.passed);
    }
    const difference = (value: (all: readonly Times[]) => number) =>
      value(times.passed) - value(times.direct);
    added.push({
      name,
      firstByte: difference((all) => medianOf(all.map(({ firstByte }) => firstByte))),
      median: difference((all) => medianOf(all.flatMap(({ chunks: each }) => each))),
      worst: difference((all) => nearlyAll(all.flatMap(({ chunks: each }) => each))),
    });
  }
  const row = (name: string, value: Delay, atMost: number): Measure => {
    const worst = added.reduce((one, other) => (other[value] > one[value] ? other : one));
    return {
      name,
      value: worst[value],
      unit: 'milliseconds',
      target: { atMost },
      note: added.map((one) => `${one.name} ${one[value].toFixed(2)} ms`).join(', '),
    };
  };
  return [
    row('added to the first byte, median, worst protocol', 'firstByte', 5),
    row('added to each chunk, median, worst protocol', 'median', 1),
    row('added to each chunk, 99 of 100, worst protocol', 'worst', 1),
  ];
}

function nearlyAll(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? NaN;
}

/** Measures how the memory of the proxy grows while clients go from conversation to conversation. */
async function memory({ child, baseUrl }: Proxy): Promise<readonly Measure[]> {
  const usage = async () => {
    child.send('memory');
    const [told] = (await once(child, 'message')) as [NodeJS.MemoryUsage];
    return told;
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
    await ask(`${baseUrl}${path}`, Buffer.from(JSON.stringify(body(said))), false);
    said = [...said, { role: 'assistant', text: `Reply to ${sent}.` }];
  }
  const after = await usage();
  const bytes = (used: NodeJS.MemoryUsage) => used.heapUsed + used.arrayBuffers;
  return [
    {
      name: `memory, growth from request ${warmRequests.toLocaleString('en')} to ${manyRequests.toLocaleString('en')}`,
      value: bytes(after) - bytes(before),
      unit: 'bytes',
      target: { atMost: 1_000_000 },
    },
    { name: 'memory afterwards', value: after.rss, unit: 'bytes' },
  ];
}
