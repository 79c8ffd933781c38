import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { otelRecordsOf } from '../../src/transcripts/formats/otel/otel-records.ts';

/** A real OTLP/HTTP endpoint on the loopback interface. */
export class SpanCollector implements AsyncDisposable {
  /** Bodies of the requests, oldest first. */
  readonly bodies: string[] = [];
  readonly paths: (string | undefined)[] = [];
  readonly endpoint: string;
  /** Status of every answer; undefined for no answer at all. */
  status: number | undefined = 200;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      this.paths.push(request.url);
      this.bodies.push(await text(request));
      if (this.status !== undefined) response.writeHead(this.status, { location: '/elsewhere' }).end('{}');
    });
  }

  static async start(): Promise<SpanCollector> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SpanCollector(server);
  }

  /** All spans that arrived, in the order in which they ended. */
  get spans() {
    return this.bodies.flatMap((body) => otelRecordsOf(JSON.parse(body) as Record<string, unknown>));
  }

  /** Resolves when a request has arrived. */
  async requested(): Promise<void> {
    if (this.bodies.length === 0) await once(this.server, 'request');
  }

  hangUp(): void {
    this.server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    this.server.close();
    await once(this.server, 'close');
  }
}
