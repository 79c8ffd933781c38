import { createHash } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request and its response as they passed. */
export interface TappedExchange {
  readonly method: string;
  /** Path with its query, without the proxy's token. */
  readonly path: string;
  readonly status: number;
  /** Hashes of the two bodies. */
  readonly request: string;
  readonly response: string;
  /** True if the response came to its end. */
  readonly isWhole: boolean;
}

export interface Tap {
  readonly port: number;
  readonly exchanges: readonly TappedExchange[];
  close(): Promise<void>;
}

interface TapPlace {
  /** 0 for any free port. */
  readonly port: number;
  readonly upstreamPort: number;
  /** Token of the proxy behind the tap. */
  readonly token?: string;
}

/** Passes requests on within this machine, and hashes their bodies. */
export async function startTap({ port, upstreamPort, token }: TapPlace): Promise<Tap> {
  const exchanges: TappedExchange[] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url = '' } = incoming;
    const [asked, answered] = [createHash('sha256'), createHash('sha256')];
    const outgoing = send({
      // A kept connection could be closed by its server just when the next request is sent.
      ...{ agent: false, method, path: url, host: '127.0.0.1', port: upstreamPort },
      headers: incoming.rawHeaders.with(hostIn(incoming.rawHeaders), `127.0.0.1:${upstreamPort}`),
      setDefaultHeaders: false,
    });
    let status = 0;
    let isWhole = false;
    incoming.on('data', (bytes: Buffer) => asked.update(bytes)).pipe(outgoing);
    outgoing.on('response', (from) => {
      status = from.statusCode ?? 0;
      response.writeHead(status, from.rawHeaders).flushHeaders();
      from.on('data', (bytes: Buffer) => answered.update(bytes)).pipe(response);
      from.once('end', () => (isWhole = true)).once('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.once('close', () => {
      outgoing.destroy();
      const path = (token === undefined ? url : url.replace(`/${token}`, '')) || '/';
      const [request, reply] = [asked.digest('hex'), answered.digest('hex')];
      exchanges.push({ method, path, status, request, response: reply, isWhole });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Index of the host's name in headers, whose names and values take turns. */
function hostIn(rawHeaders: readonly string[]): number {
  return rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host') + 1;
}
