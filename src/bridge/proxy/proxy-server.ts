import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../../agent/network/base-url.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { admittedTarget } from './admission.ts';
import { answerInOneLine } from './own-answer.ts';
import { largestHead, RelayedExchange, type RelayPorts } from './relayed-exchange.ts';

/** The parts of a proxy that differ from run to run. */
export interface ProxyPorts extends Omit<RelayPorts, 'agent'> {
  /** 0: any free port. */
  readonly port: number;
  /** First part of the path of each request, without which none is passed on. */
  readonly token: string;
}

/** A proxy that is running. */
export interface RunningProxy {
  /** Address that clients use in place of the upstream's. */
  readonly baseUrl: string;
  readonly port: number;
  /** Ends all exchanges. */
  close(): Promise<void>;
}

/** Maximum milliseconds until the head of a request is complete. */
const longestHeadTime = 60_000;

/**
 * Starts a proxy on this machine's loopback interface. It passes requests to one upstream, byte for byte, and tells
 * observers about those that ask a model.
 * @throws {SentenceError} if the port is in use
 */
export async function startProxy(ports: ProxyPorts): Promise<RunningProxy> {
  const agent = agentFor(ports.upstream, ports.log);
  const relaying: RelayPorts = { ...ports, agent };
  const server = createServer({
    maxHeaderSize: largestHead,
    headersTimeout: longestHeadTime,
    // Bodies take as long as the upstream needs, and connections stay open as long as their clients want.
    requestTimeout: 0,
    keepAliveTimeout: 0,
  });
  server.maxHeadersCount = 0;
  // Each request of a client that sends many at once listens for the end of their connection.
  server.on('connection', (socket) => void socket.setMaxListeners(0));
  const port = await listen(server, ports.port);
  const refuse = (response: ServerResponse) => {
    ports.log('A request was refused: it had no valid token, or came from a web page.');
    response.shouldKeepAlive = false;
    answerInOneLine(response, 403, 'Refused.');
  };
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const target = admittedTarget(request, ports.token, port);
    if (target === undefined) refuse(response);
    else if (/\bwebsocket\b/iu.test(request.headers.upgrade ?? '')) {
      ports.log('A client asked for a WebSocket, which is refused. Most clients go on without it.');
      answerInOneLine(response, 426, 'Context Budget: WebSockets are not passed on. Use HTTP.');
    } else new RelayedExchange(relaying, request, response, target).start();
  };
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.end(refusal('403 Forbidden'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerInvalid(error, socket, ports.log));
  return {
    baseUrl: `http://127.0.0.1:${port}/${ports.token}`,
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}

/** Returns the port. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new SentenceError(bridgeSentences.say('portInUse', { port: String(port) })) : error;
  }
  return (server.address() as AddressInfo).port;
}

/** Milliseconds for which an idle connection to the upstream is kept: less than servers keep theirs. */
const idleTime = 4_000;

/**
 * Creates the keeper of the connections to the upstream. To servers elsewhere it goes through the environment's proxy,
 * if Node can do that.
 */
function agentFor(upstream: URL, log: (line: string) => void): Agent {
  const options = { keepAlive: true, timeout: idleTime };
  if (upstream.protocol !== 'https:') return new Agent(options);
  if (isLoopback(upstream.hostname)) return new TlsAgent(options);
  try {
    return new TlsAgent({ ...options, ...{ proxyEnv: process.env } });
  } catch {
    log('The address in HTTPS_PROXY is not valid, and is not used.');
    return new TlsAgent(options);
  }
}

/** Answers bytes that are not a request. */
function answerInvalid(error: NodeJS.ErrnoException, socket: Duplex, log: (line: string) => void): void {
  const { code = '' } = error;
  const isInvalid = code.startsWith('HPE_');
  if (isInvalid) log(`A client sent something that is not valid HTTP (${code}).`);
  const isUnanswered = 'bytesWritten' in socket && socket.bytesWritten === 0;
  if (!isInvalid || !isUnanswered || !socket.writable) socket.destroy();
  else {
    socket.end(
      refusal(code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'),
    );
  }
}

function refusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}
