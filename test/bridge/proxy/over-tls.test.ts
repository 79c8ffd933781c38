import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, proxied, socketServer } from './proxied.ts';

/** Creates a certificate that no authority has issued. @returns undefined if this machine cannot */
function selfSigned(): { readonly key: string; readonly cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2'];
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert, ...subject],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const certificate = selfSigned();

async function tlsServer(): Promise<number> {
  const server = createServer({ ...certificate }, (_request, response) => void response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy as companies have it. @returns its address, and the hosts that it was asked for */
async function tunnel(
  port: number | undefined,
): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const origin = await socketServer((socket: Socket) => {
    socket.once('data', (bytes) => {
      asked.push(/^CONNECT (\S+)/u.exec(String(bytes))?.[1] ?? '');
      if (port === undefined) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      else {
        const further = connect(port, '127.0.0.1');
        further.on('error', () => socket.destroy());
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(further).pipe(socket);
      }
    });
  });
  return { origin, asked };
}

afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(certificate === undefined)('an upstream over TLS', () => {
  it('whose certificate does not fit is not asked, and the advice names the variable', async () => {
    const { baseUrl, log } = await proxied(`https://127.0.0.1:${await tlsServer()}`);
    const { status, body } = await ask(`${baseUrl}/v1/ask`);
    expect(status).toBe(502);
    expect(String(body)).toMatch(/certificate of 127\.0\.0\.1:\d+ is not accepted.*NODE_EXTRA_CA_CERTS/u);
    expect(log).toHaveLength(1);
  });

  it('is reached through the proxy of the environment', async () => {
    const { origin, asked } = await tunnel(await tlsServer());
    vi.stubEnv('HTTPS_PROXY', origin);
    vi.stubEnv('https_proxy', origin);
    const { baseUrl } = await proxied('https://upstream.example/v1');
    expect(String((await ask(`${baseUrl}/v1/ask`)).body)).toMatch(/certificate of upstream\.example/u);
    expect(asked).toEqual(['upstream.example:443']);
  });

  it('is named if the proxy of the environment refuses', async () => {
    const { origin } = await tunnel(undefined);
    vi.stubEnv('HTTPS_PROXY', origin);
    vi.stubEnv('https_proxy', origin);
    const { baseUrl } = await proxied('https://upstream.example/v1');
    const { status, body } = await ask(`${baseUrl}/v1/ask`);
    expect(status).toBe(502);
    expect(String(body)).toMatch(/proxy in HTTPS_PROXY did not connect to upstream\.example/u);
  });

  it('is reached directly on this machine', async () => {
    const { origin, asked } = await tunnel(undefined);
    vi.stubEnv('HTTPS_PROXY', origin);
    vi.stubEnv('https_proxy', origin);
    const { baseUrl } = await proxied(`https://127.0.0.1:${await tlsServer()}`);
    expect((await ask(`${baseUrl}/v1/ask`)).status).toBe(502);
    expect(asked).toEqual([]);
  });

  it('is reached directly if the address of the proxy is not valid', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://[no-address');
    vi.stubEnv('https_proxy', 'http://[no-address');
    const { log } = await proxied('https://upstream.example/v1');
    expect(log).toEqual(['The address in HTTPS_PROXY is not valid, and is not used.']);
  });
});
