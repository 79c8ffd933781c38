import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  ask,
  connected,
  freePort,
  proxied,
  readUntil,
  sendRaw,
  signal,
  socketServer,
  token,
  upstreamServer,
} from './proxied.ts';

function post(port: number, ...headers: readonly string[]): string {
  return [`POST /${token}/v1/ask HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');
}

/** A server that answers the first bytes of each connection with these, and leaves the rest to the test. */
async function beginning(bytes: string, then: (socket: Socket) => void): Promise<string> {
  return socketServer((socket) => {
    socket.once('data', () => socket.write(bytes, 'latin1', () => then(socket)));
  });
}

describe('an upstream that breaks off', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n';
  const counted = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';

  it.each<readonly [title: string, bytes: string, then: (socket: Socket) => void]>([
    ['in a chunked response', chunked, (socket) => socket.end()],
    ['in a chunk', `${chunked}100\r\nmore`, (socket) => socket.end()],
    ['in a response with a length', counted, (socket) => socket.end()],
    ['with an invalid chunk', chunked, (socket) => socket.write('zz\r\n')],
  ])('%s shows the client what came, and no end', async (_title, bytes, then) => {
    const { port, seen, ended } = await proxied(await beginning(bytes, then));
    const answer = await sendRaw(port, post(port, 'Content-Length: 0'));
    expect(answer).toMatch(/half/u);
    expect(answer).not.toMatch(/\r\n0\r\n/u);
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'cut-off', status: 200 });
    expect(String(seen[0]?.response)).toMatch(/^half/u);
  });

  it('with a reset breaks the client off, too', async () => {
    const origin = await beginning(chunked, (socket) => socket.once('data', () => socket.resetAndDestroy()));
    const { port, seen, ended } = await proxied(origin);
    const socket = await connected(port);
    socket.write(post(port, 'Content-Length: 4'));
    await readUntil(socket, 'half');
    socket.write('body');
    expect(await allOf(socket)).not.toMatch(/\r\n0\r\n/u);
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'cut-off' });
  });

  it('does not look complete to HTTP/1.0, in which a response ends with the connection', async () => {
    const { port } = await proxied(await beginning(counted, (socket) => socket.end()));
    const request = [`POST /${token}/ HTTP/1.0`, `Host: 127.0.0.1:${port}`, '', ''].join('\r\n');
    expect(await sendRaw(port, request)).toMatch(/\[reset\]$/u);
  });

  it('is an error for the client of Node', async () => {
    const { baseUrl } = await proxied(await beginning(chunked, (socket) => socket.end()));
    await expect(ask(`${baseUrl}/v1/ask`)).rejects.toThrow('aborted');
  });
});

describe('for an upstream without an answer, the proxy answers', () => {
  const lengths = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n';
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n';

  it.each<readonly [title: string, answer: (socket: Socket) => void, advice: RegExp]>([
    ['hangs up', (socket) => socket.end(), /closed the connection/u],
    ['resets', (socket) => socket.resetAndDestroy(), /closed the connection/u],
    ['stops in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nConte'), /closed the connection/u],
    ['speaks something else', (socket) => socket.write('220 smtp.example ESMTP\r\n'), /not valid HTTP/u],
    [
      'sends an endless head',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}`),
      /not valid/u,
    ],
    ['sends two lengths', (socket) => socket.write(lengths), /not valid HTTP/u],
    ['changes the protocol', (socket) => socket.write(upgrade), /failed/u],
  ])('if it %s', async (_title, answer, advice) => {
    const origin = await socketServer((socket) => void socket.once('data', () => answer(socket)));
    const { baseUrl, log, seen, ended } = await proxied(origin);
    const { status, body, message } = await ask(`${baseUrl}/v1/ask`, { body: '{}' });
    expect([status, message.headers['content-type']]).toEqual([502, 'application/json']);
    const error = { status: 502, message: expect.stringMatching(advice) as string };
    expect(JSON.parse(String(body))).toEqual({ error });
    expect(log).toEqual([expect.stringMatching(advice)]);
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'unreachable', calls: ['body', 'end'] });
  });

  it.each<readonly [title: string, upstream: () => Promise<string>, advice: RegExp]>([
    ['the port is closed', async () => `http://127.0.0.1:${await freePort()}`, /Nothing answers at 127/u],
    ['its name is unknown', async () => 'http://no-such-host.invalid', /No server has the name/u],
    ['it speaks no TLS', async () => (await upstreamServer(() => {})).replace('http', 'https'), /TLS/u],
  ])('in one line if %s', async (_title, upstream, advice) => {
    const { baseUrl, log } = await proxied(await upstream());
    const { status, body } = await ask(`${baseUrl}/v1/models`, { method: 'GET' });
    expect(status).toBe(502);
    expect(String(body)).toMatch(/^Context Budget: [^\n]+\n$/u);
    expect(log).toEqual([expect.stringMatching(advice)]);
  });

  it('and the connection of the client goes on', async () => {
    let count = 0;
    const origin = await socketServer((socket) => {
      socket.on('data', () => {
        if (++count === 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const { baseUrl } = await proxied(origin);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await ask(`${baseUrl}/v1/ask`, { agent, method: 'GET' });
    const second = await ask(`${baseUrl}/v1/ask`, { agent, method: 'GET' });
    agent.destroy();
    expect([first.status, second.status, count]).toEqual([502, 200, 2]);
    expect(second.localPort).toBe(first.localPort);
  });

  it('but passes on an answer in HTML', async () => {
    const origin = await upstreamServer((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Busy</h1>');
    });
    const { baseUrl } = await proxied(origin);
    const { status, body } = await ask(`${baseUrl}/v1/ask`);
    expect([status, String(body)]).toEqual([503, '<h1>Busy</h1>']);
  });
});

describe('an upstream that answers before the end of the request', () => {
  it('does not block the connection if it stops reading', async () => {
    const origin = await socketServer((socket) => {
      socket.once('data', () => {
        socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmuch');
        socket.resume();
      });
    });
    const { port } = await proxied(origin);
    const socket = await connected(port);
    socket.write(post(port, 'Content-Length: 1000000'));
    expect(await readUntil(socket, 'much')).toMatch(/^HTTP\/1\.1 413 /u);
    socket.write(Buffer.alloc(1_000_000));
    socket.write(post(port, 'Content-Length: 0', 'Connection: close'));
    expect(await readUntil(socket, 'much')).toMatch(/^HTTP\/1\.1 413 /u);
  });

  it('gets the rest of the request', async () => {
    const origin = await upstreamServer((request, response) => {
      response.flushHeaders();
      request.on('data', (piece) => response.write(piece));
      request.on('end', () => response.end('!'));
    });
    const { port } = await proxied(origin);
    const socket = await connected(port);
    socket.write(post(port, 'Transfer-Encoding: chunked', 'Connection: close'));
    await readUntil(socket, '\r\n\r\n');
    socket.write('3\r\none\r\n');
    await readUntil(socket, 'one');
    socket.write('3\r\ntwo\r\n');
    await readUntil(socket, 'two');
    socket.write('0\r\n\r\n');
    expect(await allOf(socket)).toMatch(/!\r\n0\r\n/u);
  });
});

describe('a client that leaves', () => {
  /** An upstream that begins an answer to requests, and tells when a connection is closed. */
  async function streaming() {
    const { given: left, give: leaves } = signal();
    const { given: came, give: comes } = signal();
    const origin = await upstreamServer((request, response) => {
      comes();
      request.socket.once('close', leaves);
      request.resume();
      response.write('begin');
    });
    return { ...(await proxied(origin)), left, came };
  }

  it.each<readonly [title: string, leave: (socket: Socket) => void]>([
    ['with an end', (socket) => socket.end()],
    ['with a reset', (socket) => socket.resetAndDestroy()],
  ])('in the response %s ends the request to the upstream', async (_title, leave) => {
    const { port, left, seen, ended } = await streaming();
    const socket = await connected(port);
    socket.on('error', () => {});
    socket.write(post(port, 'Content-Length: 0'));
    await readUntil(socket, 'begin');
    leave(socket);
    await left;
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled', response: Buffer.from('begin') });
  });

  it('in its own body ends the request to the upstream', async () => {
    const { port, left, came, seen, ended } = await streaming();
    const socket = await connected(port);
    socket.on('error', () => {});
    socket.write(post(port, 'Content-Length: 100'));
    socket.write('part');
    await came;
    socket.destroy();
    await left;
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled', body: undefined });
  });

  it('before the answer begins ends the request to the upstream', async () => {
    const { given: left, give: leaves } = signal();
    const { given: came, give: comes } = signal();
    const origin = await upstreamServer((request) => {
      request.socket.once('close', leaves);
      comes();
    });
    const { port, seen, log, ended } = await proxied(origin);
    const socket = await connected(port);
    socket.write(post(port, 'Content-Length: 0'));
    await came;
    socket.destroy();
    await left;
    await ended(1);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled', calls: ['body', 'end'] });
    expect(log).toEqual([]);
  });

  it('with several open requests ends all of them', async () => {
    let open = 0;
    const { given: came, give: allCame } = signal();
    const { given: left, give: allLeft } = signal();
    const origin = await upstreamServer((request) => {
      request.socket.once('close', () => --open === 0 && allLeft());
      if (++open === 20) allCame();
    });
    const { port, ended } = await proxied(origin);
    const socket = await connected(port);
    socket.write(post(port, 'Content-Length: 0').repeat(20));
    await came;
    socket.destroy();
    await Promise.all([left, ended(20)]);
    expect(open).toBe(0);
  });

  it('before its promised length ends the request to the upstream', async () => {
    const { port, left, seen, ended } = await streaming();
    const socket = await connected(port);
    socket.end(`${post(port, 'Content-Length: 100')}part`);
    await Promise.all([left, ended(1)]);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled' });
  });

  it('after an invalid chunk ends the request to the upstream', async () => {
    const { port, left, came, seen, ended } = await streaming();
    const socket = await connected(port);
    socket.on('error', () => {});
    socket.write(post(port, 'Transfer-Encoding: chunked'));
    await came;
    const closed = once(socket, 'close');
    socket.write('zz\r\n');
    socket.resume();
    await Promise.all([left, ended(1), closed]);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled' });
  });

  it('is refused if it sends both a length and chunks', async () => {
    const { port, seen } = await streaming();
    const request = post(port, 'Content-Length: 5', 'Transfer-Encoding: chunked');
    expect(await sendRaw(port, request, '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u);
    expect(seen).toEqual([]);
  });
});

describe('a proxy', () => {
  it('names a port that is in use', async () => {
    const { port } = await proxied('http://127.0.0.1:1');
    await expect(proxied('http://127.0.0.1:1', { port })).rejects.toThrow(
      `Port ${port} is in use by another program. Leave out --port, and a free port is taken.`,
    );
  });

  it('ends what is open when it closes', async () => {
    const { given: came, give: comes } = signal();
    const { port, close, seen, ended } = await proxied(await upstreamServer(() => comes()));
    const socket = await connected(port);
    socket.write(post(port, 'Content-Length: 0'));
    await came;
    await Promise.all([close(), allOf(socket), ended(1)]);
    expect(seen[0]).toMatchObject({ outcome: 'cancelled' });
  });
});
