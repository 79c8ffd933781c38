import { afterEach, describe, expect, test } from 'vitest';
import { guardedFetch, RedirectError } from '../../../src/agent/network/guarded-fetch.ts';
import { loopbackServer, type LoopbackServer } from '../../support/loopback-server.ts';

const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function started(...args: Parameters<typeof loopbackServer>): Promise<LoopbackServer> {
  const server = await loopbackServer(...args);
  servers.push(server);
  return server;
}

const sent = { method: 'POST', body: 'a secret', headers: { 'api-key': 'k', cookie: 'c' } };

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('with status %i to another origin sends nothing', async (status) => {
    const other = await started((_request, response) => response.end('mine now'));
    const server = await started((_request, response) => {
      response.writeHead(status, { location: `${other.origin}/v1/chat?token=t` }).end();
    });
    const failure = guardedFetch(`${server.origin}/v1/chat`, sent);
    await expect(failure).rejects.toThrow(RedirectError);
    await expect(failure).rejects.toThrow(`redirects to ${other.origin}/v1/chat (HTTP ${status})`);
    expect(other.requests).toEqual([]);
  });

  test.each(['http://localhost:1/x', 'https://127.0.0.1/', '//example.com/', 'file:///etc/passwd', 'x://y'])(
    'to %s is not followed',
    async (location) => {
      const server = await started((_request, response) => response.writeHead(308, { location }).end());
      await expect(guardedFetch(server.origin, sent)).rejects.toThrow(RedirectError);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([307, 308])(
    'with status %i within the origin is followed once, with the whole request',
    async (status) => {
      const server = await started((request, response) => {
        if (request.url === '/a') response.writeHead(status, { location: '/a/' }).end();
        else response.end('there');
      });
      const response = await guardedFetch(`${server.origin}/a`, sent);
      expect(await response.text()).toBe('there');
      expect(server.requests.at(-1)).toMatchObject({ method: 'POST', url: '/a/', body: 'a secret' });
    },
  );

  test('that leads to a second redirect is an error', async () => {
    const server = await started((_request, response) => {
      response.writeHead(307, { location: '/again' }).end();
    });
    await expect(guardedFetch(server.origin, sent)).rejects.toThrow(RedirectError);
    expect(server.requests).toHaveLength(2);
  });

  test('without an address is an error', async () => {
    const server = await started((_request, response) => response.writeHead(302).end());
    await expect(guardedFetch(server.origin)).rejects.toThrow('redirects to an invalid address');
  });
});
