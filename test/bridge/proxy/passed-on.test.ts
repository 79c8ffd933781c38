import { once } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  ask,
  connected,
  proxied,
  readUntil,
  sendRaw,
  signal,
  socketServer,
  token,
  upstreamServer,
} from './proxied.ts';

/** Lines of a head, with the empty line after it. */
function lines(...all: readonly string[]): string {
  return [...all, '', ''].join('\r\n');
}

/** Answers every request with the same bytes once its head has come. @returns the origin, and the requests as sent */
async function answering(
  answer: string,
  { stays = false } = {},
): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const origin = await socketServer((socket) => {
    let read = '';
    socket.on('data', (piece) => {
      read += piece.toString('latin1');
      if (!read.includes('\r\n\r\n')) return;
      requests.push(read);
      read = '';
      if (stays) socket.write(answer, 'latin1');
      else socket.end(answer, 'latin1');
    });
  });
  return { origin, requests };
}

describe('the head of a request', () => {
  it('keeps names, order and repetitions, and loses what is about the connection', async () => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { port } = await proxied(`${origin}/base/`);
    await sendRaw(
      port,
      lines(
        `GET /${token}/v1/models?x=%2F..&y HTTP/1.1`,
        'x-API-Key: one',
        `hOsT: 127.0.0.1:${port}`,
        'Accept: b',
        'accept: a',
        'X-Bytes: \xe9\xff',
        'Connection: close, X-Own',
        'X-Own: 1',
        'Keep-Alive: timeout=5',
        'Empty:',
      ),
    );
    expect(requests).toEqual([
      lines(
        'GET /base/v1/models?x=%2F..&y HTTP/1.1',
        'x-API-Key: one',
        `hOsT: ${new URL(origin).host}`,
        'Accept: b',
        'accept: a',
        'X-Bytes: \xe9\xff',
        'Empty: ',
      ),
    ]);
  });

  it.each<readonly [base: string, target: string, path: string]>([
    ['', '', '/'],
    ['/', '/', '/'],
    ['', '?key=1', '/?key=1'],
    ['/openai/v1', '/models', '/openai/v1/models'],
  ])('to %j with %j after the token asks for %j', async (base, target, path) => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { baseUrl } = await proxied(`${origin}${base}`);
    await ask(`${baseUrl}${target}`, { method: 'GET' });
    expect(requests[0]).toMatch(`GET ${path} HTTP/1.1\r\n`);
  });

  it('may come byte by byte', async () => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { port } = await proxied(origin);
    const socket = await connected(port);
    const request = lines(`GET /${token}/slow HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
    for (const byte of request) await new Promise((resolve) => socket.write(byte, resolve));
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 204 /u);
    expect(requests).toEqual([lines('GET /slow HTTP/1.1', `Host: ${new URL(origin).host}`)]);
  });

  it('gets no length or chunks that it did not have', async () => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { port } = await proxied(origin);
    await sendRaw(
      port,
      lines(`POST /${token}/v1/ask HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close'),
    );
    expect(requests).toEqual([lines('POST /v1/ask HTTP/1.1', `Host: ${new URL(origin).host}`)]);
  });
});

describe('the head of a response', () => {
  it('keeps status, reason, names, order and repetitions', async () => {
    const answer = lines(
      'HTTP/1.1 299 Fine \xe9',
      'x-REQUEST-id: 1',
      'Set-Cookie: a',
      'set-cookie: b',
      'X-Bytes: \xff',
      'Content-Length: 2',
    );
    const { origin } = await answering(`${answer}ok`);
    const { port } = await proxied(origin);
    const request = lines(`GET /${token}/ HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
    const returned = await sendRaw(port, request);
    expect(returned.replace('Connection: close\r\n', '')).toBe(`${answer}ok`);
  });

  it('reaches the client before the body', async () => {
    let finish = () => {};
    const origin = await upstreamServer((_request, response) => {
      response.writeHead(200).flushHeaders();
      finish = () => response.end('done');
    });
    const { port } = await proxied(origin);
    const socket = await connected(port);
    socket.write(lines(`GET /${token}/ HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close'));
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK/u);
    finish();
    expect(await allOf(socket)).toMatch(/done/u);
  });

  it('follows early hints, which are passed on, too', async () => {
    const early = lines('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload', 'x-Early: 1');
    const { origin } = await answering(early + lines('HTTP/1.1 204 No Content'));
    const { port } = await proxied(origin);
    const request = lines(`GET /${token}/ HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
    expect(await sendRaw(port, request)).toMatch(`${early}HTTP/1.1 204 No Content`);
  });

  it.each(['HEAD', 'GET'])('has its length and no body after %s with status 304', async (method) => {
    const { origin } = await answering(lines('HTTP/1.1 304 Not Modified', 'Content-Length: 1000'));
    const { port } = await proxied(origin);
    const request = lines(`${method} /${token}/ HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
    expect(await sendRaw(port, request)).toMatch(/Content-Length: 1000\r\n(?:.*\r\n)?\r\n$/u);
  });

  it('of a HEAD request has no body', async () => {
    const { origin } = await answering(lines('HTTP/1.1 200 OK', 'Content-Length: 1000'));
    const { port } = await proxied(origin);
    const request = lines(`HEAD /${token}/ HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
    expect(await sendRaw(port, request)).toMatch(/Content-Length: 1000\r\n(?:.*\r\n)?\r\n$/u);
  });
});

describe('bodies', () => {
  it('pass in chunks with trailers, in both directions', async () => {
    const { port } = await proxied(
      await upstreamServer((request, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked', trailer: 'x-Sum' });
        request.on('data', (piece) => response.write(piece));
        request.on('end', () => {
          response.addTrailers([
            ['x-Sum', '\xe9'],
            ['x-Seen', request.rawTrailers.join('=')],
          ]);
          response.end();
        });
      }),
    );
    const head = lines(
      `POST /${token}/v1/ask HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: close',
      'Transfer-Encoding: chunked',
      'Trailer: X-After',
    );
    const answer = await sendRaw(port, head, '3\r\nabc\r\n', '2\r\nde\r\n', '0\r\nX-After: 9\r\n\r\n');
    expect(answer.split('\r\n\r\n')[1]).toMatch(/abc[^]*de\r\n0\r\nx-Sum: \xe9\r\nx-Seen: X-After=9$/u);
  });

  it('that end with the connection arrive whole', async () => {
    const { origin } = await answering(`${lines('HTTP/1.0 200 OK', 'Content-Type: text/plain')}all of it`);
    const { baseUrl, seen, ended } = await proxied(origin);
    expect(String((await ask(`${baseUrl}/v1/ask`)).body)).toBe('all of it');
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'complete', response: Buffer.from('all of it') });
  });

  it('come without chunks to a client of HTTP/1.0', async () => {
    const { port } = await proxied(
      await upstreamServer((_request, response) => {
        response.write('one ');
        response.end('two');
      }),
    );
    const answer = await sendRaw(port, lines(`GET /${token}/ HTTP/1.0`, `Host: 127.0.0.1:${port}`));
    expect(answer).toMatch(/\r\n\r\none two$/u);
    expect(answer).not.toMatch(/chunked/iu);
  });

  it('pass compressed', async () => {
    const packed = gzipSync('a'.repeat(5_000));
    const { baseUrl } = await proxied(
      await upstreamServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
      }),
    );
    const { body, message } = await ask(`${baseUrl}/v1/ask`);
    expect(body).toEqual(packed);
    expect(message.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(packed.length),
    });
  });

  it('wait for 100 Continue from the upstream', async () => {
    const { given: asked, give: proceed } = signal();
    const origin = await socketServer((socket) => {
      let read = '';
      socket.on('data', (piece) => {
        read += piece.toString('latin1');
        if (read.endsWith('\r\n\r\n')) proceed();
        if (read.endsWith('body')) socket.end(lines('HTTP/1.1 204 No Content'));
      });
      void asked.then(() => socket.write(lines('HTTP/1.1 100 Continue')));
    });
    const { port } = await proxied(origin);
    const socket = await connected(port);
    socket.write(
      lines(
        `POST /${token}/v1/ask HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Expect: 100-continue',
        'Connection: close',
        'Content-Length: 4',
      ),
    );
    expect(await readUntil(socket, '\r\n\r\n')).toBe(lines('HTTP/1.1 100 Continue'));
    socket.write('body');
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 204 /u);
  });

  it('are not asked for if the upstream refuses before 100 Continue', async () => {
    const { origin } = await answering(lines('HTTP/1.1 413 Too Large', 'Content-Length: 0'));
    const { port } = await proxied(origin);
    const request = lines(
      `POST /${token}/v1/ask HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Expect: 100-continue',
      'Content-Length: 4',
    );
    const answer = await sendRaw(port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 413 Too Large/u);
  });
});

describe('connections', () => {
  it('are used again, on both sides', async () => {
    const ports = new Set<number | undefined>();
    const { baseUrl } = await proxied(
      await upstreamServer((request, response) => {
        ports.add(request.socket.remotePort);
        response.end('ok');
      }),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const own = new Set<number | undefined>();
    for (let count = 0; count < 5; count++) {
      const { localPort } = await ask(`${baseUrl}/v1/ask`, { agent, body: 'a' });
      own.add(localPort);
    }
    agent.destroy();
    expect([ports.size, own.size]).toEqual([1, 1]);
  });

  it('carry requests that do not wait for each other, and return the answers in order', async () => {
    const { port } = await proxied(
      await upstreamServer((request, response) => {
        if (request.url === '/1') setImmediate(() => response.end('<first>'));
        else response.end(`<${request.url}>`);
      }),
    );
    const requests = [1, 2, 3, 4].map((number) =>
      lines(
        `GET /${token}/${number} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        ...(number === 4 ? ['Connection: close'] : []),
      ),
    );
    const answer = await sendRaw(port, requests.join(''));
    expect(answer.match(/<.+?>/gu)).toEqual(['<first>', '</2>', '</3>', '</4>']);
  });

  it('work side by side', async () => {
    const open: IncomingMessage[] = [];
    const { given: all, give: allOpen } = signal();
    const { baseUrl, seen, ended } = await proxied(
      await upstreamServer((request, response) => {
        if (open.push(request) === 50) allOpen();
        void all.then(async () => {
          for await (const piece of request) response.write(piece);
          response.end(request.headers['x-number']);
        });
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        ask(`${baseUrl}/v1/ask`, { headers: { 'x-number': String(number) }, body: `${number},` }),
      ),
    );
    expect(answers.map(({ body }) => String(body))).toEqual(
      answers.map((_, number) => `${number},${number}`),
    );
    await ended(50);
    expect(
      seen.every(({ body, response }) => String(response) === `${body}${String(body).slice(0, -1)}`),
    ).toBe(true);
  });

  it('are not upgraded to HTTP/2 in clear text', async () => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { port } = await proxied(origin);
    const answer = await sendRaw(
      port,
      lines(
        `GET /${token}/ HTTP/1.0`,
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 204 /u);
    expect(requests[0]).not.toMatch(/upgrade|settings/iu);
  });

  it('do not become WebSockets, which the log says', async () => {
    const { origin, requests } = await answering(lines('HTTP/1.1 204 No Content'));
    const { port, log } = await proxied(origin);
    const socket = await connected(port);
    socket.write(
      lines(
        `GET /${token}/v1/responses HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ),
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 426 /u);
    expect(requests).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/WebSocket/u)]);
  });
});
