import { Worker } from 'node:worker_threads';
import { type CallHandlers, channelToThread, WorkerChannel } from '../../agent/worker-channel.ts';
import { SentenceError } from '../../language/sentence.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { EngineChannel, EngineHost, EngineThread, HostChannel } from './engine-calls.ts';

/** Maximum number of times that the thread is started. The thread is restarted once if it dies. */
const mostThreads = 2;

/**
 * The connection to the engine. If its thread dies, the thread is restarted once. If it dies again, the engine runs
 * on this thread in slices.
 */
export class EngineLink {
  private readonly script: URL;
  private readonly handlers: CallHandlers<EngineHost>;
  private readonly warn: (message: string) => void;
  private channel: Promise<EngineChannel> | undefined;
  private thread: Worker | undefined;
  private threads = 0;
  private isDisposed = false;

  /** @param script the bundled `engine-worker.js` @param warn writes a line to the log */
  constructor(script: URL, handlers: CallHandlers<EngineHost>, warn: (message: string) => void) {
    this.script = script;
    this.handlers = handlers;
    this.warn = warn;
  }

  /** Runs work on the engine, and again if the thread dies. @throws the error of the work, unless the thread died */
  async run<T>(work: (channel: EngineChannel) => Promise<T>): Promise<T> {
    for (;;) {
      const channel = await this.opened();
      try {
        return await work(channel);
      } catch (error) {
        if (channel.isOpen || this.isDisposed) throw error;
        this.warn(`The engine's thread ended: ${String(error)}`);
      }
    }
  }

  /** Ends the thread. Pending calls are rejected. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.thread?.terminate();
  }

  /** @throws {SentenceError} after disposal */
  private async opened(): Promise<EngineChannel> {
    if (this.isDisposed) throw new SentenceError(hostSentences.say('engineEnded'));
    const known = this.channel;
    if (known !== undefined && (await known).isOpen) return known;
    // The first waiting caller opens the next channel.
    if (this.channel === undefined || this.channel === known) this.channel = this.open();
    return this.channel;
  }

  private open(): Promise<EngineChannel> {
    if (this.threads < mostThreads) return Promise.resolve(this.start());
    this.warn('The engine goes on without a thread of its own.');
    return openHere(this.handlers);
  }

  private start(): EngineChannel {
    this.threads++;
    const thread = new Worker(this.script);
    thread.unref();
    this.thread = thread;
    return channelToThread<EngineThread, EngineHost>(thread, this.handlers, hostSentences.say('engineEnded'));
  }
}

/** A channel whose other end is on this thread. Messages are not copied. */
async function openHere(handlers: CallHandlers<EngineHost>): Promise<EngineChannel> {
  // Loaded here because this is rarely needed.
  const { createEngine } = await import('./create-engine.ts');
  const here: EngineChannel = new WorkerChannel<EngineThread, EngineHost>(
    (message) => void there.receive(message),
    handlers,
  );
  const there: HostChannel = new WorkerChannel<EngineHost, EngineThread>(
    (message) => void here.receive(message),
    createEngine(() => there),
  );
  return here;
}
