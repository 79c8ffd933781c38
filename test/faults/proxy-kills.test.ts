import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { wires } from '../../scripts/agents/server/model-server.ts';
import { plainRequests, type Said } from '../../scripts/agents/server/plain-requests.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import { ask, recordingsIn, startProxy } from './support/proxy-process.ts';
import { seeded } from './support/seeded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proxy-kills-'));
});
afterAll(() => rm(folder, { recursive: true }));

const question = (turn: number) => `Question ${turn}: does the door open?`;
const reply = (turn: number) => `Reply ${turn}. ${'The lock is mended, and the door opens. '.repeat(80)}`;

/** A provider that sends its replies in pieces. */
class Provider {
  /** Number of the newest question. */
  turn = 0;
  /** Bytes of the newest reply. */
  whole = Buffer.alloc(0);
  /** Called before each piece, with its number from 0. */
  beforePiece: (piece: number) => Promise<void> = () => Promise.resolve();
  readonly pieces = 12;
  private readonly server = createServer((incoming, response) => void this.answer(incoming, response));

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    incoming.resume();
    response.on('error', () => {});
    await once(incoming, 'end');
    const answer = wires
      .find((wire) => wire.accepts(path))
      ?.answer(
        { text: reply(this.turn) },
        { number: this.turn, path, body: { stream: true }, usage: { input: 40, output: 700 } },
      );
    this.whole = Buffer.from(answer !== undefined && 'events' in answer ? answer.events.join('') : '');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const length = Math.ceil(this.whole.length / this.pieces);
    for (let piece = 0; piece < this.pieces; piece++) {
      await this.beforePiece(piece);
      response.write(this.whole.subarray(piece * length, (piece + 1) * length));
      // The piece is on its way before the next one follows.
      await setImmediate();
    }
    response.end();
  }
}

/** Returns a sentence for each recording that does not open, and for each one with other messages than were sent. */
async function wrongIn(state: string, said: readonly Said[], random: () => number): Promise<string[]> {
  const wrong: string[] = [];
  for (const path of await recordingsIn(state)) {
    const bytes = await readFile(join(state, path));
    // A kernel may write a part of the last line, too.
    const cut = bytes.subarray(0, bytes.length - Math.floor(random() * 2_000));
    for (const text of [bytes.toString('utf8'), cut.toString('utf8')]) {
      try {
        const told = messagesOf(importTranscript(text).transcript).map(({ content }) => textOf(content));
        const odd = told.findIndex((one, at) => one !== said[at]?.text);
        if (odd >= 0) wrong.push(`message ${odd} of ${path} is not what was said`);
      } catch (error) {
        // Of a file cut within its first lines, there is nothing to open.
        if (text.split('\n').length > 4) wrong.push(`${path} does not open: ${String(error)}`);
      }
    }
  }
  return wrong;
}

fault('the proxy killed in mid-stream, over all four protocols', async (count) => {
  let prompts = 0;

  async function lane(name: keyof typeof plainRequests, kills: number): Promise<void> {
    const { path, body } = plainRequests[name];
    const random = seeded(name.length);
    const provider = new Provider();
    const upstream = await provider.start();
    const state = join(folder, name);
    await mkdir(state);
    const said: Said[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const { child, baseUrl, recorded } = await startProxy(upstream, state);
      const closed = once(child, 'close');
      const harmed = (how: string) => count.harmed(`${name}, kill ${kill}: ${how}`);
      const turn = async () => {
        if (said.at(-1)?.role !== 'user') said.push({ role: 'user', text: question(++provider.turn) });
        const received = await ask(`${baseUrl}${path}`, body(said));
        prompts++;
        return received;
      };
      // The question whose reply broke off is asked again.
      const { bytes, failure } = await turn();
      if (failure !== undefined || !bytes.equals(provider.whole)) harmed('the next start did not work');
      said.push({ role: 'assistant', text: reply(provider.turn) });
      // The other kills may come before anything is written.
      if (kill === kills - 1) await recorded;
      const at = Math.floor(random() * provider.pieces);
      const rounds = Math.floor(random() * 40);
      provider.beforePiece = async (piece) => {
        if (piece !== at) return;
        for (let round = 0; round < rounds; round++) await setImmediate();
        child.kill('SIGKILL');
        await closed;
      };
      const broken = await turn();
      provider.beforePiece = () => Promise.resolve();
      count.tried();
      if (broken.failure !== 'ECONNRESET') harmed(`the client saw ${broken.failure ?? 'a whole response'}`);
      if (!provider.whole.subarray(0, broken.bytes.length).equals(broken.bytes))
        harmed('the client received what the provider did not send');
      for (const how of await wrongIn(state, said, random)) harmed(how);
    }
    provider.close();
    if ((await recordingsIn(state)).length === 0) count.harmed(`${name}: nothing was recorded`);
  }
  const kills = soak(3, 13);
  await Promise.all([lane('chat', kills), lane('gemini', kills)]);
  await Promise.all([lane('responses', kills), lane('messages', kills)]);
  count.note(`${prompts} requests, half of them broken off`);
});
