import { describe, expect, it } from 'vitest';
import { proxied, sendRaw, token, upstreamServer } from './proxied.ts';

async function world() {
  let reached = 0;
  const upstream = await upstreamServer((_request, response) => {
    reached++;
    response.end('secret');
  });
  return { ...(await proxied(upstream)), reached: () => reached };
}

function get(target: string, host: string, ...headers: readonly string[]): string {
  return [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers, 'Connection: close', '', ''].join('\r\n');
}

describe('the proxy admits', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
    'a request with the token and the host %s',
    async (host) => {
      const { port } = await world();
      expect(await sendRaw(port, get(`/${token}/v1/models?a=1`, `${host}:${port}`))).toMatch(
        /^HTTP\/1\.1 200 /u,
      );
    },
  );
});

describe('the proxy refuses', () => {
  it.each<readonly [title: string, request: (port: number) => string]>([
    ['no token', (port) => get('/v1/models', `127.0.0.1:${port}`)],
    ['a wrong token of the same length', (port) => get(`/${token.slice(0, -1)}x/`, `127.0.0.1:${port}`)],
    ['the beginning of the token', (port) => get(`/${token.slice(0, -1)}/`, `127.0.0.1:${port}`)],
    ['more than the token', (port) => get(`/${token}x/`, `127.0.0.1:${port}`)],
    ['the token in another place', (port) => get(`/v1/${token}/`, `127.0.0.1:${port}`)],
    ['the token after an empty part', (port) => get(`//${token}/`, `127.0.0.1:${port}`)],
    ['the root', (port) => get('/', `127.0.0.1:${port}`)],
    ['a name that was rebound to this machine', (port) => get(`/${token}/`, `rebound.example:${port}`)],
    ['a name that begins like ours', (port) => get(`/${token}/`, `127.0.0.1.example:${port}`)],
    ['a user before our name', (port) => get(`/${token}/`, `x@127.0.0.1:${port}`)],
    ['another port', (port) => get(`/${token}/`, `127.0.0.1:${port === 1 ? 2 : port - 1}`)],
    ['no port', () => get(`/${token}/`, '127.0.0.1')],
    ['another address of this machine', (port) => get(`/${token}/`, `0.0.0.0:${port}`)],
    ['an origin', (port) => get(`/${token}/`, `127.0.0.1:${port}`, 'Origin: https://page.example')],
    ['our own origin', (port) => get(`/${token}/`, `127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`)],
    ['an opaque origin', (port) => get(`/${token}/`, `127.0.0.1:${port}`, 'Origin: null')],
    ['an absolute target', (port) => get(`http://127.0.0.1:${port}/${token}/`, `127.0.0.1:${port}`)],
    ['a target elsewhere', () => get('http://other.example/', 'other.example')],
    ['a tunnel', () => 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'],
    ['a WebSocket without the token', (port) => get('/', `127.0.0.1:${port}`, 'Upgrade: websocket')],
  ])('%s', async (_title, request) => {
    const { port, reached } = await world();
    const answer = await sendRaw(port, request(port));
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/u);
    expect(answer).not.toMatch(new RegExp(`${token}|secret|upstream`, 'u'));
    expect(reached()).toBe(0);
  });

  it('a request without a host', async () => {
    const { port, reached } = await world();
    expect(await sendRaw(port, `GET /${token}/ HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /u);
    expect(reached()).toBe(0);
  });

  it.each([
    [
      'a target that is too long',
      (port: number) => get(`/${token}/${'a'.repeat(70_000)}`, `127.0.0.1:${port}`),
    ],
    [
      'headers that are too long',
      (port: number) => get(`/${token}/`, `127.0.0.1:${port}`, `A: ${'a'.repeat(70_000)}`),
    ],
  ])('%s', async (_title, request) => {
    const { port, reached } = await world();
    expect(await sendRaw(port, request(port))).toMatch(/^HTTP\/1\.1 431 /u);
    expect(reached()).toBe(0);
  });

  it.each(['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'SSH-2.0-client\r\n', '{"jsonrpc":"2.0"}\n'])(
    'what is not HTTP: %j',
    async (bytes) => {
      const { port, log } = await world();
      expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 400 /u);
      expect(log).toEqual([expect.stringMatching(/^A client sent something that is not valid HTTP/u)]);
    },
  );

  it('connections from the network', async () => {
    const { port } = await world();
    const { networkInterfaces } = await import('node:os');
    const others = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
    );
    const { connect } = await import('node:net');
    for (const address of [...others, '127.0.0.2']) {
      const socket = connect(port, address);
      const outcome = await new Promise((resolve) =>
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused')),
      );
      socket.destroy();
      expect(outcome, address).toBe('refused');
    }
  });

  it('without a word of the request in the log', async () => {
    const { port, log } = await world();
    await sendRaw(
      port,
      get('/a-wrong-token', 'rebound.example', 'Authorization: Bearer key', 'Origin: https://page.example'),
    );
    expect(log.join('\n')).not.toMatch(/wrong-token|rebound|Bearer|page\.example/u);
    expect(log).toHaveLength(1);
  });
});
