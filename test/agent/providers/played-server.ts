import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlayedRequest {
  /** Request line, for example `GET /v1/models?x=1`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  /** Body as sent; empty for a GET. */
  readonly body: string;
}

/** An answer as JSON, or a function that answers freely. */
export type PlayedAnswer = object | ((response: ServerResponse, request: PlayedRequest) => void);

/** A real server on the loopback interface with fixed answers, and 404 for all else. */
export class PlayedServer {
  /** Origin without the usual `/v1`. */
  readonly origin: string;
  readonly requests: PlayedRequest[] = [];
  private readonly server: Server;

  /** @param answers by method and path, without the query: `GET /v1/models` */
  static async start(answers: Readonly<Record<string, PlayedAnswer>>): Promise<PlayedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PlayedServer(server, answers);
  }

  private constructor(server: Server, answers: Readonly<Record<string, PlayedAnswer>>) {
    this.server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, response) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (text: string) => (body += text));
      incoming.on('end', () => {
        const line = `${incoming.method} ${incoming.url}`;
        const request = { line, headers: incoming.headers, body };
        this.requests.push(request);
        const answer = answers[line.replace(/\?.*/, '')];
        if (typeof answer === 'function') answer(response, request);
        else if (answer === undefined) response.writeHead(404).end('{"error":"not found"}');
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
