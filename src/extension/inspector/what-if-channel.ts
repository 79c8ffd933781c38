import { CompactionFailure, messageOf } from '../../compaction/failure.ts';
import type { ReasonCode } from '../../compaction/record.ts';

/** What goes from one thread to the other: a call, or how one ended. All of it is plain data. */
export type ChannelMessage =
  | { readonly id: number; readonly call: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ChannelError };

interface ChannelError {
  /** Why a strategy gave no plan, where that is what went wrong. */
  readonly code: ReasonCode | undefined;
  readonly message: string;
}

/** What the other side can call. */
export type Handlers = Readonly<Record<string, (...parameters: never) => unknown>>;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls between two threads, in both directions. Both are ours, so that parameters are what they are said to be. */
export class WhatIfChannel {
  private readonly send: (message: ChannelMessage) => void;
  private readonly handlers: Handlers;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private failure: Error | undefined;

  constructor(send: (message: ChannelMessage) => void, handlers: Handlers) {
    this.send = send;
    this.handlers = handlers;
  }

  /** @throws {CompactionFailure} or {Error}, as what was called did */
  call(name: string, ...parameters: readonly unknown[]): Promise<unknown> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, call: name, parameters });
    });
  }

  async receive(message: ChannelMessage): Promise<void> {
    if ('call' in message) return this.answer(message.id, message.call, message.parameters);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('value' in message) waiting?.resolve(message.value);
    else waiting?.reject(errorOf(message.error));
  }

  /** Tells everyone who waits, or calls from now on, that there will be no answer. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private async answer(id: number, name: string, parameters: readonly unknown[]): Promise<void> {
    try {
      const handler = this.handlers[name] as ((...given: readonly unknown[]) => unknown) | undefined;
      // What is no plain data cannot be sent, and is a failure of what was called.
      this.send({ id, value: await handler?.(...parameters) });
    } catch (error) {
      const code = error instanceof CompactionFailure ? error.code : undefined;
      this.send({ id, error: { code, message: messageOf(error) } });
    }
  }
}

function errorOf({ code, message }: ChannelError): Error {
  return code === undefined ? new Error(message) : new CompactionFailure(code, message);
}
