import type { Worker } from 'node:worker_threads';
import { CompactionFailure, messageOf } from '../compaction/records/reason.ts';
import type { ReasonCode } from '../compaction/records/record.ts';
import { type CancellationSignal, orCancelled } from '../compaction/signals/cancellation.ts';
import { type Sentence, SentenceError } from '../language/sentence.ts';

/** Calls in both directions between this program and its threads or processes, over any transport. */

/** A call with an id that its sender chose, or the reply to it, as plain data. */
export type ChannelMessage = CallMessage | ReplyMessage;

interface CallMessage {
  readonly id: number;
  readonly call: string;
  readonly parameters: readonly unknown[];
}

export type ReplyMessage = { readonly id: number; readonly value?: unknown } | ErrorReply;

export interface ErrorReply {
  readonly id: number;
  readonly error: SentError;
}

/** An error as plain data. */
export interface SentError {
  readonly message: string;
  /** The reason why a strategy has no plan; undefined for other errors. */
  readonly code?: ReasonCode | undefined;
  readonly sentence?: Sentence | undefined;
}

/** Functions that one side offers to the other. */
type Offer<Functions> = { readonly [Name in keyof Functions]: (...parameters: never) => unknown };

/** Implementations of the offered functions. */
export type CallHandlers<Functions extends Offer<Functions>> = {
  readonly [Name in keyof Functions]: (
    ...parameters: Parameters<Functions[Name]>
  ) => ReturnType<Functions[Name]> | Promise<Awaited<ReturnType<Functions[Name]>>>;
};

/** Limits on waiting for a reply. The other end is not notified, because a worker's owner ends the worker. */
interface CallLimits {
  readonly signal?: CancellationSignal;
  readonly deadline?: Deadline;
}

interface Deadline {
  readonly milliseconds: number;
  readonly error: () => Error;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One end of a channel. It calls `Theirs` at the other end and implements `Ours`. */
export class WorkerChannel<Theirs extends Offer<Theirs>, Ours extends Offer<Ours>> {
  private readonly send: (message: ChannelMessage) => unknown;
  private readonly handlers: CallHandlers<Ours>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly serving = new Set<number>();
  private failure: Error | undefined;
  private lastId = 0;

  /** @param send passes a message to the other end; throws or rejects if that fails */
  constructor(send: (message: ChannelMessage) => unknown, handlers: CallHandlers<Ours>) {
    this.send = send;
    this.handlers = handlers;
  }

  get pending(): number {
    return this.waiting.size;
  }

  get isOpen(): boolean {
    return this.failure === undefined;
  }

  /** Calls a function at the other end. @throws its error, {CancelledError}, or the reason why the channel failed */
  async call<Name extends keyof Theirs & string>(
    name: Name,
    parameters: Parameters<Theirs[Name]>,
    limits: CallLimits = {},
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    if (this.failure !== undefined) throw this.failure;
    const id = ++this.lastId;
    const reply = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.carry({ id, call: name, parameters }).catch(reject);
    });
    try {
      return (await within(reply, limits)) as Awaited<ReturnType<Theirs[Name]>>;
    } finally {
      this.waiting.delete(id);
    }
  }

  /** Handles a message from the other end. Resolves when the call in the message has been answered. */
  async receive(message: ChannelMessage): Promise<void> {
    if ('call' in message) return this.answer(message);
    const call = this.waiting.get(message.id);
    if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.value);
  }

  /** Fails all waiting and later calls with the first reason, because no reply can arrive. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.values()) reject(this.failure);
  }

  /** Answers all calls in progress with an error, because this end cannot continue. */
  giveUp(error: unknown): void {
    for (const id of this.serving) void this.send({ id, error: sentError(error) });
    this.serving.clear();
  }

  private async answer({ id, call, parameters }: CallMessage): Promise<void> {
    const reply = async (message: ReplyMessage) => {
      if (this.serving.has(id)) await this.carry(message);
    };
    this.serving.add(id);
    try {
      // A value that is not plain data cannot be sent, so the call fails.
      await reply({ id, value: await this.run(call, parameters) });
    } catch (error) {
      await reply({ id, error: sentError(error) }).catch((problem: unknown) =>
        reply({ id, error: sentError(problem) }),
      );
    } finally {
      this.serving.delete(id);
    }
  }

  private run(call: string, parameters: readonly unknown[]): unknown {
    if (!Object.hasOwn(this.handlers, call)) throw new Error(`There is no function "${call}".`);
    const handler = this.handlers[call as keyof Ours] as (...given: readonly unknown[]) => unknown;
    return handler(...parameters);
  }

  private async carry(message: ChannelMessage): Promise<void> {
    await this.send(message);
  }
}

interface ThreadPort {
  postMessage(message: ChannelMessage): void;
  on(event: 'message', listener: (message: ChannelMessage) => void): unknown;
}

/** Opens a channel from a thread to its host. Messages are not checked, because both ends are our own code. */
export function channelOfPort<Theirs extends Offer<Theirs>, Ours extends Offer<Ours>>(
  port: ThreadPort,
  handlers: CallHandlers<Ours>,
): WorkerChannel<Theirs, Ours> {
  const channel = new WorkerChannel<Theirs, Ours>((message) => port.postMessage(message), handlers);
  port.on('message', (message) => void channel.receive(message));
  return channel;
}

/** Opens a channel to a thread. It fails if the thread fails, or with the reason `ended` when the thread ends. */
export function channelToThread<Theirs extends Offer<Theirs>, Ours extends Offer<Ours>>(
  thread: Worker,
  handlers: CallHandlers<Ours>,
  ended: Sentence,
): WorkerChannel<Theirs, Ours> {
  const channel = channelOfPort<Theirs, Ours>(thread, handlers);
  thread.on('error', (error: Error) => channel.fail(error));
  thread.on('exit', () => channel.fail(new SentenceError(ended)));
  return channel;
}

/** Waits for work until a time limit. @throws {CancelledError} if the signal is aborted first */
export async function within<T>(work: Promise<T>, { signal, deadline }: CallLimits): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    if (deadline === undefined) return;
    timer = setTimeout(() => reject(deadline.error()), deadline.milliseconds);
  });
  const inTime = Promise.race([work, late]);
  try {
    return await (signal === undefined ? inTime : orCancelled(inTime, signal));
  } finally {
    clearTimeout(timer);
  }
}

function sentError(error: unknown): SentError {
  const message = messageOf(error);
  if (error instanceof CompactionFailure) {
    const { code, phrase } = error;
    return typeof phrase === 'string' ? { message, code } : { message, code, sentence: phrase };
  }
  return error instanceof SentenceError ? { message, sentence: error.sentence } : { message };
}

function errorOf({ message, code, sentence }: SentError): Error {
  if (code !== undefined) return new CompactionFailure(code, sentence ?? message);
  return sentence === undefined ? new Error(message) : new SentenceError(sentence);
}
