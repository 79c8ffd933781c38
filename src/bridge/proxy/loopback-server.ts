import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { admittedTarget } from './admission.ts';
import { answerInOneLine } from './own-answer.ts';

/** The parts of a server that differ from run to run. */
export interface LoopbackPorts {
  /** 0: any free port. */
  readonly port: number;
  /** First part of the path of each request, without which none is admitted. */
  readonly token: string;
  readonly log: (line: string) => void;
}

/** A server that is running. */
export interface RunningServer {
  /** Address that clients use. */
  readonly baseUrl: string;
  readonly port: number;
  /** Ends all exchanges. */
  close(): Promise<void>;
}

/** Maximum bytes of the head of a message, with the URL. Node's own limit is a quarter of it. */
export const largestHead = 65_536;
/** Maximum milliseconds until the head of a request is complete. */
const longestHeadTime = 60_000;

/**
 * Starts a server on this machine's loopback interface. It refuses requests without the token, and those of web pages.
 * @param take receives each admitted request, with what follows the token in its target
 * @throws {SentenceError} if the port is in use
 */
export async function startLoopbackServer(
  { port: wanted, token, log }: LoopbackPorts,
  take: (request: IncomingMessage, response: ServerResponse, target: string) => void,
): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: largestHead,
    headersTimeout: longestHeadTime,
    // Bodies take as long as the client needs, and connections stay open as long as clients want.
    requestTimeout: 0,
    keepAliveTimeout: 0,
  });
  server.maxHeadersCount = 0;
  // Each request of a client that sends many at once listens for the end of their connection.
  server.on('connection', (socket) => void socket.setMaxListeners(0));
  const port = await listen(server, wanted);
  const admit = (request: IncomingMessage, response: ServerResponse) => {
    const target = admittedTarget(request, token, port);
    if (target !== undefined) {
      take(request, response, target);
      return;
    }
    log('A request was refused: it had no valid token, or came from a web page.');
    response.shouldKeepAlive = false;
    answerInOneLine(response, 403, 'Refused.');
  };
  server.on('request', admit).on('checkContinue', admit).on('checkExpectation', admit);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.end(refusal('403 Forbidden'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerInvalid(error, socket, log));
  return {
    baseUrl: `http://127.0.0.1:${port}/${token}`,
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
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
