import { once } from 'node:events';
import {
  type Agent,
  type IncomingMessage,
  request,
  type RequestListener,
  Server,
  createServer,
} from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ExchangeOutcome, ExchangeStart } from '../../../src/bridge/proxy/observed-exchange.ts';
import type { RunningServer } from '../../../src/bridge/proxy/loopback-server.ts';
import { type ProxyPorts, startProxy } from '../../../src/bridge/proxy/proxy-server.ts';
import type { Wire } from '../../../src/wire/wire.ts';

export const token = 'a-token-of-a-test';

/** A protocol that asks for a reply at `/v1/ask`, and for a count at `/v1/count`. */
export const smallWire: Wire = {
  id: 'chat',
  title: 'Small protocol',
  asks: (path) => ({ '/v1/ask': 'reply' as const, '/v1/count': 'count' as const })[path],
  readRequest: () => undefined,
  createReplyReader: () => ({ take: () => {}, reply: undefined }),
  withMessages: (body) => body,
  errorBody: (status, message) => JSON.stringify({ error: { status, message } }),
};

/** An exchange as an observer sees it. */
export interface Seen {
  readonly start: ExchangeStart;
  body?: Buffer | undefined;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  readonly response: Buffer;
  outcome?: ExchangeOutcome;
  /** Names of the calls, in order, each once in a row. */
  readonly calls: string[];
}

export interface Proxied extends RunningServer {
  readonly seen: readonly Seen[];
  readonly log: readonly string[];
  /** Resolves when this number of exchanges has ended. */
  ended(count: number): Promise<void>;
}

/** Starts a proxy that ends with the test. */
export async function proxied(upstream: string, ports: Partial<ProxyPorts> = {}): Promise<Proxied> {
  const seen: Seen[] = [];
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  const isOver = (count: number) => seen.filter(({ outcome }) => outcome !== undefined).length >= count;
  const observe: ProxyPorts['observe'] = (start) => {
    const pieces: Uint8Array[] = [];
    const one: Seen = {
      start,
      get response() {
        return Buffer.concat(pieces);
      },
      calls: [],
    };
    seen.push(one);
    const called = (name: string) => void (one.calls.at(-1) === name || one.calls.push(name));
    return {
      body: (bytes) => {
        called('body');
        one.body = bytes && Buffer.from(bytes);
      },
      head: (status, headers) => {
        called('head');
        Object.assign(one, { status, headers });
      },
      chunk: (bytes) => {
        called('chunk');
        pieces.push(bytes);
      },
      end: (outcome) => {
        called('end');
        one.outcome = outcome;
        for (const wake of waiting) wake();
      },
    };
  };
  const proxy = await startProxy({
    upstream: new URL(upstream),
    port: 0,
    token,
    wires: [smallWire],
    observe,
    log: (line) => void log.push(line),
    ...ports,
  });
  onTestFinished(() => proxy.close());
  const ended = async (count: number) => {
    while (!isOver(count)) await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  return { ...proxy, seen, log, ended };
}

/** Starts a server that ends with the test. @returns its origin */
export async function upstreamServer(answer: RequestListener): Promise<string> {
  return originOf(createServer({ requestTimeout: 0 }, answer));
}

/** Starts a server that works on sockets, so that it can send what it likes. @returns its origin */
export async function socketServer(answer: (socket: Socket) => void): Promise<string> {
  return originOf(
    createSocketServer((socket) => {
      socket.on('error', () => {});
      answer(socket);
    }),
  );
}

async function originOf(server: ReturnType<typeof createSocketServer>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends bytes as they are. @returns everything that comes back until the other side closes the connection */
export async function sendRaw(port: number, ...pieces: readonly string[]): Promise<string> {
  const socket = await connected(port);
  for (const piece of pieces) socket.write(piece, 'latin1');
  return allOf(socket);
}

/** Opens a connection that ends with the test. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Reads until the other side closes the connection. A reset is added as `[reset]`. */
export async function allOf(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => void pieces.push(piece));
  let isReset = false;
  socket.on('error', () => (isReset = true));
  await new Promise((resolve) => socket.once('close', resolve));
  return `${Buffer.concat(pieces).toString('latin1')}${isReset ? '[reset]' : ''}`;
}

/** Reads until the text contains this. */
export async function readUntil(socket: Socket, text: string): Promise<string> {
  let read = '';
  for (;;) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    read += piece.toString('latin1');
    if (read.includes(text)) return read;
  }
}

export interface Answer {
  readonly status: number;
  readonly message: IncomingMessage;
  /** Port of this side of the connection. */
  readonly localPort: number | undefined;
  readonly body: Buffer;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** Sends a request with Node's client. @throws if the response breaks off */
export async function ask(
  url: string,
  { method = 'POST', headers = {}, body = '', agent }: Sent = {},
): Promise<Answer> {
  const outgoing = request(url, { method, headers: { ...headers }, agent: agent ?? false });
  outgoing.end(body);
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
  const localPort = message.socket.localPort;
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return { status: message.statusCode ?? 0, message, localPort, body: Buffer.concat(pieces) };
}

/** A promise that a callback resolves. */
export function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** Closes a port, so that nothing answers there. */
export async function freePort(): Promise<number> {
  const server = new Server().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
