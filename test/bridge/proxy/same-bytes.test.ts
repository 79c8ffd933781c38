import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ask, type Proxied, proxied, upstreamServer } from './proxied.ts';

setFlagsFromString('--expose-gc');
/** Collects garbage, so that memory in use can be measured. */
const collect = runInNewContext('gc') as () => void;

function hashOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

async function hashIn(message: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of message) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}

/** Sends pieces of a body, with its length or in chunks. @returns the hash of the response */
async function send(
  { baseUrl }: Proxied,
  pieces: readonly Uint8Array[],
  headers: Readonly<Record<string, string | number>>,
  agent: Agent | false = false,
): Promise<{ readonly hash: string; readonly message: IncomingMessage }> {
  const outgoing = request(`${baseUrl}/v1/ask`, { method: 'POST', headers: { ...headers }, agent });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (const piece of pieces) if (!outgoing.write(piece)) await once(outgoing, 'drain');
  outgoing.end();
  const [message] = await answered;
  return { hash: await hashIn(message), message };
}

const pieces = fc.array(fc.uint8Array({ maxLength: 300_000 }), { maxLength: 8 });

it('whatever the cuts, both sides get the bytes that the other one sent', async () => {
  let answer: readonly Uint8Array[] = [];
  let received = '';
  const origin = await upstreamServer((incoming, response) => {
    void hashIn(incoming).then(async (hash) => {
      received = hash;
      for (const piece of answer) if (!response.write(piece)) await once(response, 'drain');
      response.end();
    });
  });
  const agent = new Agent({ keepAlive: true });
  const plain = await proxied(origin);
  const rewriting = await proxied(origin, { rewrite: async (_start, body) => body });
  const sample = fc.record({
    question: pieces,
    answer: pieces,
    isChunked: fc.boolean(),
    isRead: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(sample, async (sent) => {
      answer = sent.answer;
      const length = sent.question.reduce((sum, piece) => sum + piece.length, 0);
      const headers = sent.isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
      const { hash } = await send(sent.isRead ? rewriting : plain, sent.question, headers, agent);
      expect(received).toBe(hashOf(sent.question));
      expect(hash).toBe(hashOf(sent.answer));
    }),
    { numRuns: 60 },
  );
  agent.destroy();
  await plain.ended(plain.seen.length);
  for (const { body, outcome } of plain.seen)
    expect([body === undefined, outcome]).toEqual([false, 'complete']);
});

it('100 MB pass in both directions while the proxy holds little of them', async () => {
  const piece = Buffer.alloc(1_000_000, 'a');
  const body = Array<Buffer>(100).fill(piece);
  // V8 frees buffers in the background, so a sample may be high. A proxy that keeps a body makes them all high.
  const held: { readonly question: number[]; readonly answer: number[] } = { question: [], answer: [] };
  const measure = (samples: number[]) => {
    let passed = 0;
    return (bytes: Uint8Array) => {
      if (Math.floor(passed / 5_000_000) < Math.floor((passed += bytes.length) / 5_000_000)) {
        collect();
        samples.push(process.memoryUsage().arrayBuffers);
      }
    };
  };
  const origin = await upstreamServer((incoming, response) => {
    incoming.on('data', measure(held.question));
    incoming.on('end', () => {
      const send = async () => {
        const measured = measure(held.answer);
        for (const part of body) {
          measured(part);
          if (!response.write(part)) await once(response, 'drain');
        }
        response.end();
      };
      void send();
    });
  });
  const proxy = await proxied(origin, { observe: () => undefined });
  collect();
  const before = process.memoryUsage().arrayBuffers;
  const { hash, message } = await send(proxy, body, { 'content-length': 100_000_000 });
  expect(message.complete).toBe(true);
  expect(hash).toBe(hashOf(body));
  for (const samples of [held.question, held.answer])
    expect(Math.min(...samples.slice(-8)) - before).toBeLessThan(50_000_000);
});

it('a client that does not read stops the upstream', async () => {
  const piece = Buffer.alloc(1_000_000, 'a');
  let sent = 0;
  const origin = await upstreamServer((incoming, response) => {
    if (incoming.url === '/small') {
      response.end();
      return;
    }
    const send = () => {
      while (sent < 200 && response.write(piece)) sent++;
      if (sent++ < 200) response.once('drain', send);
      else response.end();
    };
    send();
  });
  const { baseUrl } = await proxied(origin);
  const outgoing = request(`${baseUrl}/large`, { agent: false }).end();
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
  // These take many rounds of the loop. The upstream could send more in each of them.
  for (let round = 0; round < 100; round++) await ask(`${baseUrl}/small`, { method: 'GET' });
  expect(sent).toBeLessThan(50);
  let length = 0;
  for await (const part of message) length += (part as Buffer).length;
  expect(length).toBeGreaterThanOrEqual(200_000_000);
});

it('the heap does not grow with the number of requests', async () => {
  const origin = await upstreamServer((incoming, response) => {
    if (incoming.url === '/v1/broken') incoming.socket.destroy();
    else response.end('ok');
  });
  const quiet = { body: () => {}, head: () => {}, chunk: () => {}, end: () => {} };
  const { baseUrl } = await proxied(origin, { observe: () => quiet, log: () => {} });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const heapAfter = async (requests: number) => {
    for (let count = 0; count < requests; count++) {
      await ask(`${baseUrl}/v1/${count % 5 === 0 ? 'broken' : 'ask'}`, { agent, body: 'a'.repeat(2_000) });
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(200);
  const after = await heapAfter(600);
  agent.destroy();
  expect((after - before) / 600).toBeLessThan(2_000);
});
