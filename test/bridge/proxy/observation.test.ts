import { createHash } from 'node:crypto';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { allOf, ask, connected, proxied, readUntil, signal, token, upstreamServer } from './proxied.ts';

const text = 'data: {"text":"A reply in several words"}\n\n'.repeat(200);
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const encodings: readonly (readonly [name: string, compress: (bytes: string) => Buffer])[] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', (bytes) => brotliCompressSync(bytes, fast)],
  ['zstd', zstdCompressSync],
];

/** A server that answers with these bytes, and keeps the bodies of requests. */
async function answering(bytes: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const bodies: Buffer[] = [];
  const origin = await upstreamServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces));
      response.writeHead(200, headers).end(bytes);
    });
  });
  return { origin, bodies };
}

describe('an observer', () => {
  it('hears of a request for a reply, its response and its end, in order', async () => {
    const { origin } = await answering('hello');
    const { baseUrl, seen, ended } = await proxied(origin);
    await ask(`${baseUrl}/v1/ask?key=a-key-in-the-query`, { body: 'question' });
    await ended(1);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      start: { asks: 'reply', method: 'POST', path: '/v1/ask' },
      body: Buffer.from('question'),
      status: 200,
      response: Buffer.from('hello'),
      outcome: 'complete',
      calls: ['body', 'head', 'chunk', 'end'],
    });
  });

  it('hears of a request for a count', async () => {
    const { origin } = await answering('{}');
    const { baseUrl, seen, ended } = await proxied(origin);
    await ask(`${baseUrl}/v1/count`);
    await ended(1);
    expect(seen[0]?.start.asks).toBe('count');
  });

  it.each<readonly [method: string, path: string]>([
    ['GET', '/v1/ask'],
    ['OPTIONS', '/v1/ask'],
    ['POST', '/v1/models'],
    ['POST', '/oauth/token'],
    ['POST', ''],
  ])('does not hear of %s %s', async (method, path) => {
    const { origin } = await answering('ok');
    const { baseUrl, seen } = await proxied(origin);
    expect(String((await ask(`${baseUrl}${path}`, { method })).body)).toBe('ok');
    expect(seen).toEqual([]);
  });

  it('gets headers that name the client and its session, and no credentials', async () => {
    const { origin } = await answering('ok');
    const { baseUrl, seen, ended } = await proxied(origin);
    const credentials = {
      authorization: 'Bearer sk-secret-1',
      cookie: 'session=secret-2',
      'x-api-key': 'secret-key-3',
      'x-goog-api-key': 'secret-key-4',
      'api-key': 'secret-key-5',
      'chatgpt-account-id': 'account',
    };
    const names = {
      'user-agent': 'agent/1.0',
      session_id: 's-1',
      'x-claude-code-session-id': 's-2',
      originator: 'cli',
    };
    await ask(`${baseUrl}/v1/ask?key=secret-key-6`, { headers: { ...credentials, ...names } });
    await ended(1);
    const { headers, secrets, path } = seen[0]!.start;
    expect(headers).toEqual(names);
    expect(path).toBe('/v1/ask');
    expect(secrets).toEqual(
      expect.arrayContaining([
        'Bearer sk-secret-1',
        'sk-secret-1',
        'session=secret-2',
        'secret-key-3',
        'secret-key-4',
        'secret-key-5',
        'secret-key-6',
      ]),
    );
  });

  it('gets headers about the type, the request and limits, and no cookies', async () => {
    const observed = {
      'content-type': 'text/event-stream',
      'x-request-id': 'r-1',
      'anthropic-ratelimit-unified-5h-utilization': '0.5',
      'x-ratelimit-remaining-tokens': '10',
      'x-codex-primary-used-percent': '12',
      'retry-after': '3',
    };
    const { origin } = await answering('ok', { ...observed, 'set-cookie': 'secret', 'x-other': 'value' });
    const { baseUrl, seen, ended } = await proxied(origin);
    await ask(`${baseUrl}/v1/ask`);
    await ended(1);
    expect(seen[0]?.headers).toEqual(observed);
  });

  it.each(encodings)(
    'gets bodies in %s decompressed, while they pass as they are',
    async (encoding, compress) => {
      const answer = compress(text);
      const question = compress('question');
      const { origin, bodies } = await answering(answer, { 'content-encoding': encoding });
      const { baseUrl, seen, ended } = await proxied(origin);
      const headers = { 'content-encoding': encoding };
      expect((await ask(`${baseUrl}/v1/ask`, { headers, body: question })).body).toEqual(answer);
      expect(bodies).toEqual([question]);
      await ended(1);
      expect(seen[0]).toMatchObject({ body: Buffer.from('question'), outcome: 'complete' });
      expect(String(seen[0]?.response)).toBe(text);
      expect(seen[0]?.calls).toEqual(['body', 'head', 'chunk', 'end']);
    },
  );

  it.each(encodings)('gets what came of a response in %s that breaks off', async (encoding, compress) => {
    const whole = compress(
      Array.from({ length: 20_000 }, (_, number) => createHash('md5').update(`${number}`).digest('hex')).join(
        '',
      ),
    );
    const origin = await upstreamServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
    });
    const { baseUrl, seen, log, ended } = await proxied(origin);
    await expect(ask(`${baseUrl}/v1/ask`)).rejects.toThrow();
    await ended(1);
    expect(seen[0]?.outcome).toBe('cut-off');
    expect(seen[0]?.response.length).toBeGreaterThan(100_000);
    expect(log).toEqual([]);
  });

  it('gets events of a compressed stream as they come', async () => {
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    const origin = await upstreamServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      gzip.pipe(response);
      gzip.write('first');
    });
    const { given, give } = signal();
    const told: string[] = [];
    const { port } = await proxied(origin, {
      observe: () => ({
        body: () => {},
        head: () => {},
        chunk: (bytes) => {
          told.push(Buffer.from(bytes).toString());
          give();
        },
        end: () => {},
      }),
    });
    const socket = await connected(port);
    socket.write(`POST /${token}/v1/ask HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n\r\n`);
    await given;
    expect(told).toEqual(['first']);
    gzip.end();
  });

  it('gets no body above the limit for recording, which passes all the same', async () => {
    const { origin, bodies } = await answering('ok');
    const { baseUrl, seen, ended } = await proxied(origin);
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, 'a');
    await ask(`${baseUrl}/v1/ask`, { body });
    await ended(1);
    expect(bodies[0]?.equals(body)).toBe(true);
    expect(seen[0]).toMatchObject({
      body: undefined,
      outcome: 'complete',
      calls: ['body', 'head', 'chunk', 'end'],
    });
  });

  it.each<readonly [title: string, encoding: string, body: Buffer]>([
    ['that grows above the limit', 'gzip', gzipSync(Buffer.alloc(65 * 1024 * 1024))],
    ['that is damaged', 'gzip', Buffer.from('no gzip')],
    ['in an unknown encoding', 'compress', Buffer.from('packed')],
  ])('gets no body %s, which passes all the same', async (_title, encoding, body) => {
    const { origin, bodies } = await answering('ok');
    const { baseUrl, seen, ended } = await proxied(origin);
    await ask(`${baseUrl}/v1/ask`, { headers: { 'content-encoding': encoding }, body });
    await ended(1);
    expect(bodies).toEqual([body]);
    expect(seen[0]).toMatchObject({ body: undefined, outcome: 'complete' });
  });
});

describe('a response that an observer cannot get', () => {
  const bomb = brotliCompressSync(Buffer.alloc(100_000_000), fast);

  it.each<readonly [title: string, encoding: string, body: Buffer, line: RegExp]>([
    ['a bomb', 'br', bomb, /grows too much/u],
    ['damaged data', 'gzip', Buffer.alloc(200_000, 'no gzip'), /cannot be read/u],
    ['an unknown encoding', 'compress', Buffer.from('packed'), /compress/u],
  ])('passes whole: %s', async (_title, encoding, body, line) => {
    const { origin } = await answering(body, { 'content-encoding': encoding });
    const { baseUrl, seen, log, ended } = await proxied(origin);
    expect((await ask(`${baseUrl}/v1/ask`)).body.equals(body)).toBe(true);
    await ended(1);
    expect(seen[0]?.outcome).toBe('complete');
    expect(seen[0]?.response.length).toBeLessThan(17_000_000);
    expect(log).toEqual([expect.stringMatching(line)]);
  });
});

describe('an observer that fails', () => {
  const quiet = { body: () => {}, head: () => {}, chunk: () => {}, end: () => {} };
  const fail = () => {
    throw new Error('the disk is full');
  };

  it.each(['body', 'head', 'chunk', 'end'])(
    'in %s is told nothing more, and the client notices nothing',
    async (call) => {
      const { origin } = await answering('hello');
      const { baseUrl, log } = await proxied(origin, { observe: () => ({ ...quiet, [call]: fail }) });
      expect(String((await ask(`${baseUrl}/v1/ask`, { body: 'a' })).body)).toBe('hello');
      expect(String((await ask(`${baseUrl}/v1/models`)).body)).toBe('hello');
      expect(log).toEqual([expect.stringMatching(/the disk is full/u)]);
    },
  );

  it('at the start leaves the exchange alone', async () => {
    const { origin } = await answering('hello');
    const { baseUrl, log } = await proxied(origin, { observe: fail });
    expect(String((await ask(`${baseUrl}/v1/ask`)).body)).toBe('hello');
    expect(log).toEqual(['A request is passed on, but could not be recorded.']);
  });
});

describe('a response that comes before the end of the request', () => {
  it('is told after the body of the request', async () => {
    const origin = await upstreamServer((request, response) => {
      response.write('early');
      request.resume().on('end', () => response.end('late'));
    });
    const { port, seen, ended } = await proxied(origin);
    const socket = await connected(port);
    socket.write(
      `POST /${token}/v1/ask HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 4\r\nConnection: close\r\n\r\n`,
    );
    await readUntil(socket, 'early');
    socket.write('body');
    await allOf(socket);
    await ended(1);
    expect(seen[0]).toMatchObject({ body: Buffer.from('body'), calls: ['body', 'head', 'chunk', 'end'] });
    expect(String(seen[0]?.response)).toBe('earlylate');
  });
});
