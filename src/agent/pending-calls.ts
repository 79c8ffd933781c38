/** The answer to a call that was sent to another thread or process, by the id of the call. */
export type CallReply<Value = unknown> =
  { readonly id: number; readonly value: Value } | { readonly id: number; readonly error: string };

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** Calls on one end of a channel that wait for their answers. The channel itself does the transport. */
export class PendingCalls<Value = unknown> {
  private readonly waiting = new Map<number, Waiting<Value>>();
  private lastId = 0;

  /** The number of calls without an answer. */
  get size(): number {
    return this.waiting.size;
  }

  /**
   * Makes a call.
   *
   * @param send sends it under an id; if that fails, so does the call
   */
  begin(send: (id: number) => void): Promise<Value> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      send(id);
      this.waiting.set(id, { resolve, reject });
    });
  }

  /** Ends a call. An answer to no call is ignored. */
  settle(reply: CallReply<Value>): void {
    if ('error' in reply) this.reject(reply.id, new Error(reply.error));
    else {
      this.waiting.get(reply.id)?.resolve(reply.value);
      this.waiting.delete(reply.id);
    }
  }

  /** Ends a call with an error of the channel's own making. */
  reject(id: number, error: Error): void {
    this.waiting.get(id)?.reject(error);
    this.waiting.delete(id);
  }

  /** Ends all calls that wait: no answer to them will come. */
  rejectAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
