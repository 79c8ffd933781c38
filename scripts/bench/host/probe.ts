/**
 * The part of the `host` benchmark that runs in the extension host. It runs commands and measures delays of the event
 * loop, as the benchmark requests over HTTP on this machine.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type ActivationTimes, type Delays, portLine, type ProbeRequest } from './probe-protocol.ts';

/** Milliseconds between two checks of the event loop. */
const resolution = 1;
/** The host counts as idle if it worked for less than `share` of the last `during` milliseconds. */
const idle = { share: 0.1, during: 400 };

/** Called by VS Code. Resolves when the benchmark ends. */
export function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const gauge = new Gauge();
    const answer = async (request: ProbeRequest): Promise<unknown> => {
      switch (request.type) {
        case 'command':
          return (await vscode.commands.executeCommand(request.command, ...request.values)) ?? null;
        case 'file-command':
          return (
            (await vscode.commands.executeCommand(request.command, vscode.Uri.file(request.path))) ?? null
          );
        case 'start':
          return gauge.start();
        case 'stop':
          return gauge.stop();
        case 'activation':
          return activationTimes(request.extension);
        case 'end':
          return null;
      }
    };
    const server = createServer((incoming, response) => {
      void bodyOf(incoming).then(async (request) => {
        try {
          response.end(JSON.stringify((await answer(request)) ?? null));
        } catch (error) {
          response.writeHead(500).end(String(error));
        }
        if (request.type !== 'end') return;
        server.close();
        resolve();
      }, reject);
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => console.log(`${portLine}${(server.address() as AddressInfo).port}`));
  });
}

async function bodyOf(incoming: IncomingMessage): Promise<ProbeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ProbeRequest;
}

/** A row of the report: the id, whether the extension delayed the start, and three times. */
const activationRow = /^\| *([\w.-]+) *\|[^|]*\| *(\d+) *\| *(\d+) *\| *(\d+) *\|/gm;

/** Reads VS Code's report about its start. VS Code writes it when everything has started. */
async function activationTimes(extension: string): Promise<ActivationTimes> {
  // The report can be read only after it was shown.
  await vscode.commands.executeCommand('perfview.show');
  const uri = vscode.Uri.from({ scheme: 'perf', path: 'Startup Performance' });
  const report = await vscode.workspace.openTextDocument(uri);
  for (;;) {
    const row = [...report.getText().matchAll(activationRow)].find(([, id]) => id === extension);
    if (row !== undefined) {
      const [loading = NaN, call = NaN, resolving = NaN] = row.slice(2).map(Number);
      return { loading, call, resolving };
    }
    await sleep(100);
  }
}

/** Measures the delays between calls of `start` and `stop`. */
class Gauge {
  private readonly delays = monitorEventLoopDelay({ resolution });
  private ticking: NodeJS.Timeout | undefined;
  private work = 0;
  /** The longest pause between two checks, with the processor time that the thread used in it. */
  private longest = { pause: 0, work: 0 };
  private garbage = 0;
  private readonly collections = new PerformanceObserver((list) => {
    this.garbage = Math.max(this.garbage, ...list.getEntries().map(({ duration }) => duration));
  });

  async start(): Promise<void> {
    await atRest();
    this.work = 0;
    this.longest = { pause: 0, work: 0 };
    this.garbage = 0;
    this.collections.observe({ entryTypes: ['gc'] });
    let [before, checkedAt] = [workedSoFar(), performance.now()];
    this.ticking = setInterval(() => {
      const work = workedSoFar() - before;
      const pause = performance.now() - checkedAt;
      this.work = Math.max(this.work, work);
      if (pause > this.longest.pause) this.longest = { pause, work };
      [before, checkedAt] = [before + work, checkedAt + pause];
    }, resolution);
    this.delays.reset();
    this.delays.enable();
  }

  async stop(): Promise<Delays> {
    await atRest();
    this.delays.disable();
    clearInterval(this.ticking);
    this.collections.disconnect();
    return {
      max: this.delays.max / 1e6 - resolution,
      processor: this.longest.work,
      work: this.work,
      garbage: this.garbage,
    };
  }
}

/** Milliseconds for which a thread or a process has worked; by default this thread. */
function workedSoFar({ user, system } = process.threadCpuUsage()): number {
  return (user + system) / 1000;
}

/** Waits until the host and its workers are idle, and the editor's extension that opens with settings is active. */
async function atRest(): Promise<void> {
  await vscode.extensions.getExtension('vscode.json-language-features')?.activate();
  let before = workedSoFar(process.cpuUsage());
  for (;;) {
    await sleep(idle.during);
    const now = workedSoFar(process.cpuUsage());
    if (now - before < idle.share * idle.during) return;
    before = now;
  }
}
