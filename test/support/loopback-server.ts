import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoopbackServer {
  /** Origin, for example `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** All requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on this machine that records requests. */
export async function loopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    response.on('error', () => undefined);
    request.setEncoding('utf8');
    request.on('error', () => undefined);
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body });
      answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
