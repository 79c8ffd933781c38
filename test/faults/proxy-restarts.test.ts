import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { wires } from '../../scripts/agents/server/model-server.ts';
import { plainRequests, type Said } from '../../scripts/agents/server/plain-requests.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import { messagesOf, recordsOf } from '../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import { ask, type Proxy, recordingsIn, startProxy } from './support/proxy-process.ts';

let state: string;
let provider: Provider;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'proxy-restarts-'));
  provider = new Provider();
  await provider.start();
});
afterEach(async () => {
  provider.close();
  await rm(state, { recursive: true });
});

/** A provider that keeps the bodies of requests. */
class Provider {
  readonly bodies: string[] = [];
  url = '';
  /** Called when a request is there, before its reply. */
  beforeReply: () => Promise<void> = () => Promise.resolve();
  private readonly server = createServer((incoming, response) => void this.answer(incoming, response));

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const pieces: Buffer[] = [];
    response.on('error', () => {});
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const sent = Buffer.concat(pieces).toString('utf8');
    this.bodies.push(sent);
    await this.beforeReply();
    const usage = { input: Math.round(sent.length / 4), output: 300 };
    const answer = wires
      .find((wire) => wire.accepts(path))
      ?.answer({ text: replyTo(sent) }, { number: 1, path, body: { stream: true }, usage });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(answer !== undefined && 'events' in answer ? answer.events.join('') : '');
  }
}

function question(turn: number): string {
  return `Question ${turn}: ${'does the door open, and who has its key? '.repeat(20)}`;
}

function replyTo(sent: string): string {
  return `Reply to ${/.*Question (\d+)/su.exec(sent)?.[1]}. ${'The lock is mended. '.repeat(60)}`;
}

const parameters = { type: 'object', properties: {} };
/** A tool, as each wire declares it. */
const tools = {
  chat: [{ type: 'function', function: { name: 'look', parameters } }],
  messages: [{ name: 'look', input_schema: parameters }],
};

/** A client with one conversation. */
class Client {
  readonly said: Said[] = [];
  private readonly wire: keyof typeof tools;

  constructor(wire: keyof typeof tools) {
    this.wire = wire;
  }

  /** Asks the next question, or again the one whose reply broke off. @returns true if the whole reply came */
  async ask({ baseUrl }: Proxy): Promise<boolean> {
    const { said, wire } = this;
    const { path, body } = plainRequests[wire];
    if (said.at(-1)?.role !== 'user') said.push({ role: 'user', text: question(said.length / 2 + 1) });
    const { failure } = await ask(`${baseUrl}${path}`, { ...body(said), tools: tools[wire] });
    if (failure !== undefined) return false;
    said.push({ role: 'assistant', text: replyTo(provider.bodies.at(-1) ?? '') });
    return true;
  }
}

/** Starts a proxy that compacts, so that a request is recorded before the provider has it. */
function start(): Promise<Proxy> {
  return startProxy(provider.url, state, ['--compact', 'ladder', '--window', '1500']);
}

async function kill({ child }: Proxy): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

async function readRecordings() {
  const texts = (await recordingsIn(state)).map((path) => readFile(join(state, path), 'utf8'));
  return (await Promise.all(texts)).map((text) => importTranscript(text).transcript);
}

for (const wire of ['chat', 'messages'] as const) {
  fault(
    `a proxy that is killed and started again in a compacted conversation, over ${wire}`,
    async (count) => {
      const client = new Client(wire);
      let proxy = await start();
      for (let turn = 1; turn <= soak(5, 40); turn++) {
        if (turn % 2 === 0) {
          provider.beforeReply = () => kill(proxy);
          await client.ask(proxy);
          provider.beforeReply = () => Promise.resolve();
          proxy = await start();
          count.tried();
        }
        if (!(await client.ask(proxy))) count.harmed(`turn ${turn} has no reply`);
        const [before, after] = provider.bodies.slice(-2);
        if (turn % 2 === 0 && before !== after) count.harmed(`request ${turn} differs after the restart`);
      }
      await kill(proxy);
      const [recording, ...others] = await readRecordings();
      if (recording === undefined || others.length > 0)
        count.harmed(`${others.length + 1} recordings of one conversation`);
      if (recording === undefined) return;
      const records = recordsOf(recording).filter(({ status }) => status === 'applied');
      if (records.length === 0) count.harmed('nothing was compacted');
      const told = messagesOf(recording).map(({ content }) => textOf(content));
      const odd = client.said.findIndex(({ text }, at) => text !== told[at]);
      // The last reply may not be recorded before the kill.
      if (odd >= 0 && odd < client.said.length - 1) count.harmed(`message ${odd} is not what was said`);
      count.note(`${records.length} compactions`);
    },
  );
}

fault('a conversation that continues through a second proxy while the first one runs', async (count) => {
  const client = new Client('chat');
  const [first, second] = [await start(), await start()];
  for (const proxy of [first, first, second, second, first]) await client.ask(proxy);
  count.tried();
  await kill(first);
  const third = await start();
  await client.ask(third);
  await Promise.all([second, third].map(kill));
  const recordings = await readRecordings();
  if (recordings.length !== 2) count.harmed(`${recordings.length} recordings`);
  for (const recording of recordings) {
    const told = messagesOf(recording).map(({ content }) => textOf(content));
    if (told.some((text, at) => text !== client.said[at]?.text)) count.harmed('a recording is mixed up');
  }
});
