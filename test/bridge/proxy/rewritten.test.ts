import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ProxyPorts } from '../../../src/bridge/proxy/proxy-server.ts';
import { ask, connected, proxied, readUntil, signal, token, upstreamServer } from './proxied.ts';

/** A server that returns what it got. */
async function rewriting(rewrite: NonNullable<ProxyPorts['rewrite']>) {
  const requests: { readonly headers: readonly string[]; readonly body: Buffer }[] = [];
  const origin = await upstreamServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      requests.push({ headers: request.rawHeaders, body: Buffer.concat(pieces) });
      response.end('ok');
    });
  });
  return { ...(await proxied(origin, { rewrite })), requests };
}

const shorter = async () => Buffer.from('shorter');

describe('a request for a reply', () => {
  it('is sent with another body and its length; the rest of the head stays', async () => {
    const { baseUrl, requests, seen, ended } = await rewriting(shorter);
    const headers = { 'X-First': '1', 'Content-Length': '8', 'X-Last': '2' };
    await ask(`${baseUrl}/v1/ask`, { headers, body: 'original' });
    expect(String(requests[0]?.body)).toBe('shorter');
    const names = ['X-First', '1', 'Content-Length', '7', 'X-Last', '2'];
    expect(requests[0]?.headers.slice(0, 6)).toEqual(names);
    await ended(1);
    expect(String(seen[0]?.body)).toBe('original');
  });

  it('in chunks stays in chunks', async () => {
    const { baseUrl, requests } = await rewriting(shorter);
    await ask(`${baseUrl}/v1/ask`, { headers: { 'transfer-encoding': 'chunked' }, body: 'original' });
    expect(String(requests[0]?.body)).toBe('shorter');
    expect(requests[0]?.headers).not.toContain('content-length');
  });

  it('that is compressed is changed without compression', async () => {
    const { baseUrl, requests } = await rewriting(async (_start, body) =>
      Buffer.from(`${Buffer.from(body)}!`),
    );
    const body = gzipSync('original');
    await ask(`${baseUrl}/v1/ask`, { headers: { 'content-encoding': 'gzip' }, body });
    expect(String(requests[0]?.body)).toBe('original!');
    expect(requests[0]?.headers).not.toContain('content-encoding');
  });

  it.each<readonly [title: string, rewrite: NonNullable<ProxyPorts['rewrite']>, log: readonly string[]]>([
    ['the same bytes', async (_start, body) => body, []],
    ['a copy of the bytes', async (_start, body) => Buffer.from(body), []],
    [
      'a failure',
      async () => {
        throw new Error('no plan');
      },
      ['A request could not be changed, and is passed on as it is.'],
    ],
  ])('is sent as it is after %s', async (_title, rewrite, expected) => {
    const { baseUrl, requests, log } = await rewriting(rewrite);
    const body = gzipSync('original');
    await ask(`${baseUrl}/v1/ask`, { headers: { 'content-encoding': 'gzip' }, body });
    expect(requests[0]?.body).toEqual(body);
    expect(requests[0]?.headers).toContain('content-encoding');
    expect(log).toEqual(expected);
  });

  it.each<readonly [title: string, headers: Readonly<Record<string, string>>, body: Buffer]>([
    ['is too large', {}, Buffer.alloc(64 * 1024 * 1024 + 100_000, 'a')],
    ['cannot be decompressed', { 'content-encoding': 'gzip' }, Buffer.from('no gzip')],
  ])('is sent as it is if its body %s', async (_title, headers, body) => {
    const { baseUrl, requests, seen, ended } = await rewriting(shorter);
    await ask(`${baseUrl}/v1/ask`, { headers, body });
    expect(requests[0]?.body.equals(body)).toBe(true);
    await ended(1);
    expect(seen[0]).toMatchObject({ body: undefined, outcome: 'complete' });
  });

  it('is asked for by the proxy if the client waits for 100 Continue', async () => {
    const { port, requests } = await rewriting(shorter);
    const socket = await connected(port);
    socket.write(
      `POST /${token}/v1/ask HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`,
    );
    await readUntil(socket, '100 Continue\r\n\r\n');
    socket.write('body');
    expect(await readUntil(socket, 'ok')).toMatch(/^HTTP\/1\.1 200 /u);
    expect(requests[0]?.headers).not.toContain('Expect');
  });

  it('is not sent if the client leaves while it is changed', async () => {
    const { given: came, give: comes } = signal();
    const { given: allowed, give: allow } = signal();
    const { port, requests, seen, ended } = await rewriting(async () => {
      comes();
      await allowed;
      return Buffer.from('shorter');
    });
    const socket = await connected(port);
    socket.write(
      `POST /${token}/v1/ask HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 4\r\n\r\nbody`,
    );
    await came;
    socket.destroy();
    await ended(1);
    allow();
    expect(seen[0]).toMatchObject({ outcome: 'cancelled' });
    expect(requests).toEqual([]);
  });
});

describe('a request for a count', () => {
  it('is not changed', async () => {
    const { baseUrl, requests } = await rewriting(shorter);
    await ask(`${baseUrl}/v1/count`, { body: 'original' });
    expect(String(requests[0]?.body)).toBe('original');
  });
});
