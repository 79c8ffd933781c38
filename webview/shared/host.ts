import { type MessageOf, type MessageTable, parseMessage } from '../../src/protocol/messages.ts';
import { isRecord } from '../../src/language/is-record.ts';

/** The page's connection to the extension. */
export interface Host<Request, Notification> {
  post(request: Request): void;
  onNotification(listener: (notification: Notification) => void): void;
  /** The state that this page saved last. An older version may have saved it, so callers must check it. */
  getState(): unknown;
  setState(state: unknown): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/**
 * Connects the page with the extension. Only called once, because VS Code's API can be acquired only once.
 *
 * @param notifications declares the extension's messages; other messages are ignored
 */
export function connect<Request, Table extends MessageTable>(
  notifications: Table,
): Host<Request, MessageOf<Table>> {
  const api = acquireVsCodeApi();
  return {
    post: (request) => api.postMessage(request),
    onNotification: (listener) => {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const notification = parseMessage(notifications, data);
        if (notification !== undefined) listener(notification);
      });
    },
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}

/** The state that a page keeps while it is hidden. Every change is saved at once. */
export class Remembered<State extends object> {
  private readonly host: Pick<Host<never, never>, 'setState'>;
  private state: State;

  constructor(host: Pick<Host<never, never>, 'setState'>, state: State) {
    this.host = host;
    this.state = state;
  }

  get current(): State {
    return this.state;
  }

  update(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.host.setState(this.state);
  }
}

/** Rows of a page that the user has opened. */
export interface OpenRows {
  has(key: string): boolean;
  set(key: string, isOpen: boolean): void;
}

/** @param write called with the open keys after each change */
export function openRows(read: () => readonly string[], write: (open: readonly string[]) => void): OpenRows {
  return {
    has: (key) => read().includes(key),
    set: (key, isOpen) => {
      const others = read().filter((other) => other !== key);
      write(isOpen ? [...others, key] : others);
    },
  };
}

/** The fields of a saved state; none if the state is not an object. */
export function savedFields(saved: unknown): Readonly<Record<string, unknown>> {
  return isRecord(saved) ? saved : {};
}

export function stringOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Milliseconds after which a request counts as lost, because the host may have failed. */
const patience = 10_000;

/**
 * Requests data that changes constantly. Only one request is open at a time. If more are made in the meantime, one
 * more follows after the answer.
 */
export class CoalescedRequest {
  private readonly post: () => void;
  /** Time of the last request; undefined if the host has answered. */
  private asked: number | undefined;
  private isStale = false;

  constructor(post: () => void) {
    this.post = post;
  }

  ask(): void {
    this.isStale = this.asked !== undefined && performance.now() - this.asked < patience;
    if (this.isStale) return;
    this.asked = performance.now();
    this.post();
  }

  answered(): void {
    this.asked = undefined;
    if (this.isStale) this.ask();
  }

  /** Forgets the open request, whose answer is no longer needed. */
  forget(): void {
    this.asked = undefined;
    this.isStale = false;
  }
}
