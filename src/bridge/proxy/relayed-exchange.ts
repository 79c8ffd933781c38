import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingMessage,
  request as requestOverHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestOverHttps } from 'node:https';
import type { Wire } from '../../wire/wire.ts';
import { decompress } from './decompression.ts';
import type { ExchangeObserver, ExchangeOutcome, ExchangeStart } from './observed-exchange.ts';
import {
  type Header,
  inPairs,
  observedOfRequest,
  passedHeaders,
  credentialsOf,
  withBody,
  withHost,
} from './headers.ts';
import { largestHead } from './loopback-server.ts';
import { Observation } from './observation.ts';
import { answerInOneLine } from './own-answer.ts';
import { firstPart } from './limited-body.ts';
import { explainUpstreamFailure } from './upstream-failure.ts';

/** Changes the body of a request for a reply. Returns the same bytes if nothing is to change. */
type ChangeBody = (start: ExchangeStart, body: Uint8Array) => Promise<Uint8Array>;

/** The parts of a proxy that each of its exchanges needs. */
export interface RelayPorts {
  /** Address to whose path the targets of requests are appended. */
  readonly upstream: URL;
  readonly agent: Agent;
  readonly wires: readonly Wire[];
  /** Called for each request for a reply or a count. @returns undefined if it is not observed */
  readonly observe: (start: ExchangeStart) => ExchangeObserver | undefined;
  /** Its failure sends the original. Without it, bodies of requests pass as they come. */
  readonly rewrite?: ChangeBody | undefined;
  readonly log: (line: string) => void;
}

/**
 * A request on its way to the upstream, and the response on its way back. Bytes pass as they come, at the pace of the
 * receiver. If one side leaves, the other side's connection breaks off, too.
 */
export class RelayedExchange {
  private readonly ports: RelayPorts;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly target: string;
  private readonly wire: Wire | undefined;
  private observed: Observation | undefined;
  private outgoing: ClientRequest | undefined;
  private isAnswered = false;
  private isOver = false;

  /** @param target what follows the token, with its query */
  constructor(ports: RelayPorts, request: IncomingMessage, response: ServerResponse, target: string) {
    this.ports = ports;
    this.request = request;
    this.response = response;
    this.target = target;
    this.wire = ports.wires.find((wire) => wire.asks(pathOf(target)) !== undefined);
  }

  /** Sends the request on. */
  start(): void {
    const { request, response } = this;
    const { socket } = request;
    const leave = () => {
      this.end('cancelled');
      this.outgoing?.destroy();
    };
    socket.once('close', leave);
    response.once('close', () => socket.off('close', leave));
    // The end of the connection is noticed above.
    response.on('error', () => {});
    const start = this.readStart();
    this.observed = this.observe(start);
    const { rewrite } = this.ports;
    if (rewrite !== undefined && start?.asks === 'reply') void this.sendChanged(start, rewrite);
    else this.sendAsItComes();
  }

  /** @returns undefined for a request that asks for neither a reply nor a count */
  private readStart(): ExchangeStart | undefined {
    const { request, target, wire } = this;
    const path = pathOf(target);
    const asks = wire?.asks(path);
    if (wire === undefined || asks === undefined || request.method !== 'POST') return undefined;
    const headers = observedOfRequest(request.headers);
    const secrets = credentialsOf(request.rawHeaders, target);
    return { wire, asks, method: request.method, path, headers, secrets, at: new Date() };
  }

  private observe(start: ExchangeStart | undefined): Observation | undefined {
    const { observe, log } = this.ports;
    try {
      const observer = start === undefined ? undefined : observe(start);
      return observer === undefined ? undefined : new Observation(observer, log);
    } catch {
      log('A request is passed on, but could not be recorded.');
      return undefined;
    }
  }

  private sendAsItComes(): void {
    const { request } = this;
    this.observed?.readRequest(request);
    this.open(passedHeaders(request.rawHeaders));
    if (this.outgoing !== undefined) passOn(request, this.outgoing);
  }

  private async sendChanged(start: ExchangeStart, rewrite: ChangeBody): Promise<void> {
    const { request, response } = this;
    if (request.headers.expect !== undefined) response.writeContinue();
    const { pieces, isWhole } = await firstPart(request);
    const encoding = request.headers['content-encoding'];
    const body = isWhole ? await decompress(Buffer.concat(pieces), encoding) : undefined;
    this.observed?.body(body);
    const changed = body === undefined ? undefined : await this.changed(start, body, rewrite);
    if (this.isOver) return;
    const headers = passedHeaders(request.rawHeaders).filter(([name]) => name.toLowerCase() !== 'expect');
    this.open(changed === undefined ? headers : withBody(headers, changed.byteLength));
    if (this.outgoing === undefined) return;
    for (const piece of changed === undefined ? pieces : [changed]) this.outgoing.write(piece);
    if (isWhole) finish(request, this.outgoing);
    else passOn(request, this.outgoing);
  }

  /** @returns undefined if the original is to be sent */
  private async changed(
    start: ExchangeStart,
    body: Uint8Array,
    rewrite: ChangeBody,
  ): Promise<Uint8Array | undefined> {
    try {
      const changed = await rewrite(start, body);
      return Buffer.compare(changed, body) === 0 ? undefined : changed;
    } catch {
      this.ports.log('A request could not be changed, and is passed on as it is.');
      return undefined;
    }
  }

  /** Opens the request to the upstream. The body follows. */
  private open(headers: readonly Header[]): void {
    const { ports, request } = this;
    const { upstream, agent } = ports;
    const send = upstream.protocol === 'https:' ? requestOverHttps : requestOverHttp;
    try {
      const outgoing = send(upstream, {
        agent,
        method: request.method,
        path: `${upstream.pathname.replace(/\/$/u, '')}${this.target}`.replace(/^(?!\/)/u, '/'),
        headers: withHost(headers, upstream.host).flat(),
        setDefaultHeaders: false,
        maxHeaderSize: largestHead,
      });
      this.outgoing = outgoing;
      outgoing.maxHeadersCount = 0;
      outgoing.on('information', (information) => this.inform(information));
      outgoing.on('response', (incoming) => this.answer(incoming));
      outgoing.on('error', (error) => this.fail(error));
      outgoing.on('close', () => {
        this.fail(undefined);
        // The rest of a body would block the connection, as it has no reader any more.
        request.unpipe(outgoing).resume();
      });
      sendHead(outgoing);
    } catch (error) {
      this.fail(error);
      request.resume();
    }
  }

  /** Passes on a response that comes before the proper one, such as `100 Continue` or `103 Early Hints`. */
  private inform({ statusCode, statusMessage, rawHeaders }: InformationEvent): void {
    const { request, response } = this;
    if (request.httpVersion === '1.0') return;
    if (statusCode === 100) response.writeContinue();
    else {
      const lines = passedHeaders(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      // Without a socket, the response to the previous request of the connection is still on its way.
      response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
    }
  }

  private answer(incoming: IncomingMessage): void {
    const { request, response } = this;
    const { statusCode = 502, statusMessage = '', rawHeaders } = incoming;
    const headers = passedHeaders(rawHeaders, request.httpVersion !== '1.0');
    response.sendDate = false;
    try {
      response.writeHead(statusCode, statusMessage, headers.flat());
    } catch (error) {
      this.fail(error);
      this.outgoing?.destroy();
      return;
    }
    this.isAnswered = true;
    sendHead(response);
    this.observed?.readResponse(incoming);
    passOn(incoming, response);
    incoming.once('end', () => this.end('complete'));
    incoming.once('error', () => this.breakOff());
  }

  /** Shows to the client that the response is not whole. Bytes that came reach it first. */
  private breakOff(): void {
    const { socket, httpVersion } = this.request;
    this.end('cut-off');
    // A client of HTTP/1.0 takes the end of the connection for the end of the response.
    if (httpVersion === '1.0') socket.resetAndDestroy();
    else socket.destroySoon();
  }

  /** Answers in place of an upstream that sent no response. */
  private fail(error: unknown): void {
    if (this.isAnswered || this.isOver) return;
    if (this.request.socket.destroyed) {
      this.end('cancelled');
      return;
    }
    const { ports, response, wire } = this;
    const reason = explainUpstreamFailure(error, ports.upstream.host);
    ports.log(reason);
    answerInOneLine(response, 502, `Context Budget: ${reason}`, wire);
    this.end('unreachable');
  }

  private end(outcome: ExchangeOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.observed?.end(outcome);
  }
}

function pathOf(target: string): string {
  return target.split('?', 1)[0]!;
}

/** Sends a head before its body, byte for byte. `flushHeaders` would turn bytes that are not ASCII into UTF-8. */
function sendHead(message: OutgoingMessage): void {
  message.write(Buffer.alloc(0));
}

/** Passes on a body and its trailers. */
function passOn(from: IncomingMessage, to: OutgoingMessage): void {
  from.pipe(to, { end: false });
  from.once('end', () => finish(from, to));
}

function finish(from: IncomingMessage, to: OutgoingMessage): void {
  if (from.rawTrailers.length > 0) to.addTrailers(inPairs(from.rawTrailers).map(([...pair]) => pair));
  to.end();
}
