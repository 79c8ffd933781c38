import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker } from '../../../src/agent/custom-strategy/worker-process.ts';
import { findSandbox } from '../../../src/agent/command/find-sandbox.ts';

const sandbox = await findSandbox();
if (typeof sandbox !== 'string') sandbox.dispose();

/** Programs in the place of the worker, which JavaScript does not confine. */
describe.skipIf(typeof sandbox === 'string')('startWorker', () => {
  let folder: string;
  let server: Server;
  let abstract: Server;
  let met = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'worker-')));
    [server, abstract] = [0, 1].map(() => createServer((socket) => (met++, socket.end('met')))) as [
      Server,
      Server,
    ];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    if (process.platform === 'linux') {
      await new Promise<void>((resolve) => abstract.listen(`\0worker-${process.pid}`, resolve));
    }
  });
  afterAll(async () => {
    server.close();
    abstract.close();
    await rm(folder, { recursive: true });
  });

  /** @param body sets `said`; has `net`, `dgram`, `dns`, `fs` */
  async function run(body: string) {
    const file = path.join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(
      file,
      `import net from 'node:net'; import dgram from 'node:dgram'; import dns from 'node:dns'; import fs from 'node:fs'; import os from 'node:os';
       let said;
       const connect = (...to) => new Promise((resolve) => {
         const socket = net.connect(...to);
         socket.once('connect', () => resolve('connected')).once('error', (error) => resolve(error.code));
       });
       try { ${body} } catch (error) { said = error.code ?? String(error); }
       const text = Buffer.from(JSON.stringify(String(said)));
       const size = Buffer.alloc(4); size.writeUInt32LE(text.length);
       fs.writeSync(3, Buffer.concat([size, text]));`,
    );
    const worker = await startWorker(pathToFileURL(file), []);
    for await (const frame of worker.messages) return JSON.parse(frame.toString()) as string;
    return worker.ended;
  }

  it('runs a program that may read its folder', async () => {
    expect(await run(`said = fs.readdirSync(${JSON.stringify(folder)}).length > 0;`)).toBe('true');
  });

  it('gives the program no network, whatever API it uses', async () => {
    const { port } = server.address() as AddressInfo;
    const tried = {
      tcp: `said = await connect(${port}, '127.0.0.1');`,
      fetch: `said = await fetch('http://127.0.0.1:${port}').then(() => 'connected', () => 'failed');`,
      ...(process.platform === 'linux'
        ? { abstract: `said = await connect('\\0worker-${process.pid}');` }
        : {}),
      name: `said = await dns.promises.resolve4('localhost.example').then(() => 'connected', (e) => e.code);`,
      udp: `const s = dgram.createSocket('udp4'); said = await new Promise((r) => s.send('x', 53, '192.0.2.1', (e) => r(e?.code ?? 'connected')));`,
    };
    for (const [name, body] of Object.entries(tried))
      expect([name, await run(body)]).not.toContain('connected');
    expect(met).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'gives the program no network device but its own loopback',
    async () => {
      expect(await run(`said = Object.keys(os.networkInterfaces()).filter((name) => name !== 'lo');`)).toBe(
        '',
      );
    },
  );

  it('reports the signal that ended the program', async () => {
    expect(await run(`process.kill(process.pid, 'SIGXCPU'); await new Promise(() => {});`)).toEqual({
      kind: 'signal',
      signal: 'SIGXCPU',
    });
  });
});
