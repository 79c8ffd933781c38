import { Worker } from 'node:worker_threads';
import { type CallHandlers, channelToThread, WorkerChannel } from '../../agent/worker-channel.ts';
import { SentenceError } from '../../language/sentence.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { EngineChannel, EngineHost, EngineThread, HostChannel } from './engine-calls.ts';

/** Times that a thread is started: once more if the first one died. */
const mostThreads = 2;

/**
 * The way to the engine: a thread that starts with the first work. One that dies is started once more, and its work is
 * done again; if that dies, too, the engine runs on this thread, in slices.
 */
export class EngineLink {
  private readonly script: URL;
  private readonly handlers: CallHandlers<EngineHost>;
  private readonly warn: (message: string) => void;
  private channel: Promise<EngineChannel> | undefined;
  private thread: Worker | undefined;
  private threads = 0;
  private isDisposed = false;

  /**
   * @param script the bundled `engine-worker.js`
   * @param handlers functions of the host
   * @param warn writes a line into the log
   */
  constructor(script: URL, handlers: CallHandlers<EngineHost>, warn: (message: string) => void) {
    this.script = script;
    this.handlers = handlers;
    this.warn = warn;
  }

  /**
   * Has the engine do something, a second time if its thread died meanwhile.
   *
   * @throws whatever the work throws, unless the thread died
   */
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

  /** Ends the thread. Those who wait for it are told. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.thread?.terminate();
  }

  /** @throws {SentenceError} once it was disposed of */
  private async opened(): Promise<EngineChannel> {
    if (this.isDisposed) throw new SentenceError(hostSentences.say('engineEnded'));
    const known = this.channel;
    if (known !== undefined && (await known).isOpen) return known;
    // Of several who wait, the first opens the next one.
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

/** A channel whose other end is on this thread. What goes through it is not copied. */
async function openHere(handlers: CallHandlers<EngineHost>): Promise<EngineChannel> {
  // Hardly ever needed.
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
